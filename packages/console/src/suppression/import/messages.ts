// Messages between the page and the worker that reads a file of rules.
import type {
  ColumnChoice,
  Encoding,
  Figures,
  Layout,
  LayoutQuestion,
  Missing,
  RejectedRow,
} from "@footfall/normal-form/reading"
import type { SuppressionRuleCounts, SuppressionRuleInput } from "@footfall/sdk"

/** The user's settings for the file. */
export type LayoutOptions = Pick<LayoutQuestion, "type" | "column" | "hasHeader">

/** The detected format of a file. */
export interface FileFormat {
  /** Null if the user needs to tell us more. */
  readonly layout: Layout | null
  readonly problem: {
    readonly message: string
    readonly missing: ReadonlyArray<Missing>
    /** The columns that could be meant. */
    readonly choices: ReadonlyArray<ColumnChoice>
  } | null
  /** The first rows, including the header. */
  readonly rows: ReadonlyArray<ReadonlyArray<string>>
  readonly encoding: Encoding
  readonly isCompressed: boolean
}

/** The result of reading a file. */
export interface Reading extends Figures {
  /** The file has no content, not even a header or a comment. */
  readonly isEmpty: boolean
  /** The first 100. */
  readonly rejected: ReadonlyArray<RejectedRow>
  /** All rejected rows as CSV; null if there are none. */
  readonly rejectedFile: Blob | null
  /** Warns about rules for mail providers. */
  readonly warning: string | null
}

/** The changes that make the list match the file. */
export interface Changes {
  readonly present: SuppressionRuleCounts
  readonly additions: SuppressionRuleCounts
  readonly removals: SuppressionRuleCounts
  /** The first 100. */
  readonly firstRemovals: ReadonlyArray<SuppressionRuleInput>
  /** Whether more than half of a long list would be removed. */
  readonly isMost: boolean
  /** Whether the file has other types than the list, which it would lose. */
  readonly isOfOtherTypes: boolean
}

export interface ReadProgress {
  readonly bytes: number
  readonly rows: number
  readonly rejectedCount: number
}

/** Maximum rules per request. spec 5.5.3 */
export const rulesPerRequest = 25_000

/** Requests from the page: open a file, or call a method of its `RuleFile`. */
export type Request =
  | { readonly file: File }
  | { readonly id: number; readonly method: Method; readonly args: ReadonlyArray<unknown> }

export type Method =
  | "detectFormat"
  | "read"
  | "start"
  | "next"
  | "forgetList"
  | "compare"
  | "difference"

export type Answer =
  | { readonly progress: ReadProgress }
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: string }
