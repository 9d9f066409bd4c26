// Body and answer of POST /v1/data/query (service.md; decisions.md 5.1).
import { Schema } from "effect"
import { metaFields } from "../../http/envelope.ts"
import { SuppressedFilter } from "../list-scope.ts"
import { Timeframe } from "../timeframe.ts"
import { Visitor } from "../visitor.ts"
import { RuleAstRequest } from "./rule-schema.ts"

/** Visitors of a page. service.md, Limits. */
export const queryPageSizeMax = 100

const uuid = Schema.String.check(Schema.isUUID())

export class VisitorQueryBody extends Schema.Opaque<VisitorQueryBody>()(
  Schema.Struct({
    /** Exactly one of the two. */
    segmentId: Schema.optionalKey(uuid),
    ruleAst: Schema.optionalKey(RuleAstRequest),
    /** Either this or a cursor. */
    page: Schema.optionalKey(
      Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 2_147_483_647 })),
    ),
    cursor: Schema.optionalKey(Schema.String),
    limit: Schema.optionalKey(
      Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: queryPageSizeMax })),
    ),
    pixelId: Schema.optionalKey(uuid),
    /** In place of the window of the rule. */
    window: Schema.optionalKey(Timeframe),
    suppressed: Schema.optionalKey(SuppressedFilter),
  }).annotate({ identifier: "VisitorQuery" }),
) {}

export const VisitorQueryList = Schema.Struct({
  data: Schema.Array(Visitor),
  meta: Schema.Struct({
    page: Schema.Int,
    limit: Schema.Int,
    hasMore: Schema.Boolean,
    nextCursor: Schema.NullOr(Schema.String),
    /** Null when counting took above 2 seconds. */
    total: Schema.NullOr(Schema.Int),
    coverage: Schema.optionalKey(
      Schema.Struct({ partial: Schema.Boolean, from: Schema.NullOr(Schema.String) }),
    ),
    ...metaFields,
  }),
}).annotate({ identifier: "VisitorQueryList" })
