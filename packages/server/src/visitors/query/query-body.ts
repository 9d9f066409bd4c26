// Body and answer of POST /v1/data/query (spec 5.1).
import { Schema } from "effect"
import { described } from "../../http/described.ts"
import { metaFields } from "../../http/envelope.ts"
import { SuppressedFilter } from "../list-scope.ts"
import { Timeframe } from "../timeframe.ts"
import { Visitor } from "../visitor.ts"
import { RuleAstRequest } from "./rule-schema.ts"

/** Visitors of a page. spec 10.3. */
export const queryPageSizeMax = 100

const uuid = Schema.String.check(Schema.isUUID())

export class VisitorQueryBody extends Schema.Opaque<VisitorQueryBody>()(
  Schema.Struct({
    segmentId: described(
      "Id of the saved segment to ask. Exactly one of `segmentId` and `ruleAst`.",
      Schema.optionalKey(uuid),
    ),
    ruleAst: described(
      "The rule to ask. Exactly one of `segmentId` and `ruleAst`.",
      Schema.optionalKey(RuleAstRequest),
    ),
    page: described(
      "Number of the page, from 1. Not together with `cursor`.",
      Schema.optionalKey(
        Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 2_147_483_647 })),
      ),
    ),
    cursor: described(
      "The `nextCursor` of the page before. Not together with `page`.",
      Schema.optionalKey(Schema.String),
    ),
    limit: described(
      "How many visitors a page has at most; default 50.",
      Schema.optionalKey(
        Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: queryPageSizeMax })),
      ),
    ),
    pixelId: described("Only what this pixel saw.", Schema.optionalKey(uuid)),
    window: described(
      "Only visitors seen in this time up to now; default: the window of the rule.",
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
