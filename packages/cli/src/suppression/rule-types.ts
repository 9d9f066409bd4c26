// The types of rules as the command line knows them before the SDK is loaded.

import type { SuppressionRuleType } from "@footfall/sdk"

/** In the order everything is told in. Source: spec 2.6. */
export const ruleTypes = [
  "email",
  "domain",
  "company_domain",
  "industry",
] as const satisfies ReadonlyArray<SuppressionRuleType>
