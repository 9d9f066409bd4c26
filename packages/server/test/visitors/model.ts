// Traffic from a seed, and the expected responses of the list and the lookup, computed from every event without
// folding, storage or SQL. Restates the rules of spec 2.1, 2.2 and 6.5, and that a session counts in a window as a
// whole if its last event is in it.
import type { CollectedEvent } from "../../src/collect/visits/collected-event.ts"
import { event, identify, nextId } from "../identification/identification-layer.ts"
import { random } from "../identification/simulation.ts"

const gapMs = 30 * 60_000
const clickIdMs = 90 * 86_400_000
const minutesBack = 130 * 1_440
const exposed = ["gclid", "gbraid", "wbraid", "fbclid", "msclkid", "li_fat_id"]

export interface Places {
  readonly organizationId: string
  readonly pixelIds: readonly [string, string]
  /** The latest time, and the time of receipt. Epoch milliseconds. */
  readonly now: number
}

/** Visits of 130 days in order of time: people with several browsers, browsers with several people. */
export const traffic = (seed: number, places: Places): ReadonlyArray<CollectedEvent> => {
  const below = random(seed)
  const pick = <T>(all: ReadonlyArray<T>): T => all[below(all.length)]!
  const visits = Array.from({ length: 260 }, () => ({
    browser: below(70),
    back: below(minutesBack),
  }))
  const ids = Array.from({ length: 70 }, () => nextId())
  const events = visits.flatMap(({ back, browser }) => {
    const pixelId = pick(places.pixelIds)
    // One visit in twenty has more pages than a response contains.
    const steps = below(20) === 0 ? 130 : 1 + below(6)
    return Array.from({ length: steps }, (_, step) => {
      const occurredAt = places.now - back * 60_000 + step * 9_000 + below(8_000) - steps * 9_000
      const path =
        steps > 100 ? `/deep/${below(400)}` : pick(["/", "/pricing", "/demo", "/a", "/b"])
      const where = {
        organizationId: places.organizationId,
        pixelId,
        anonymousId: ids[browser]!,
        occurredAt,
        receivedAt: places.now,
        url: `https://tidewater.example${path}`,
      }
      const said = below(6) === 0 ? { a: { [pick(["plan", "crm"])]: `v${below(1_000)}` } } : {}
      const kind = below(12)
      if (kind === 0) {
        const person = below(5) === 0 ? below(40) : browser % 40
        return identify(0, `p${person}@acme.example`, { ...where, payload: said })
      }
      if (kind === 1)
        return event(0, { ...where, type: "heartbeat", payload: { s: below(31), ...said } })
      return event(0, { ...where, payload: { ...said, ...pagePayload(path, below) } })
    })
  })
  return events.toSorted((a, b) => a.occurredAt - b.occurredAt)
}

const pagePayload = (path: string, below: (bound: number) => number) => ({
  ...(path === "/pricing" ? { q: 1 } : path === "/demo" ? { q: 2 } : {}),
  ...(below(5) === 0 ? { r: `https://www.search${below(4)}.example/` } : {}),
  ...(below(5) === 0
    ? {
        ch: "email" as const,
        u: { source: `s${below(90)}`, medium: "email", content: `c${below(9)}` },
      }
    : {}),
  ...(below(4) === 0 ? { c: { [[...exposed, "dclid"][below(7)]!]: `id${below(10_000)}` } } : {}),
})

interface Visit {
  readonly pixelId: string
  readonly owner: string | null
  readonly events: Array<CollectedEvent>
}

const from = ({ events }: Visit) => events[0]!.occurredAt
const until = ({ events }: Visit) => events.at(-1)!.occurredAt
const pages = ({ events }: Visit) => events.filter(({ type }) => type === "page")
const iso = (at: number) => new Date(at).toISOString()

/** Everyone's visits, in order of their start. */
export const visitsOf = (events: ReadonlyArray<CollectedEvent>): ReadonlyArray<Visit> =>
  [...Map.groupBy(events, ({ anonymousId }) => anonymousId).values()]
    .flatMap((browser) => {
      const told = browser.filter(({ payload }) => payload.e !== undefined)
      const visits: Array<Visit> = []
      for (const one of browser) {
        const { occurredAt, pixelId } = one
        const last = told.findLast((other) => other.occurredAt <= occurredAt) ?? told[0]
        const owner = last?.payload.e ?? null
        const open = visits.findLast(
          (visit) =>
            visit.pixelId === pixelId && visit.owner === owner && occurredAt - until(visit) < gapMs,
        )
        if (open === undefined) visits.push({ pixelId, owner, events: [one] })
        else open.events.push(one)
      }
      return visits
    })
    .toSorted((a, b) => from(a) - from(b))

