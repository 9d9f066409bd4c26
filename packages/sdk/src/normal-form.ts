// The sub-path @footfall/sdk/normal-form: what the server would store of a suppression rule, known
// before anything is sent. Apart from the client, because it brings the public suffix list with it.

import * as shared from "@footfall/normal-form"
import type {
  SuppressionRejectionReason,
  SuppressionRuleInput,
  SuppressionRuleType,
} from "./resources/suppression-rule.ts"

/**
 * The rule a row stands for, in its normal form, or the reason it is none: the server's own function.
 * `types`: those a replacement is limited to. Guarantee: a normal rule is its own normal form.
 * Source: spec 2.6.
 */
export const normalizeRule: (
  row: unknown,
  types?: ReadonlyArray<SuppressionRuleType>,
) => SuppressionRuleInput | SuppressionRejectionReason = shared.normalizeRule
