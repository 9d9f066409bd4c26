// What the page and the worker that reads a file of rules tell each other.
import type {
  Encoding,
  Figures,
  Layout,
  LayoutQuestion,
  Missing,
  RejectedRow,
} from "@footfall/normal-form/reading"
import type { SuppressionRuleCounts, SuppressionRuleInput } from "@footfall/sdk"

/** What the user said about the file. */
export type Asked = Pick<LayoutQuestion, "type" | "column" | "hasHeader">

/** What a file was taken for. */
export interface Look {
  /** Null when the user has to say more. */
  readonly layout: Layout | null
  readonly problem: { readonly message: string; readonly missing: ReadonlyArray<Missing> } | null
  /** The first rows, the header among them. */
  readonly rows: ReadonlyArray<ReadonlyArray<string>>
  readonly encoding: Encoding
  readonly isCompressed: boolean
}

/** What was found in a file. */
export interface Reading extends Figures {
  /** Not a header or a comment either. */
  readonly isEmpty: boolean
  /** The first 100. */
  readonly rejected: ReadonlyArray<RejectedRow>
  /** All of them, as CSV; null without any. */
  readonly rejectedFile: Blob | null
  /** About rules for mail providers. */
  readonly warning: string | null
}

/** What makes the list equal the file. */
export interface Changes {
  readonly present: SuppressionRuleCounts
  readonly additions: SuppressionRuleCounts
  readonly removals: SuppressionRuleCounts
  /** The first 100. */
  readonly firstRemovals: ReadonlyArray<SuppressionRuleInput>
  /** Whether more than half of a long list goes. */
  readonly isMost: boolean
}

export interface ReadProgress {
  readonly bytes: number
  readonly rows: number
  readonly rejectedCount: number
}

/** Rules of one request. spec 5.5.3 */
export const rulesPerRequest = 25_000

/** What the page asks for: to open a file, or a call of its `RuleFile`. */
export type Request =
  | { readonly file: File }
  | { readonly id: number; readonly method: Method; readonly args: ReadonlyArray<unknown> }

export type Method = "look" | "read" | "start" | "next" | "forgetList" | "compare" | "difference"

export type Answer =
  | { readonly progress: ReadProgress }
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: string }
