// Maps requests and responses to the VisitorQueries service; decides nothing except the page size.
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { Caller, sitesOfCaller } from "../../../access/caller.ts"
import { cursorRefused, exclusive, hintIfEmpty } from "../../../platform/http/lists.ts"
import { success } from "../../../platform/http/envelope.ts"
import { notFound, refuse } from "../../../platform/http/errors.ts"
import { invalidRuleRefused, queryTooSlow, rulesBusy, wrongSegment } from "../refusals.ts"
import type { SuppressedFilter } from "../list-scope.ts"
import { visitorOf } from "../visitor.ts"
import type { VisitorQueryBody } from "../api.ts"
import { periodOf } from "../scope-on-the-wire.ts"
import { VisitorQueries } from "../visitor-queries.ts"

/** Default number of visitors per page. spec 10.3. */
const pageSize = 50

const periodNames = { from: "/body/from", to: "/body/to", timeframe: "window" }

/** The endpoint `query` of the visitors group. */
export const queryHandler = Effect.map(VisitorQueries, (queries) =>
  Effect.fnUntraced(
    function* ({ payload, query }: Request) {
      const { from, limit = pageSize, pixelId, sort, to, window } = payload
      const period = yield* periodOf({ timeframe: window, from, to }, undefined, periodNames)
      const position = yield* positionOf(payload)
      const by = yield* qualificationOf(payload)
      const suppressed = yield* suppressedOf({ body: payload.suppressed, query: query.suppressed })
      const caller = yield* Caller
      const { visitors, ...meta } = yield* queries.ask({
        organizationId: caller.organizationId,
        pixelIds: sitesOfCaller(caller),
        by,
        window: period,
        pixelId,
        suppressed,
        sort,
        position,
        limit,
      })
      // Not encoded by its schema, for the reason given at the list.
      return HttpServerResponse.jsonUnsafe(
        yield* success(visitors.map(visitorOf), {
          ...meta,
          limit,
          ...(meta.total === 0 ? hintIfEmpty(visitors, "visitorQuery") : {}),
        }),
      )
    },
    Effect.catchTags({
      InvalidRule: invalidRuleRefused,
      PixelNotFound: () => notFound,
      SegmentNotFound: () => notFound,
      WrongSegment: wrongSegment("/body/segmentId"),
      CursorRefused: cursorRefused,
      QueryTooSlow: queryTooSlow,
      RulesBusy: rulesBusy,
    }),
  ),
)

interface Request {
  readonly payload: VisitorQueryBody
  readonly query: { readonly suppressed?: SuppressedFilter }
}

const positionOf = ({ cursor, page }: VisitorQueryBody) =>
  cursor === undefined
    ? Effect.succeed({ page: page ?? 1 })
    : page === undefined
      ? Effect.succeed({ cursor })
      : exclusive("/body/page", "cursor")

/** What the subjects of a query have in common. */
export const qualificationOf = ({
  ruleAst,
  segmentId,
}: Pick<VisitorQueryBody, "ruleAst" | "segmentId">) => {
  if (ruleAst === undefined) {
    return segmentId === undefined ? noQualification : Effect.succeed({ segmentId })
  }
  return segmentId === undefined
    ? Effect.succeed({ ruleAst })
    : exclusive("/body/segmentId", "ruleAst")
}

const noQualification = refuse({
  code: "VALIDATION_ERROR",
  message: "Send exactly one of segmentId and ruleAst.",
  details: {
    issues: [
      {
        path: "/body/ruleAst",
        code: "required",
        message: "Expected segmentId or ruleAst, received neither.",
      },
    ],
  },
})

/** Accepted in the body and as a query parameter if both agree. spec 5.1. */
const suppressedOf = (given: {
  readonly body: SuppressedFilter | undefined
  readonly query: SuppressedFilter | undefined
}) =>
  given.body !== undefined && given.query !== undefined && given.body !== given.query
    ? refuse({
        code: "VALIDATION_ERROR",
        message: `The parameter suppressed is "${given.query}" and the body says "${given.body}".`,
        details: {
          issues: [
            {
              path: "/query/suppressed",
              code: "mutually_exclusive",
              message: `Expected "${given.body}" as in the body, received "${given.query}".`,
            },
          ],
        },
      })
    : Effect.succeed(given.body ?? given.query ?? "include")
