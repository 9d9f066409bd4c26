// What can be asked of the qualification query. Source: spec 5.1.

import type { RuleAst } from "./rule-ast.ts"
import type { Timeframe } from "./timeframe.ts"
import type { SuppressedFilter, VisitorListPosition } from "./visitor-list-params.ts"

/** Rule, window, scope, filter and position of a query. */
export type VisitorQueryParams = Qualification &
  VisitorListPosition & {
    /** Id of one pixel. Default: all of the organization's. */
    readonly pixelId?: string | undefined
    /** In place of the window of the rule. */
    readonly window?: Timeframe | undefined
    /** Visitors to a page, 1 to 100, default 50. */
    readonly limit?: number | undefined
    /** Default `include`. */
    readonly suppressed?: SuppressedFilter | undefined
  }

/** Who qualifies: by a saved segment or by a rule, never by both. */
export type Qualification =
  | { readonly segmentId: string; readonly ruleAst?: undefined }
  | { readonly ruleAst: RuleAst; readonly segmentId?: undefined }
