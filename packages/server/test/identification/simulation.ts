// Traffic from a seed, and the expected result computed the slow way, from all events and identifications, without
// folding or batching. Shares no code with the server, only the rules.
import type { CollectedEvent } from "../../src/collect/visits/collected-event.ts"
import { event, identify, nextId, organizationId } from "./identification-layer.ts"

/** A small generator of whole numbers below a limit. The same seed gives the same numbers. */
export const random = (seed: number) => {
  let state = seed
  return (bound: number): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % bound
  }
}

export interface TrafficSize {
  readonly seed: number
  readonly events: number
  readonly browsers: number
  readonly days: number
}

const organizations = [organizationId, "99999999-9999-4999-8999-999999999999"]
const pixels = ["11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222"]
const paths = ["/", "/pricing", "/book-demo", "/blog/a", "/blog/b", "/product", "/docs"]

/** Events in order of arrival: some late, some without an id, people who share browsers. */
export const traffic = ({
  seed,
  events,
  browsers,
  days,
}: TrafficSize): ReadonlyArray<CollectedEvent> => {
  const below = random(seed)
  const pick = <T>(all: ReadonlyArray<T>): T => all[below(all.length)]!
  const ids = Array.from({ length: browsers }, () => nextId())
  return Array.from({ length: events }, (_, index) => {
    const minutes = (index / events) * days * 1_440 - (below(10) === 0 ? below(1_200) : below(20))
    const browser = below(browsers)
    const path = pick(paths)
    const where = {
      organizationId: organizations[browser % 2]!,
      pixelId: pick(pixels),
      anonymousId: below(50) === 0 ? null : ids[browser]!,
      url: `https://${pick(["www.", ""])}tidewater.example${path}`,
    }
    const attribution = below(5) === 0 ? { a: { plan: pick(["a", "b"]), crm: `${below(9)}` } } : {}
    const kind = below(20)
    if (kind === 0 && where.anonymousId !== null) {
      // Most browsers have one person. Some are shared.
      const person = below(4) === 0 ? below(browsers) : browser
      return identify(minutes, `p${person % 300}@harbor.example`, {
        ...where,
        payload: attribution,
      })
    }
    if (kind < 4) return event(minutes, { ...where, type: "heartbeat", payload: { s: below(31) } })
    const q = path === "/pricing" ? 1 : path === "/book-demo" ? 2 : 0
    return event(minutes, {
      ...where,
      payload: {
        ...attribution,
        ...(q === 0 ? {} : { q }),
        ...(below(6) === 0 ? { ch: "email", u: { source: `s${below(5)}` } } : {}),
      },
    })
  })
}

interface Visit {
  readonly key: string
  readonly events: Array<CollectedEvent>
}

interface Identified {
  readonly at: number
  readonly email: string
}

const gap = 30 * 60_000
const times = (visit: Visit) => visit.events.map(({ occurredAt }) => occurredAt)
const from = (visit: Visit) => Math.min(...times(visit))
const until = (visit: Visit) => Math.max(...times(visit))

const ownerAt = (identifications: ReadonlyArray<Identified>, at: number): string | null =>
  (identifications.findLast((one) => one.at <= at) ?? identifications[0])?.email ?? null

const identifiedIn = (visit: Visit): string | undefined =>
  visit.events.find(({ payload }) => payload.e !== undefined)?.payload.e

/** The person identified in the session, otherwise the browser's owner when it began. */
const ownerOf = (identifications: ReadonlyArray<Identified>, visit: Visit): string | null =>
  identifiedIn(visit) ?? ownerAt(identifications, from(visit))

