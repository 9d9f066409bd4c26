// What a run found: its rows are those that webhooks send. spec 2.12 and 2.13

import type { WebhookContact } from "../webhooks/intent-event.ts"

/** A person that a run found, with what was known about them at that time. */
export interface RunResult extends WebhookContact {}

/** A share of the people in the results. */
export interface RunShare {
  readonly count: number
  /** Percent of all people in the results, with 2 decimals; 0 if there are no results. */
  readonly percent: number
}

/** Path of a value in a result, and its column name in an export. */
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

/** Statistics of a run's results. */
export interface RunStatistics {
  /** The run's `resultCount`. */
  readonly total: number
  /** How many people have a known value. */
  readonly fillRates: Readonly<Record<RunResultPath, RunShare>>
  /** Number of people by score, lowest bucket first. Empty without topics. */
  readonly scoreHistogram: ReadonlyArray<
    RunShare & { readonly bucket: "50-69" | "70-89" | "90-99" }
  >
  /** With 2 decimals; null without results or topics. */
  readonly averages: { readonly score: number | null; readonly topicOverlap: number | null }
}