export interface Question {
  readonly pixelId: string | undefined
  /** Days. Undefined: the whole history. */
  readonly days: number | undefined
  readonly now: number
}

/** The people of a list in its order, with the list's fields. */
export const peopleOf = (all: ReadonlyArray<Visit>, { days, now, pixelId }: Question) =>
  [...Map.groupBy(all, ({ owner }) => owner)]
    .flatMap(([email, everywhere]) => {
      const there = everywhere.filter((visit) => pixelId === undefined || visit.pixelId === pixelId)
      const shown = there.filter((visit) => until(visit) >= oldest(days, now))
      return email === null || shown.length === 0 ? [] : [personOf(email, there, shown, now)]
    })
    .toSorted((a, b) => (a.lastSeenAt < b.lastSeenAt ? 1 : -1))

const oldest = (days: number | undefined, now: number) =>
  days === undefined ? Number.NEGATIVE_INFINITY : now - days * 86_400_000

const personOf = (
  email: string,
  there: ReadonlyArray<Visit>,
  shown: ReadonlyArray<Visit>,
  now: number,
) => {
  const views = shown.flatMap(pages).toSorted((a, b) => b.occurredAt - a.occurredAt)
  const referrer = shown.flatMap(pages).find(({ payload }) => payload.r !== undefined)?.payload.r
  const touch = shown.findLast((visit) => touchOf(visit) !== undefined)
  const { content, medium, source } = (touch && touchOf(touch))?.payload.u ?? {}
  const kind = (bit: number) => views.filter(({ payload }) => payload.q === bit).length
  return {
    email,
    sessions: shown.length,
    pageviews: views.length,
    pricingPageViews: kind(1),
    demoPageViews: kind(2),
    firstSeenAt: iso(from(there[0]!)),
    lastSeenAt: iso(Math.max(...there.map(until))),
    landingPage: shown.flatMap(pages)[0]?.url ?? null,
    visitedPages: [...new Set(views.map(({ url }) => url))].slice(0, 100),
    referrer: referrer ?? null,
    referrerDomain: referrer === undefined ? null : new URL(referrer).hostname.slice("www.".length),
    utmSource: source ?? null,
    utmMedium: medium ?? null,
    utmCampaign: null,
    utmTerm: null,
    utmContent: content ?? null,
    clickIds: lastSaid(
      views.filter(({ occurredAt }) => occurredAt >= now - clickIdMs),
      ({ payload }) => payload.c,
    ),
    customAttribution: lastSaid(
      there.flatMap(({ events }) => events).toSorted((a, b) => b.occurredAt - a.occurredAt),
      ({ payload }) => payload.a,
    ),
  }
}

const touchOf = (visit: Visit) => pages(visit).find(({ payload }) => payload.ch !== undefined)

/** The first value of each key, because the newest events come first. */
const lastSaid = (
  newestFirst: ReadonlyArray<CollectedEvent>,
  told: (event: CollectedEvent) => Readonly<Record<string, string>> | undefined,
): Readonly<Record<string, string>> =>
  Object.fromEntries(newestFirst.toReversed().flatMap((one) => Object.entries(told(one) ?? {})))

/** The visits of a journey, newest first, at most 50. */
export const journeyOf = (
  all: ReadonlyArray<Visit>,
  email: string,
  { days, now, pixelId }: Question,
) => {
  const everywhere = all.filter(({ owner }) => owner === email)
  return everywhere
    .filter((visit) => pixelId === undefined || visit.pixelId === pixelId)
    .filter((visit) => until(visit) >= oldest(days, now))
    .toReversed()
    .slice(0, 50)
    .map((visit) => ({
      startTime: iso(from(visit)),
      endTime: iso(until(visit)),
      durationSeconds: durationOf(visit),
      pageviews: pages(visit).length,
      uniquePages: new Set(pages(visit).map(({ url }) => url)).size,
      entryUrl: pages(visit)[0]?.url ?? null,
      exitUrl: pages(visit).at(-1)?.url ?? null,
      channel: touchOf(visit) === undefined ? "direct" : "email",
      utmSource: touchOf(visit)?.payload.u?.source ?? null,
      clickIdNames: [
        ...new Set(pages(visit).flatMap(({ payload }) => Object.keys(payload.c ?? {}))),
      ].toSorted(),
      pixelId: visit.pixelId,
      isFirstSession: visit === everywhere[0],
      converted: visit.events.some(({ type }) => type === "identify"),
    }))
}

const durationOf = (visit: Visit): number => {
  const beats = visit.events.filter(({ type }) => type === "heartbeat")
  return beats.length === 0
    ? Math.floor((until(visit) - from(visit)) / 1_000)
    : beats.reduce((sum, { payload }) => sum + payload.s!, 0)
}
