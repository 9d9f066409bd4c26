// The parameters `ownerId` and `tag` of a list, as conditions of the rule language (spec 3.3).
import { Schema } from "effect"
import { described, requestText } from "../../platform/http/fields.ts"
import type { RuleSubject } from "./query/predicate.ts"
import type { RuleNode } from "./query/rule.ts"
import { tagLengthMax } from "./tag.ts"

const ownerId = Schema.String.check(
  Schema.isPattern(/^(?:none|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/i, {
    issueCode: "format",
    expected: "the id of a member, or none",
  }),
)

export const markParameters = {
  ownerId: described(
    "Only those whose owner is this member, or `none`: those without an owner.",
    Schema.optionalKey(ownerId),
  ),
  tag: described(
    "Only those with this tag, compared without case.",
    Schema.optionalKey(requestText({ lengthMin: 1, lengthMax: tagLengthMax })),
  ),
}

/** Undefined without such a parameter. */
export const ruleOfMarks = (
  subject: RuleSubject,
  { ownerId, tag }: { readonly ownerId?: string | undefined; readonly tag?: string | undefined },
): RuleNode | undefined => {
  const prefix = subject === "people" ? "contact" : "company"
  const owner = `${prefix}.owner` as const
  const nodes: ReadonlyArray<RuleNode> = [
    ...(ownerId === undefined
      ? []
      : [
          ownerId.toLowerCase() === "none"
            ? ({ field: owner, op: "exists", value: false } as const)
            : ({ field: owner, op: "eq", value: ownerId.toLowerCase() } as const),
        ]),
    ...(tag === undefined ? [] : [{ field: `${prefix}.tags`, op: "any_eq", value: tag } as const]),
  ]
  return nodes.length === 0 ? undefined : { all: nodes }
}
