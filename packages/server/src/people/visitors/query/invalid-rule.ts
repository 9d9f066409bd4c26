// Why a rule is invalid: its first error in document order (spec 9).
import { Result, Schema } from "effect"

const reasons = [
  "unknown_key",
  "unknown_field",
  "unknown_operator",
  "operator_not_for_type",
  "wrong_value_type",
  "value_too_long",
  "empty_group",
  "too_many_predicates",
  "too_deep",
  "unsupported_version",
  "bad_window",
  "unknown_list",
  "wrong_list",
] as const
export type InvalidRuleReason = (typeof reasons)[number]

export class InvalidRule extends Schema.TaggedError<InvalidRule>()("InvalidRule", {
  reason: Schema.Literals(reasons),
  /** JSON pointer into `ruleAst`. */
  path: Schema.String,
  /** For people to read: what was expected and what was received. */
  message: Schema.String,
}) {
  static fail(
    reason: InvalidRuleReason,
    path: string,
    message: string,
  ): Result.Result<never, InvalidRule> {
    return Result.fail(new InvalidRule({ reason, path, message }))
  }
}
