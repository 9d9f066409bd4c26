// The wire error of a rule that is none (spec 9): what is wrong, and a JSON pointer to where.
import { refuse } from "../http/errors.ts"
import type { InvalidRule } from "./query/invalid-rule.ts"

export const invalidRuleRefused = ({ message, path, reason }: InvalidRule) =>
  refuse({
    code: "INVALID_RULE",
    message,
    details: { path, reason },
  })
