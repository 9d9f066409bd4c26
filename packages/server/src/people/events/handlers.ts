// Maps requests and responses to the SessionEvents service; decides nothing except the default.
import { normalizeDomain, registrableDomain } from "@footfall/normal-form"
import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Caller, sitesOfCaller } from "../../access/caller.ts"
import { plainHost } from "../../collect/visits/host.ts"
import { pathOf } from "../../collect/visits/page-url.ts"
import { footfall } from "../../platform/http/contract.ts"
import { success } from "../../platform/http/envelope.ts"
import { notFound } from "../../platform/http/errors.ts"
import { cursorRefused } from "../../platform/http/lists.ts"
import { listTooSlow, rulesBusy } from "../visitors/refusals.ts"
import { CompanySessionsApi, type SessionEvent, VisitorSessionsApi } from "./api.ts"
import { SessionEvents, type TimedEvent } from "./session-events.ts"
import type { SessionOwner } from "./store.ts"

/** Default number of events per page. spec 10.3. */
const eventPageSize = 100

interface Asked {
  readonly params: { readonly sessionId: string }
  readonly query: { readonly limit?: number; readonly cursor?: string }
}

const answer = Effect.map(SessionEvents, ({ page }) =>
  Effect.fnUntraced(
    function* (owner: SessionOwner, { params: { sessionId }, query }: Asked) {
      const caller = yield* Caller
      const { organizationId } = caller
      const pixelIds = sitesOfCaller(caller)
      const { cursor, limit = eventPageSize } = query
      const found = yield* page({ organizationId, owner, pixelIds, sessionId, limit, cursor })
      const { events, hasMore, nextCursor } = found
      return yield* success(events.map(wireEvent), { limit, hasMore, nextCursor })
    },
    Effect.catchTags({
      SessionNotFound: () => notFound,
      CursorRefused: cursorRefused,
      QueryTooSlow: listTooSlow,
      RulesBusy: rulesBusy,
    }),
  ),
)

const VisitorSessionsHandlers = HttpApiBuilder.group(
  footfall.add(VisitorSessionsApi),
  "visitorSessions",
  Effect.fn(function* (handlers) {
    const pageOf = yield* answer
    return handlers.handleAll({
      events: (asked) => pageOf({ emailHash: asked.params.visitorId }, asked),
    })
  }),
)

const CompanySessionsHandlers = HttpApiBuilder.group(
  footfall.add(CompanySessionsApi),
  "companySessions",
  Effect.fn(function* (handlers) {
    const pageOf = yield* answer
    return handlers.handleAll({
      events: Effect.fnUntraced(function* (asked) {
        const host = normalizeDomain(asked.params.domain, 253)
        const companyDomain = host === undefined ? undefined : registrableDomain(host)
        return companyDomain === undefined
          ? yield* notFound
          : yield* pageOf({ companyDomain }, asked)
      }),
    })
  }),
)

export const SessionEventHandlers = Layer.merge(VisitorSessionsHandlers, CompanySessionsHandlers)

const wireEvent = ({
  at,
  id,
  keyPage,
  payload,
  secondsVisible,
  type,
  url,
}: TimedEvent): SessionEvent => ({
  id,
  type: type === "page" ? "page" : "custom",
  at,
  path: url === null ? null : pathOf(url),
  keyPage,
  title: payload.t ?? null,
  name: payload.n ?? null,
  props: type === "page" ? null : (payload.o ?? {}),
  secondsVisible,
  referrerDomain: payload.r === undefined ? null : plainHost(URL.parse(payload.r)?.hostname ?? ""),
  utmSource: payload.u?.source ?? null,
  utmMedium: payload.u?.medium ?? null,
  utmCampaign: payload.u?.campaign ?? null,
  utmTerm: payload.u?.term ?? null,
  utmContent: payload.u?.content ?? null,
})
