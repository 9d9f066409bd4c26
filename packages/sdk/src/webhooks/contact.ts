// One person of an audience's results, as a destination receives it. Keys are never missing; what is not
// known is null. Source: spec 2.13.

import type { Topic } from "../resources/topics.ts"

export interface WebhookContact {
  /** SHA-256 of the normalized primary address, 64 lower-case hexadecimal characters. */
  readonly hashedEmail: string
  readonly firstName: string | null
  readonly lastName: string | null
  readonly fullName: string | null
  /** Primary address. */
  readonly email: string | null
  readonly businessEmail: string | null
  readonly personalEmail: string | null
  /** The business address, else the personal one. */
  readonly primaryContactEmail: string | null
  readonly emailStatus: string | null
  /** E.164. */
  readonly phone: string | null
  readonly linkedinUrl: string | null
  readonly headline: string | null
  readonly jobTitle: string | null
  readonly seniority: string | null
  readonly department: string | null
  readonly company: {
    readonly name: string | null
    readonly domain: string | null
    readonly industry: string | null
    readonly industryGroup: string | null
    readonly revenueRange: string | null
    /** A band, for example `201-500`. */
    readonly size: string | null
    readonly linkedinUrl: string | null
  }
  readonly geo: {
    readonly city: string | null
    readonly state: string | null
    readonly country: string | null
  }
  readonly demographics: { readonly ageRange: string | null; readonly gender: string | null }
  readonly isB2b: "y" | "n" | null
  readonly intent: {
    /** 1 to 100. */
    readonly score: number
    readonly topicOverlap: number
    readonly matchedTopics: ReadonlyArray<Topic>
  }
}
