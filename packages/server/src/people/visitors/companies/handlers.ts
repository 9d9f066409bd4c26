// Maps requests and responses to the Companies service; decides nothing.
import { normalizeDomain, registrableDomain } from "@footfall/normal-form"
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Caller, sitesOfCaller } from "../../../access/caller.ts"
import { footfall } from "../../../platform/http/contract.ts"
import { withFields } from "../../../platform/http/chosen-fields.ts"
import {
  cursorRefused,
  exclusive,
  hintIfEmpty,
  pageSizeDefault,
} from "../../../platform/http/lists.ts"
import { success } from "../../../platform/http/envelope.ts"
import { notFound, refuse } from "../../../platform/http/errors.ts"
import { Secrets } from "../../../platform/secrets/secrets.ts"
import { ruleOfMarks } from "../mark-filters.ts"
import { qualificationOf } from "../query/handlers.ts"
import { windowOf } from "../query/rule.ts"
import {
  daysRefused,
  invalidRuleRefused,
  listTooSlow,
  queryTooSlow,
  rulesBusy,
  wrongSegment,
} from "../refusals.ts"
import { journeyOf, periodOf, pixelScopeOf, wireScope } from "../scope-on-the-wire.ts"
import { ruleOfQuery } from "../qualification.ts"
import { visitorOf } from "../visitor.ts"
import { Activities } from "./activities.ts"
import { CompaniesApi } from "./api.ts"
import { Companies, type CompanyNotFound } from "./companies.ts"

/** Default number of companies per page of a query. */ // spec 10.3
const queryPageSize = 50

const periodNames = { from: "/body/from", to: "/body/to", timeframe: "window" }

export const CompaniesHandlers = HttpApiBuilder.group(
  footfall.add(CompaniesApi),
  "companies",
  Effect.fn(function* (handlers) {
    const companies = yield* Companies
    const activities = yield* Activities
    const ruleOf = yield* ruleOfQuery
    const secrets = yield* Secrets

    return handlers.handleAll({
      query: Effect.fnUntraced(
        function* ({ payload }) {
          const {
            cursor,
            from,
            limit = queryPageSize,
            page,
            pixelId,
            suppressed,
            to,
            window,
          } = payload
          if (cursor !== undefined && page !== undefined) {
            return yield* exclusive("/body/page", "cursor")
          }
          const caller = yield* Caller
          const { organizationId } = caller
          const period = yield* periodOf({ timeframe: window, from, to }, undefined, periodNames)
          const by = yield* qualificationOf(payload)
          const ast = yield* ruleOf(organizationId, by, "companies")
          const found = yield* companies.list(
            {
              organizationId,
              timeframe: windowOf(ast, period),
              suppressed: suppressed ?? "exclude",
              pixelId,
              pixelIds: sitesOfCaller(caller),
              rule: ast.rule,
              route: "POST /v1/data/companies/query",
            },
            cursor === undefined ? { page: page ?? 1 } : { cursor },
            limit,
          )
          const { companies: rows, scope: _, ...meta } = found
          return HttpServerResponse.jsonUnsafe(
            yield* success(rows, {
              ...meta,
              limit,
              ...(meta.total === 0 ? hintIfEmpty(rows, "companyQuery") : {}),
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

      list: Effect.fnUntraced(
        function* ({ query }) {
          const { cursor, minSessions, page, q } = query
          if (cursor !== undefined && page !== undefined) {
            return yield* exclusive("/query/page", "cursor")
          }
          const limit = query.limit ?? pageSizeDefault
          const suppressed = query.suppressed ?? "exclude"
          const found = yield* companies.list(
            {
              organizationId: (yield* Caller).organizationId,
              timeframe: yield* periodOf(query, "7d"),
              suppressed,
              q,
              minSessions,
              sort: query.sort,
              rule: ruleOfMarks("companies", query),
              isAnonymous: query.anonymous === "true",
              ...(yield* pixelScopeOf(query)),
            },
            cursor === undefined ? { page: page ?? 1 } : { cursor },
            limit,
          )
          const { companies: rows, scope, ...meta } = found
          // Like the list of visitors, this is not encoded by its schema.
          return HttpServerResponse.jsonUnsafe(
            yield* success(withFields(rows, query.fields), {
              ...meta,
              limit,
              suppressed,
              scope: wireScope(scope),
              ...(meta.total === 0
                ? hintIfEmpty(rows, isMarked(query) ? "markedCompanies" : "companies")
                : {}),
            }),
          )
        },
        Effect.catchTags({
          PixelNotFound: () => notFound,
          CursorRefused: cursorRefused,
          QueryTooSlow: listTooSlow,
          RulesBusy: rulesBusy,
        }),
      ),

      get: Effect.fnUntraced(
        function* ({ params, query }) {
          const { organizationId } = yield* Caller
          const filter = {
            organizationId,
            timeframe: yield* periodOf(query, "all"),
            suppressed: "include" as const,
            ...(yield* pixelScopeOf(query)),
          }
          const found = yield* ofDomain(params.domain, (domain) => companies.find(filter, domain))
          return yield* success({
            ...found.company,
            journey: journeyOf(found, secrets),
            people: found.people.map(visitorOf),
          })
        },
        Effect.catchTag("PixelNotFound", () => notFound),
      ),

      activity: Effect.fnUntraced(
        function* ({ params, query }) {
          const caller = yield* Caller
          const { organizationId } = caller
          const period = yield* periodOf(query, "30d")
          const { pixelId } = query
          const pixelIds = sitesOfCaller(caller)
          return yield* success(
            yield* ofDomain(params.domain, (domain) =>
              activities.read({ organizationId, domain, period, pixelId, pixelIds }),
            ),
          )
        },
        Effect.catchTags({
          PixelNotFound: () => notFound,
          DaysRefused: daysRefused,
          QueryTooSlow: listTooSlow,
          RulesBusy: rulesBusy,
        }),
      ),
    })
  }),
)

const isMarked = ({ ownerId, tag }: { readonly ownerId?: string; readonly tag?: string }) =>
  ownerId !== undefined || tag !== undefined

/** What is found of the company that a name belongs to. */
const ofDomain = <A, E>(
  name: string,
  find: (domain: string) => Effect.Effect<A, E | CompanyNotFound>,
) => {
  const none = refuse({ code: "NOT_FOUND", message: `No company found for ${name}.` })
  const host = normalizeDomain(name, 253)
  const domain = host === undefined ? undefined : registrableDomain(host)
  if (domain === undefined) return none
  return Effect.catchTag(find(domain), "CompanyNotFound", () => none)
}
