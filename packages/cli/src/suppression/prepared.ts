// The result of reading files, as figures; the rules are in the spool. It is part of the journal of an import, so
// that a resumed import reports the whole.

import type { SuppressionRuleCounts, SuppressionRuleType } from "@footfall/sdk"
import type { RejectedRow } from "./rejected-file.ts"

/** One file. */
export interface PreparedFile {
  readonly file: string
  /** For people: how it was read. */
  readonly reading: string
  readonly rows: number
  readonly rejectedCount: number
  /** Where its rejected rows are; null without any, and where there is no place for them. */
  readonly rejectedFile: string | null
  /** Length of that file. */
  readonly rejectedBytes: number
}

/** A rejected row as results tell it. */
export interface FileRejection extends RejectedRow {
  readonly file: string
}

/** All files together. */
export interface Prepared {
  /** Whether no file holds anything: not a header or a comment either. */
  readonly isEmpty: boolean
  readonly files: ReadonlyArray<PreparedFile>
  /** Without headers, blank lines and comments. */
  readonly rows: number
  /** Rules to send, each once. */
  readonly rules: number
  readonly rulesByType: SuppressionRuleCounts
  /** Rows whose rule was already in an earlier row. */
  readonly repeated: number
  readonly rejectedCount: number
  readonly rejectedByType: Readonly<Partial<Record<string, number>>>
  readonly rejectedByReason: Readonly<Partial<Record<string, number>>>
  /** The first 100. */
  readonly rejected: ReadonlyArray<FileRejection>
  readonly freeMailCount: number
  /** The first 100. */
  readonly freeMailDomains: ReadonlyArray<string>
}

/** Rejected rows that results list (spec 2.6). */
export const TOLD_MAX = 100

/** No rules of any type. */
export const noCounts = (): Record<SuppressionRuleType, number> => ({
  email: 0,
  domain: 0,
  company_domain: 0,
  industry: 0,
})
