// Body and answer of POST /v1/data/query (spec 5.1).
import { Schema } from "effect"
import { described } from "../../http/fields.ts"
import { metaFields } from "../../http/envelope.ts"
import { SuppressedFilter } from "../list-scope.ts"
import { Timeframe } from "../timeframe.ts"
import { Visitor } from "../visitor.ts"
import { RuleAstRequest } from "./rule-schema.ts"

/** Visitors of a page. */ // spec 10.3
export const queryPageSizeMax = 100

const uuid = Schema.String.check(Schema.isUUID())

export class VisitorQueryBody extends Schema.Opaque<VisitorQueryBody>()(
  Schema.Struct({
    segmentId: described(
      "Id of a saved segment. Send either `segmentId` or `ruleAst`.",
      Schema.optionalKey(uuid),
    ),
    ruleAst: described(
      "The rule to match. Send either `segmentId` or `ruleAst`.",
      Schema.optionalKey(RuleAstRequest),
    ),
    page: described(
      "Page number, starting at 1. Cannot be combined with `cursor`.",
      Schema.optionalKey(
        Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 2_147_483_647 })),
      ),
    ),
    cursor: described(
      "The `nextCursor` of the previous page. Cannot be combined with `page`.",
      Schema.optionalKey(Schema.String),
    ),
    limit: described(
      "Page size. Default 50.",
      Schema.optionalKey(
        Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: queryPageSizeMax })),
      ),
    ),
    pixelId: described("Only visitors this pixel saw.", Schema.optionalKey(uuid)),
    window: described(
      "Only visitors seen in this period. Default: the window of the rule.",
      Schema.optionalKey(Timeframe),
    ),
    suppressed: described(
      "Whether suppressed visitors are listed; default `include`.",
      Schema.optionalKey(SuppressedFilter),
    ),
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
