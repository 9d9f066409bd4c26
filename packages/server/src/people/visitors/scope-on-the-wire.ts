// Shared by the endpoints of visitors and companies: the scope by pixel or domain, and the journey.
import { Effect } from "effect"
import { Caller, sitesOfCaller } from "../../access/caller.ts"
import { refuse } from "../../platform/http/errors.ts"
import { show } from "../../platform/http/issues.ts"
import { exclusive } from "../../platform/http/lists.ts"
import { normalizeDomain } from "../../collect/pixels/pixel.ts"
import type { PixelScope, PixelScopeRow } from "../../collect/pixels/store.ts"
import type { Secrets } from "../../platform/secrets/secrets.ts"
import type { SessionRow } from "./sessions/session-row.ts"
import type { Days, Timeframe } from "./timeframe.ts"
import { sessionSummaryOf, touchOf } from "./sessions/session-summary.ts"

/**
 * The pixel or domain that a request names, among those its caller may see. Fails with BadRequest for both at once, or an
 * invalid domain.
 */
export const pixelScopeOf = Effect.fnUntraced(function* (query: {
  readonly pixelId?: string
  readonly domain?: string
}): Effect.fn.Return<PixelScope, Effect.Error<ReturnType<typeof exclusive>>, Caller> {
  const { domain, pixelId } = query
  if (pixelId !== undefined && domain !== undefined) {
    return yield* exclusive("/query/domain", "pixelId")
  }
  const host = domain === undefined ? undefined : normalizeDomain(domain)
  if (domain !== undefined && host === undefined) return yield* notADomain(domain)
  return { pixelId, domain: host, pixelIds: sitesOfCaller(yield* Caller) }
})

/**
 * The period that a request names, or the default. Fails with BadRequest for a timeframe beside days, `to` without
 * `from`, or days in the wrong order.
 */ // spec 1.5.3
export const periodOf = Effect.fnUntraced(function* <
  const Default extends Timeframe | undefined,
  Named extends Timeframe = Timeframe,
>(
  asked: {
    readonly timeframe?: Named | undefined
    readonly from?: string | undefined
    readonly to?: string | undefined
  },
  otherwise: Default,
  names = { from: "/query/from", to: "/query/to", timeframe: "timeframe" },
): Effect.fn.Return<Named | Days | Default, Effect.Error<ReturnType<typeof exclusive>>> {
  const { from, timeframe, to } = asked
  if (from === undefined) {
    if (to === undefined) return timeframe ?? otherwise
    return yield* wrongDay(
      names.from,
      "required",
      "Expected the first day of the period, because to is given, received nothing.",
    )
  }
  if (timeframe !== undefined) return yield* exclusive(names.from, names.timeframe)
  if (to === undefined) return { from }
  if (from <= to) return { from, to }
  return yield* wrongDay(
    names.from,
    "max",
    `Expected a day on or before the last one, ${show(to)}, received ${show(from)}.`,
  )
})

const wrongDay = (path: string, code: string, message: string) =>
  refuse({
    code: "VALIDATION_ERROR",
    message: "The days of the period are not valid.",
    details: { issues: [{ path, code, message }] },
  })

const notADomain = (domain: string) =>
  refuse({
    code: "VALIDATION_ERROR",
    message: "The parameter domain is not a host name.",
    details: {
      issues: [
        {
          path: "/query/domain",
          code: "format",
          message: `Expected a host name, received ${show(domain)}.`,
        },
      ],
    },
  })

export const wireScope = ({ activePixels, lastEventAt, pixels }: PixelScopeRow) => ({
  pixels,
  activePixels,
  lastEventAt,
})

/** `sessions`: newest first; `first`: the first within window and scope. */
export const journeyOf = (
  {
    first,
    sessions,
  }: {
    readonly first: SessionRow | undefined
    readonly sessions: ReadonlyArray<SessionRow>
  },
  secrets: Secrets["Service"],
) => ({
  firstTouch: first === undefined ? null : touchOf(first),
  lastTouch: sessions[0] === undefined ? null : touchOf(sessions[0]),
  sessions: sessions.map((row) => sessionSummaryOf(row, secrets)),
})