/** The sessions and visitors that the events must result in. */
export const recompute = (events: ReadonlyArray<CollectedEvent>) => {
  const browsers = new Map<string, { identifications: Array<Identified>; visits: Array<Visit> }>()
  for (const one of events) {
    if (one.anonymousId === null) continue
    const key = `${one.organizationId} ${one.anonymousId}`
    const browser = browsers.get(key) ?? { identifications: [], visits: [] }
    browsers.set(key, browser)
    const { identifications, visits } = browser
    if (one.payload.e !== undefined) {
      identifications.push({ at: one.occurredAt, email: one.payload.e })
      identifications.sort((a, b) => a.at - b.at)
    }
    const distance = (visit: Visit) =>
      Math.max(0, from(visit) - one.occurredAt, one.occurredAt - until(visit))
    const [nearest] = visits
      .filter((visit) => visit.key === one.pixelId && distance(visit) < gap)
      .filter(
        (visit) =>
          ownerOf(identifications, visit) ===
          (one.payload.e ?? ownerAt(identifications, one.occurredAt)),
      )
      .toSorted((a, b) => distance(a) - distance(b) || from(b) - from(a))
    if (nearest === undefined) visits.push({ key: one.pixelId, events: [one] })
    else nearest.events.push(one)
  }
  const sessions = [...browsers.values()].flatMap(({ identifications, visits }) =>
    visits.map((visit) => summarize(visit, ownerOf(identifications, visit))),
  )
  return { sessions, visitors: people(browsers) }
}

const summarize = (visit: Visit, email: string | null) => {
  const [first] = visit.events
  const pages = visit.events.filter(({ type }) => type === "page")
  const inOrder = pages.toSorted((a, b) => a.occurredAt - b.occurredAt)
  const beats = visit.events.filter(({ type }) => type === "heartbeat")
  const viewed = inOrder.toReversed().map(({ url }) => url)
  return {
    email,
    pixelId: visit.key,
    anonymousId: first?.anonymousId ?? "",
    from: from(visit),
    until: until(visit),
    pageviews: pages.length,
    uniquePages: new Set(pages.map(({ url }) => new URL(url).pathname)).size,
    pricing: pages.filter(({ payload }) => payload.q === 1).length,
    demo: pages.filter(({ payload }) => payload.q === 2).length,
    active: beats.length === 0 ? null : beats.reduce((sum, { payload }) => sum + payload.s!, 0),
    pages: [...new Set(viewed)],
    entry: inOrder[0]?.url ?? null,
    exit: inOrder.at(-1)?.url ?? null,
    channel: inOrder.find(({ payload }) => payload.ch !== undefined)?.payload.ch ?? "direct",
    converted: visit.events.some(({ type }) => type === "identify"),
  }
}

/** First and last time, and the last value of each attribution key, by organization and person. */
const people = (
  browsers: ReadonlyMap<
    string,
    { identifications: ReadonlyArray<Identified>; visits: ReadonlyArray<Visit> }
  >,
) => {
  const all = Map.groupBy(
    [...browsers].flatMap(([key, { identifications, visits }]) =>
      visits.flatMap((visit) => {
        const email = ownerOf(identifications, visit)
        return email === null ? [] : [{ person: `${key.split(" ")[0]} ${email}`, visit }]
      }),
    ),
    ({ person }) => person,
  )
  return new Map(
    [...all].map(([person, visits]) => {
      const events = visits.flatMap(({ visit }) => visit.events)
      const moments = events.map(({ occurredAt }) => occurredAt)
      const byKey = Map.groupBy(
        events.flatMap(({ pixelId, occurredAt, payload }) =>
          Object.entries(payload.a ?? {}).map(([key, value]) => ({
            pixelId,
            key,
            value,
            occurredAt,
          })),
        ),
        ({ pixelId, key }) => `${pixelId} ${key}`,
      )
      const lastValues = [...byKey].map(([key, values]) => {
        const [last] = values.toSorted(
          (a, b) => b.occurredAt - a.occurredAt || (a.value < b.value ? 1 : -1),
        )
        return `${key} ${last!.value} ${last!.occurredAt}`
      })
      return [
        person,
        {
          first: Math.min(...moments),
          last: Math.max(...moments),
          attribution: lastValues.toSorted(),
        },
      ] as const
    }),
  )
}
