// A qualification rule: groups and predicates, at most 25 predicates and 8 levels deep.
// The compiler holds operator and value to the type of the field; the server checks sizes and texts
// and points at the node that is wrong (`BadRequestError.invalidRule`).
// Source: spec 3.

import type { Predicate } from "./predicate.ts"
import type { Timeframe } from "./timeframe.ts"

/** A whole rule. It matches visitors with at least one event inside the window. */
export interface RuleAst {
  readonly version: 1
  /** Default `30d`; the `window` of a query comes first. */
  readonly window?: Timeframe | undefined
  readonly rule: RuleNode
}

/** A group or a predicate. */
export type RuleNode = RuleGroup | Predicate

/** Every node must match, or at least one. A group holds at least one node. */
export type RuleGroup =
  | {
      readonly all: ReadonlyArray<RuleNode>
      readonly any?: undefined
      readonly field?: undefined
      readonly op?: undefined
      readonly value?: undefined
    }
  | {
      readonly any: ReadonlyArray<RuleNode>
      readonly all?: undefined
      readonly field?: undefined
      readonly op?: undefined
      readonly value?: undefined
    }
