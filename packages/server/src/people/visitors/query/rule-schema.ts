// A rule in requests and responses (spec 2.7, 3). Requests accept any JSON here, because `parseRule` names the invalid
// node as spec 9 requires; the documents show the same schema for both.
import {
  type FieldType,
  isOfOptional,
  type OfKind,
  type ValueKind,
} from "@footfall/normal-form/rule-fields"
import { Schema } from "effect"
import { lengthAtLeast, lengthAtMost } from "../../../platform/http/fields.ts"
import { Timeframe } from "../timeframe.ts"
import { ofLengthMax, pathFilterLength } from "./of.ts"
import {
  customPattern,
  fieldNames,
  ofKindOf,
  operatorsOf,
  typeOfField,
  valueKindOf,
} from "./predicate.ts"
import { depthMax, predicatesMax, type RuleAst, type RuleNode } from "./rule.ts"
import { textLengthMax, textsMax } from "./value.ts"

const text = Schema.String.check(lengthAtMost(textLengthMax))

const values = {
  number: Schema.Finite.annotateKey({ description: "A number." }),
  range: Schema.Tuple([Schema.Finite, Schema.Finite]).annotateKey({
    description: "The lowest and highest number, inclusive.",
  }),
  text: text.annotateKey({
    description: `At most ${textLengthMax} characters, ignoring case.`,
  }),
  scalar: Schema.Union([text, Schema.Finite]).annotateKey({
    description: `A number, or a text of at most ${textLengthMax} characters, ignoring case.`,
  }),
  texts: Schema.Array(text)
    .check(Schema.isMinLength(1), Schema.isMaxLength(textsMax))
    .annotateKey({
      description: `1 to ${textsMax} texts of at most ${textLengthMax} characters, ignoring case.`,
    }),
  numbers: Schema.Array(Schema.Finite)
    .check(Schema.isMinLength(1), Schema.isMaxLength(textsMax))
    .annotateKey({ description: `1 to ${textsMax} numbers.` }),
  boolean: Schema.Boolean.annotateKey({ description: "`true` or `false`." }),
  moment: Schema.String.annotateKey({
    description: "An ISO 8601 date or time, such as `2026-03-11T09:05:00Z`.",
  }),
  duration: Schema.String.check(Schema.isPattern(/^[1-9]\d{0,3}[hd]$/)).annotateKey({
    description: "A period before now, in hours or days, such as `12h` or `30d`.",
  }),
  list: Schema.String.check(Schema.isUUID()).annotateKey({ description: "The id of a list." }),
  member: Schema.String.check(Schema.isUUID()).annotateKey({ description: "The id of a member." }),
  members: Schema.Array(Schema.String.check(Schema.isUUID()))
    .check(Schema.isMinLength(1), Schema.isMaxLength(textsMax))
    .annotateKey({ description: `1 to ${textsMax} ids of members.` }),
} satisfies Readonly<Record<ValueKind, Schema.Constraint>>

/** What the field is about. Compared exactly. */
const ofs = {
  event: Schema.String.check(lengthAtMost(ofLengthMax)).annotateKey({
    description: "The name of a custom event, exactly as it was sent.",
  }),
  property: Schema.String.check(lengthAtMost(ofLengthMax)).annotateKey({
    description: "A custom event and its property, such as `Signed up.plan`. Cut at the last dot.",
  }),
  path: Schema.String.check(
    lengthAtLeast(pathFilterLength.min),
    lengthAtMost(pathFilterLength.max),
  ).annotateKey({
    description: "A path filter: `/pricing` also counts pages below it, and `*` is one segment.",
  }),
  topic: Schema.Finite.annotateKey({
    description: "The id of a topic. Without it, the highest score of any topic.",
  }),
} satisfies Readonly<Record<OfKind, Schema.Constraint>>

const types = [
  "number",
  "text",
  "texts",
  "boolean",
  "datetime",
  "property",
  "list",
  "numbers",
  "member",
] as const
const kinds = Object.keys(values) as ReadonlyArray<ValueKind> // the table's own keys

/** A field of the type, and the `of` that it takes. */
const keysOf = (type: FieldType) => {
  const ofType = fieldNames.filter((name) => typeOfField(name) === type)
  const alone = ofType.filter((name) => ofKindOf(name) === undefined)
  return [
    ...(alone.length === 0 ? [] : [{ field: fieldSchema(type, alone) }]),
    ...ofType.flatMap((name) => {
      const kind = ofKindOf(name)
      if (kind === undefined) return []
      const of = isOfOptional(name) ? Schema.optionalKey(ofs[kind]) : ofs[kind]
      return [{ field: fieldSchema(type, [name]), of }]
    }),
  ]
}

const fieldSchema = (type: FieldType, fields: typeof fieldNames) => {
  const names = Schema.Literals(fields)
  const description = "The visitor field to compare."
  return type === "text"
    ? Schema.Union([names, Schema.String.check(Schema.isPattern(customPattern))]).annotateKey({
        description,
      })
    : names.annotateKey({ description })
}

const predicates = types.flatMap((type) =>
  kinds.flatMap((kind) => {
    const operators = operatorsOf(type).filter((name) => valueKindOf(type, name) === kind)
    return operators.length === 0
      ? []
      : keysOf(type).map((keys) =>
          Schema.Struct({
            ...keys,
            op: Schema.Literals(operators).annotateKey({ description: "The comparison." }),
            value: values[kind],
          }),
        )
  }),
)

const nodes = Schema.Array(Schema.suspend((): Schema.Codec<RuleNode> => node)).check(
  Schema.isMinLength(1),
)

const node = Schema.Union([
  Schema.Struct({ all: nodes.annotateKey({ description: "All of these must match." }) }),
  Schema.Struct({ any: nodes.annotateKey({ description: "At least one of these must match." }) }),
  ...predicates,
]).annotate({ identifier: "RuleNode" }) as unknown as Schema.Codec<RuleNode> // built from the tables above

const ruleAst: Schema.Codec<RuleAst> = Schema.Struct({
  version: Schema.Literal(1).annotateKey({ description: "Version of the rule format." }),
  window: Schema.optionalKey(Timeframe).annotateKey({
    description: "Only visitors seen in this period. Default `30d`.",
  }),
  rule: node.annotateKey({
    description: `At most ${predicatesMax} predicates, nested at most ${depthMax} deep.`,
  }),
}).annotate({ identifier: "RuleAst" })

/** A parsed rule, in a response. */
export const RuleAstAnswer = ruleAst

/** A node of a parsed rule. */
export const RuleNodeAnswer = node

/** Any JSON, documented as the schema. */
const unparsed = (schema: Schema.Constraint) =>
  Schema.Json.check(
    Schema.makeFilter<Schema.Json>(() => true, {
      representation: {
        id: "@footfall/server/visitors/isRuleAst",
        payload: null,
        schemas: [schema.ast],
      },
      toJsonSchema: ({ schemas }) => schemas[0] ?? {},
    }),
  )

/** An unparsed rule, in a request. */
export const RuleAstRequest = unparsed(ruleAst)

/** An unparsed node of a rule, in a request. */
export const RuleNodeRequest = unparsed(node)
