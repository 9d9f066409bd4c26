// Converts rows of files to rules. Each row is a new rule, a repeated rule, or rejected. It also counts totals. Memory
// doesn't grow with the rows, except for 8 bytes per rule (digest-set.ts).

import {
  type NormalRule,
  rejectionMessage,
  type RuleRejection,
  type RuleType,
  ruleTypes,
} from "../suppression-rule.ts"
import { DigestSet } from "./digest-set.ts"
import { isFreeMailRule } from "./free-mail.ts"
import type { SourceRow } from "./rows.ts"
import { csvHeader, csvRow } from "../csv.ts"
import { defused } from "./column-kinds.ts"
import { adviceFor, ruleAsWritten } from "./wrapping.ts"

/** The last two come only from the reader: such rows are never sent. */
export type RowRejectionReason = RuleRejection | "unreadable_text" | "value_cut"

/** Totals over all rows. */
export interface Figures {
  /** Without headers, blank lines and comments. */
  readonly rows: number
  /** Rules to send, without duplicates. */
  readonly rules: number
  readonly rulesByType: Readonly<Record<RuleType, number>>
  /** Rows whose rule already appeared in an earlier row. */
  readonly repeated: number
  readonly rejectedCount: number
  readonly rejectedByType: Readonly<Partial<Record<string, number>>>
  readonly rejectedByReason: Readonly<Partial<Record<string, number>>>
  readonly freeMailCount: number
  /** The first 100. */
  readonly freeMailDomains: ReadonlyArray<string>
}

/** How many rejected rows, or changes, a result lists. */
// spec 2.6
export const REPORTED_MAX = 100

/** No rules of any type. */
export const noCounts = (): Record<RuleType, number> => ({
  email: 0,
  domain: 0,
  company_domain: 0,
  industry: 0,
})

/** A rule as text, for a `DigestSet`. */
export const ruleName = ({ type, value }: NormalRule): string => `${type} ${value}`

/** Counts rows as they arrive. */
export class Tally {
  rows = 0
  rejectedCount = 0
  readonly #types: ReadonlyArray<RuleType> | undefined
  readonly #seen: DigestSet
  readonly #rulesByType = noCounts()
  readonly #rejectedByType = new Map<string, number>()
  readonly #rejectedByReason = new Map<string, number>()
  readonly #freeMailDomains: Array<string> = []
  #repeated = 0
  #freeMailCount = 0

  /** `types`: rows of other types are rejected; undefined accepts all types. */
  constructor(types: ReadonlyArray<RuleType> | undefined, seen = new DigestSet()) {
    this.#types = types
    this.#seen = seen
  }

  /** Whether there were so many rules that `has` may return false for a rule that did appear. */
  get hasOverflowed(): boolean {
    return this.#seen.hasOverflowed
  }

  /** Returns a new rule, a rejected row, or null if the rule appeared before. */
  take(row: SourceRow): NormalRule | RejectedRow | null {
    this.rows += 1
    const rule = ruleOf(row, this.#types)
    if (typeof rule === "string") return this.#rejected(row, rule)
    if (!this.#seen.add(ruleName(rule))) {
      this.#repeated += 1
      return null
    }
    this.#rulesByType[rule.type] += 1
    if (isFreeMailRule(rule)) {
      this.#freeMailCount += 1
      if (this.#freeMailDomains.length < REPORTED_MAX) this.#freeMailDomains.push(rule.value)
    }
    return rule
  }

  /** Whether a row contained this rule. */
  has(rule: NormalRule): boolean {
    return this.#seen.has(ruleName(rule))
  }

  get figures(): Figures {
    return {
      rows: this.rows,
      rules: Object.values(this.#rulesByType).reduce((sum, count) => sum + count, 0),
      rulesByType: this.#rulesByType,
      repeated: this.#repeated,
      rejectedCount: this.rejectedCount,
      // A file may use any text as a type, even `__proto__`, which is an ordinary key here.
      rejectedByType: Object.fromEntries(this.#rejectedByType),
      rejectedByReason: Object.fromEntries(this.#rejectedByReason),
      freeMailCount: this.#freeMailCount,
      freeMailDomains: this.#freeMailDomains,
    }
  }

  #rejected({ line, type, value }: SourceRow, reason: RowRejectionReason): RejectedRow {
    this.rejectedCount += 1
    countUp(this.#rejectedByReason, reason)
    countUp(this.#rejectedByType, type)
    const message = rejectionMessage(value, reason) ?? adviceFor(value, reason)
    // Avoids keeping a value of 64 KiB a hundred times.
    const kept = { line, type, value: value.slice(0, REJECTED_VALUE_LENGTH_MAX), reason }
    return message === undefined ? kept : { ...kept, message }
  }
}

const ruleOf = (
  row: SourceRow,
  types: ReadonlyArray<RuleType> | undefined,
): NormalRule | RowRejectionReason => {
  if (row.value.includes("\uFFFD")) return "unreadable_text"
  const rule = ruleAsWritten(row, types)
  return row.isCut && typeof rule !== "string" ? "value_cut" : rule
}

const countUp = (counts: Map<string, number>, key: string): void => {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

// Extra confirmation for removals, so that a misread file doesn't empty a list. To remove most of a long list, the user
// must enter the number. Pure.

/** A planned removal. */
export interface Removals {
  /** Maximum number of rules to remove. */
  readonly removals: number
  /** Number of existing rules. */
  readonly present: number
}

/** Shorter lists are easy to recreate. */
const LONG_LIST_MIN = 101

/** Whether more than half of a long list would be removed. */
export const isMost = ({ removals, present }: Removals): boolean =>
  present >= LONG_LIST_MIN && removals * 2 > present

/**
 * Whether the file has a type that the list lacks, and lacks one that the list has. Then the file, or its column, is
 * likely the wrong one.
 */
export const isOfOtherTypes = (
  wanted: Readonly<Record<RuleType, number>>,
  present: Readonly<Record<RuleType, number>>,
): boolean =>
  ruleTypes.some((type) => wanted[type] > 0 && present[type] === 0) &&
  ruleTypes.some((type) => wanted[type] === 0 && present[type] > 0)

// Writes rejected rows to a file, each with its line, the reason, and a message that names any invisible character.
// Pure.

/** A row that isn't a valid rule. */
export interface RejectedRow extends Omit<SourceRow, "isCut"> {
  readonly reason: string
  /** Set if the reason isn't enough: names the invisible character, or says what the value looks like. */
  readonly message?: string
}

/** Same as the server. In characters. */
// spec 2.6
const REJECTED_VALUE_LENGTH_MAX = 512

const columns = ["line", "type", "value", "reason", "message"]

export const rejectedHeader = csvHeader(columns)

/** A line of the file. No spreadsheet takes its cells for formulas. */
export const rejectedText = (row: RejectedRow): string =>
  csvRow(columns, { ...row, value: defused(row.value.slice(0, REJECTED_VALUE_LENGTH_MAX)) })
