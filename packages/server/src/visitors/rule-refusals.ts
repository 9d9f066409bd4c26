// The wire errors of a rule that took too long, which is not to be sent again as it is, and of one that did not get
// its turn (spec 5, standard errors).
import { refuse } from "../http/errors.ts"
import type { QueryTooSlow } from "./query/rule-turns.ts"
import type { InvalidRule } from "./query/invalid-rule.ts"

export const queryTooSlow = ({ seconds }: QueryTooSlow) =>
  refuse({
    code: "QUERY_TOO_SLOW",
    message: `The rule took longer than ${seconds} seconds. Use a shorter window or a simpler rule, then try again.`,
    details: { seconds },
  })

export const rulesBusy = () =>
  refuse({
    code: "SERVICE_UNAVAILABLE",
    message: "Too many rules are being evaluated. Try again in a moment.",
  })

// The wire error of an invalid rule (spec 9): what is wrong, and a JSON pointer to it.
export const invalidRuleRefused = ({ message, path, reason }: InvalidRule) =>
  refuse({
    code: "INVALID_RULE",
    message,
    details: { path, reason },
  })
