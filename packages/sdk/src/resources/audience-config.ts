// Whom an audience holds: people whose score for enough of its topics lies in a range, and whom its
// filters let pass. Source: spec 2.8 to 2.11.

import type { AudienceFilter, AudienceFilters } from "./audience-filters.ts"

/** What a preview is made of. */
export interface AudiencePreviewParams {
  /** 1 to 10, repeats removed; each of them in the catalogue. */
  readonly topicIds: ReadonlyArray<number>
  /** Lowest score that counts. 1 to 100, default 70. */
  readonly minScore?: number | undefined
  /** Highest score that counts. `minScore` to 100, default 100. */
  readonly maxScore?: number | undefined
  /** In how many topics a person must have such a score. 1 to the number of topics, default 1. */
  readonly minTopicOverlap?: number | undefined
  /** Default: none. */
  readonly filters?: AudienceFilters | null | undefined
}

/** What an audience is made of. */
export interface AudienceConfigParams extends AudiencePreviewParams {
  /** The site that the audience was built from. */
  readonly sourceUrl?: string | null | undefined
}

/** A configuration with its defaults filled in and its values in normal form. */
export interface AudienceConfig {
  readonly topicIds: ReadonlyArray<number>
  readonly minScore: number
  readonly maxScore: number
  readonly minTopicOverlap: number
  readonly filters: AudienceFilters
}

/** A configuration that is valid. */
export interface AudienceValidation {
  readonly valid: true
  /** SHA-256 in hex; two configurations that mean the same have the same. */
  readonly configHash: string
  readonly normalizedConfig: AudienceConfig
  /** Names of the filters in force. */
  readonly appliedFilters: ReadonlyArray<AudienceFilter>
}

/** Whom a configuration would hold. */
export interface AudiencePreview {
  /** People, exactly. */
  readonly totalCount: number
  /** At most 50, those with the highest score first. */
  readonly sample: ReadonlyArray<AudiencePerson>
  /** Opaque, valid for 15 minutes; the same for the same configuration and date. */
  readonly previewKey: string
  /** The day the scores are of. `YYYY-MM-DD`. */
  readonly dataDate: string
  /** As in a validation. */
  readonly configHash: string
}

/** A person of a preview, their address masked. */
export interface AudiencePerson {
  /** SHA-256 of the address. */
  readonly hem: string
  /** The highest among the topics. 1 to 100. */
  readonly intentScore: number
  /** The topic of that score. */
  readonly topicId: number
  /** For example `j***@acme.example`; empty when no address is known. */
  readonly email: string
  /** Empty when not known. */
  readonly company: string
  /** Empty when not known. */
  readonly jobTitle: string
  readonly masked: true
}
