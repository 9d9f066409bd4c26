// A run of an audience: who was in it on one day of data, found once and kept as it was. Source: spec
// 2.8 run and Run statistics; spec 2.11 to 2.13, 4.2 and 5.9.

import type { WebhookContact } from "../webhooks/contact.ts"
import type { ListPosition } from "./list-position.ts"
import type { ResponseMeta } from "./response-meta.ts"

/** The last three are the ends of a run. */
export type RunStatus = "queued" | "running" | "completed" | "failed" | "cancelled"

/** Started by a request, or by the server for a new day of data. */
export type RunType = "manual" | "daily"

export type RunErrorCode =
  | "CONFIG_INVALID"
  | "DATA_UNAVAILABLE"
  | "QUERY_TIMEOUT"
  | "RESULT_TOO_LARGE"
  | "STORAGE_ERROR"
  | "INTERNAL_ERROR"

/** A run. Its configuration and data date are those of the moment it was started. */
export interface Run {
  readonly id: string
  readonly audienceId: string
  readonly organizationId: string
  readonly status: RunStatus
  readonly runType: RunType
  /** SHA-256 in hex, as in `audiences.validate`. */
  readonly configHash: string
  /** The day the scores are of. `YYYY-MM-DD`. */
  readonly dataDate: string
  /** Opaque. */
  readonly resultKey: string
  /** People who qualify, before filters and suppression; 0 until completed. */
  readonly candidateCount: number
  /** People of the results; 0 until completed. */
  readonly resultCount: number
  /** Claims by a worker, at most 3. */
  readonly attempts: number
  /** When it is tried again, while it waits for that. */
  readonly nextAttemptAt: string | null
  /** As given, else `manual:<id>`; `daily:<audienceId>:<dataDate>` of a daily run. */
  readonly idempotencyKey: string
  /** Why it failed, or why its last attempt did while it waits for another. */
  readonly errorCode: RunErrorCode | null
  readonly errorMessage: string | null
  /** When a worker claimed it first. */
  readonly startedAt: string | null
  /** When it came to its end, whichever. */
  readonly completedAt: string | null
  readonly cancelledAt: string | null
  /** When its creator was told by mail; null when no mail was due. */
  readonly readyEmailSentAt: string | null
  /** The export made for that mail. */
  readonly readyEmailExportId: string | null
  readonly readyEmailError: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

export interface RunStartParams {
  /**
   * Makes starting safe to repeat: the same key gives the same run, for good. 1 to 120 printable ASCII
   * characters. Without one, a start that got no answer is not repeated.
   */
  readonly idempotencyKey?: string | undefined
}

/** Default page size 25. */
export type RunListParams = ListPosition & {
  /** Default: every status. */
  readonly status?: RunStatus | undefined
}

/** A person a run found, with what was known of them then. */
export interface RunResult extends WebhookContact {}

/** What a page of results says about itself. */
export interface RunResultsMeta extends ResponseMeta {
  /** While it is queued or running there are no results yet. */
  readonly run: Run
  readonly total: number
  readonly limit: number
  /** Goes on counting when the results are read by cursor. */
  readonly offset: number
  readonly hasMore: boolean
  /** Opaque, valid for 24 hours; null on the last page. */
  readonly nextCursor: string | null
}

/** Some people of all. */
export interface RunShare {
  readonly count: number
  /** Of all people of the results, with 2 decimals; 0 of none. */
  readonly percent: number
}

/** Path of a result, as a column of an export is named. */
export type RunResultPath =
  | "businessEmail"
  | "personalEmail"
  | "firstName"
  | "lastName"
  | "fullName"
  | "email"
  | "primaryContactEmail"
  | "emailStatus"
  | "phone"
  | "linkedinUrl"
  | "headline"
  | "jobTitle"
  | "seniority"
  | "department"
  | "company.name"
  | "company.domain"
  | "company.industry"
  | "company.industryGroup"
  | "company.revenueRange"
  | "company.size"
  | "company.linkedinUrl"
  | "geo.city"
  | "geo.state"
  | "geo.country"
  | "demographics.ageRange"
  | "demographics.gender"
  | "isB2b"

/** What the results of a run hold, in figures. */
export interface RunStatistics {
  /** `resultCount` of the run. */
  readonly total: number
  /** People of whom a value is known. */
  readonly fillRates: Readonly<Record<RunResultPath, RunShare>>
  /** People by score, lowest bucket first. */
  readonly scoreHistogram: ReadonlyArray<
    RunShare & { readonly bucket: "50-69" | "70-89" | "90-99" }
  >
  /** With 2 decimals; null of nobody. */
  readonly averages: { readonly score: number | null; readonly topicOverlap: number | null }
}

/** A completed run and its statistics. */
export interface RunWithStatistics {
  readonly run: Run
  readonly stats: RunStatistics
}
