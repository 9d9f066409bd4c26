// What a web page is about, and the topics that come nearest to it. Source: spec 2.18 and 5.7.

import type { Topic } from "./topic.ts"

/** A page that was read. */
export interface SiteAnalysis {
  readonly company: string | null
  readonly summary: string | null
  /** At most 30. */
  readonly keywords: ReadonlyArray<string>
  /** At most 20, the most similar first. */
  readonly topics: ReadonlyArray<SiteTopic>
  /** Of the text that was read; the same text has the same hash. */
  readonly contentHash: string | null
}

/** A topic that a page is about. */
export interface SiteTopic extends Topic {
  /** From 0 to 1. */
  readonly similarity: number
  /** What on the page speaks for the topic. */
  readonly matchedKeyword: string
}

/** An analysis that was made with credentials, and so was kept. */
export interface StoredSiteAnalysis extends Omit<SiteAnalysis, "contentHash"> {
  readonly id: string
  /** The address that was asked for. */
  readonly url: string
  readonly createdAt: string
}
