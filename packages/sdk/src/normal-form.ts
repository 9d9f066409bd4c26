// The subpath @footfall/sdk/normal-form: shows how the server would store a suppression rule, without sending anything.
// It is separate from the client because it includes the public suffix list. spec 2.6

import * as shared from "@footfall/normal-form"
import type { SuppressionRuleInput } from "./extensions/suppression.ts"
import type { SuppressionRejectionReason, SuppressionRuleType } from "./resources/suppression.ts"

/**
 * Normalizes a row to a suppression rule, or returns why it is not a valid one. The server runs this same function.
 * `types`: the rule types that a replacement accepts. Guarantee: a normalized rule normalizes to itself.
 */
export const normalizeRule: (
  row: unknown,
  types?: ReadonlyArray<SuppressionRuleType>,
) => SuppressionRuleInput | SuppressionRejectionReason = shared.normalizeRule
