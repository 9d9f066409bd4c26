// The sub-path @footfall/sdk/normal-form: what the server would store of a suppression rule, known
// before anything is sent. Apart from the client, because it brings the public suffix list with it. spec 2.6

import * as shared from "@footfall/normal-form"
import type {
  SuppressionRejectionReason,
  SuppressionRuleInput,
  SuppressionRuleType,
} from "./resources/suppression.ts"

/**
 * Normalizes a row to a suppression rule, or says why it is not one. The server runs this same function.
 * `types`: the only types that a replacement takes. Guarantee: a normalized rule normalizes to itself.
 */
export const normalizeRule: (
  row: unknown,
  types?: ReadonlyArray<SuppressionRuleType>,
) => SuppressionRuleInput | SuppressionRejectionReason = shared.normalizeRule
