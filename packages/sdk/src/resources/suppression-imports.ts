// The plans of suppression imports. spec 5.16
// Generated from the server's contract by `npm run reference`: edit packages/server, not this file.

import type {
  SuppressionRuleType,
  SuppressionRuleCounts,
  SuppressionAffectedPerson,
} from "./suppression.ts"

/** What an import would do. */
export interface SuppressionImportPlan {
  /** Names the plan. Send it to apply or drop the plan, or to add another file. */
  readonly importId: string
  /** What is imported. */
  readonly kind: SuppressionImportKind
  /** `add` adds rules, `replace` makes the list equal the file, `remove` removes rules. */
  readonly mode: SuppressionImportMode
  /** The types that the import is limited to; null means all. */
  readonly types: ReadonlyArray<SuppressionRuleType> | null
  /** When the plan is dropped. */
  readonly expiresAt: string
  /** Rows of all files, without headers, blank lines and comments. */
  readonly rows: number
  /** Distinct rules in the files. */
  readonly rules: number
  /** Rules that would be added. */
  readonly new: number
  /** Rules of the files that are on the list. */
  readonly present: number
  /** Rules that would be removed. */
  readonly removed: number
  /** Rows that are not valid rules. */
  readonly rejected: number
  /** Rows whose rule an earlier row has. */
  readonly repeated: number
  /** What stands in the way; null if nothing does. */
  readonly guard: SuppressionImportGuard | null
  /** The same counts for each type of rule. */
  readonly byType: {
    /** Distinct rules in the files. */
    readonly rules: SuppressionRuleCounts
    /** Rules that would be added. */
    readonly new: SuppressionRuleCounts
    /** Rules that would be removed. */
    readonly removed: SuppressionRuleCounts
    /** Rows that name this type and are not valid rules. */
    readonly rejected: SuppressionRuleCounts
    /** The list before the import. */
    readonly stored: SuppressionRuleCounts
  }
  /** The files, in the order they were sent. */
  readonly files: ReadonlyArray<SuppressionImportFile>
  /** Some of the changes. */
  readonly sample: {
    /** At most 10 rules that would be added, in the order of the files. */
    readonly new: ReadonlyArray<{
      /** What the rule matches. */
      readonly type: SuppressionRuleType
      /** In normal form. */
      readonly value: string
    }>
    /** At most 10 rules that would be removed, newest first. */
    readonly removed: ReadonlyArray<{
      /** What the rule matches. */
      readonly type: SuppressionRuleType
      /** In normal form. */
      readonly value: string
    }>
  }
  /** How many rows were rejected, by reason. */
  readonly rejectedByReason: ReadonlyArray<{
    /** Why the rows were rejected. */
    readonly reason: string
    /** How many. */
    readonly rows: number
  }>
  /** The first 100 rejected rows. */
  readonly rejectedRows: ReadonlyArray<SuppressionImportRejection>
  /** Mail providers at which the rules would suppress everyone. */
  readonly freeMailDomains: ReadonlyArray<string>
  /**
   * People seen in the last 30 days who would be suppressed; null unless `mode` is `add` and the files have 1 to
   * 100,000 rules.
   */
  readonly affected: {
    /** How many people. */
    readonly visitors: number
    /** A person counts once for each type that matches. */
    readonly byType: SuppressionRuleCounts
    /** At most 10 of them, last seen first. */
    readonly sample: ReadonlyArray<SuppressionAffectedPerson>
  } | null
  /** How the file of this request was read, in the words of the parameters; null for NDJSON. */
  readonly layout: SuppressionImportLayout | null
  /** Changes with every write to the list. */
  readonly listVersion: string
}

/** The result of an import. */
export interface AppliedSuppressionImport {
  /** Rules that were added. */
  readonly added: number
  /** Rules that were removed. */
  readonly removed: number
  /** The organization's rules after the import. */
  readonly total: number
}

/** A dropped plan. */
export interface DroppedSuppressionImport {
  /** Always true. */
  readonly dropped: true
}

/** What can be imported. */
export type SuppressionImportKind = "suppression-rules"

/** `add` adds the rules of the file, `replace` makes the list equal the file, `remove` removes its rules. */
export type SuppressionImportMode = "add" | "replace" | "remove"

/** What `apply` has to allow. */
export interface SuppressionImportGuard {
  /**
   * `empty`: a file has no rows. `no_rules`: no row is a rule. `other_types`: the file has other types than the list.
   * `most`: more than half of a long list would be removed.
   */
  readonly reason: "empty" | "no_rules" | "other_types" | "most"
  /** Rules that would be removed. */
  readonly removals: number
  /** Stored rules of the compared types. */
  readonly present: number
}

/** One file of an import. */
export interface SuppressionImportFile {
  /** Name of the file, as sent. */
  readonly name: string
  /** How the file was read, for people. */
  readonly reading: string
  /** Rows of the file. */
  readonly rows: number
  /** Rejected rows of the file. */
  readonly rejected: number
}

/** A row that is not a rule. */
export interface SuppressionImportRejection {
  /** Position of the file in `files`. */
  readonly file: number
  /** First line of the row, counted from 1. */
  readonly line: number
  /** As written in the file. */
  readonly type: string
  /** As written in the file, cut after 512 characters. */
  readonly value: string
  /** Why the row is not a valid rule. */
  readonly reason:
    | "not_an_object"
    | "invalid_type"
    | "type_not_in_types"
    | "empty_value"
    | "value_too_long"
    | "invalid_email"
    | "invalid_domain"
    | "invalid_industry"
    | "public_suffix"
    | "unreadable_text"
    | "value_cut"
  /** Set if the reason is not enough: names an invisible character, or says what the value looks like. */
  readonly message?: string
}

/** How a file was read. */
export interface SuppressionImportLayout {
  /** The first 6 rows with the header, as written: at most 200 cells, each cut after 80 characters. */
  readonly firstRows: ReadonlyArray<ReadonlyArray<string>>
  /** Column of the values, from 1. */
  readonly column: number
  /** Type of the values; null if each row says its type. */
  readonly type: SuppressionRuleType | null
  /** Whether the first row names the columns. */
  readonly header: boolean
}
