// A segment: a qualification rule with a name, to be asked again (spec 2.7). Names and
// descriptions are trimmed; a rule is stored as it was read, so what is stored can always be asked.
import { Schema } from "effect"
import { described } from "../../http/fields.ts"
import { requestText } from "../../http/request-text.ts"
import { RuleAstAnswer, RuleAstRequest } from "../query/rule-schema.ts"

export class Segment extends Schema.Opaque<Segment>()(
  Schema.Struct({
    id: Schema.String,
    organizationId: Schema.String,
    name: Schema.String,
    description: Schema.NullOr(Schema.String),
    ruleAst: RuleAstAnswer,
    /** The user; null when created with an API key. */
    createdBy: Schema.NullOr(Schema.String),
    createdAt: Schema.String,
    updatedAt: Schema.String,
  }).annotate({ identifier: "Segment" }),
) {}

const name = described("1 to 160 characters.", requestText({ lengthMin: 1, lengthMax: 160 }))
const description = described(
  "Note for your team, at most 500 characters, or null.",
  Schema.NullOr(requestText({ lengthMin: 0, lengthMax: 500 })),
)
const ruleAst = described("The rule to save.", RuleAstRequest)

/** Body of a creation. */ // spec 5.4
export class NewSegment extends Schema.Opaque<NewSegment>()(
  Schema.Struct({
    name,
    description: Schema.optionalKey(description),
    ruleAst,
  }).annotate({ identifier: "NewSegment" }),
) {}

/** Body of a change: what is left out stays. */ // spec 5.4
export class SegmentChange extends Schema.Opaque<SegmentChange>()(
  Schema.Struct({
    name: Schema.optionalKey(name),
    description: Schema.optionalKey(description),
    ruleAst: Schema.optionalKey(ruleAst),
  }).annotate({ identifier: "SegmentChange" }),
) {}
