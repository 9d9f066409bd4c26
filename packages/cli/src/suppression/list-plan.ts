// A plan: the changes that make the server's list equal the files.
import type { SuppressionRuleType } from "@footfall/sdk"
import type { Changes } from "./changes.ts"
import type { Prepared } from "./prepared.ts"

/** `replace` is atomic, `add_and_remove` is not. */
export type ChangeMethod = "none" | "replace" | "add_and_remove"

/** What has to change, and how to change it. */
export interface ListPlan {
  readonly server: string
  readonly organization: string
  /** Null compares all types. */
  readonly types: ReadonlyArray<SuppressionRuleType> | null
  readonly prepared: Prepared
  readonly changes: Changes
  readonly method: ChangeMethod
}
