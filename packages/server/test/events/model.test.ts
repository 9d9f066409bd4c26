// Random histories of visits, read through the API in pages of random sizes, against a naive evaluator of what spec 5.1.10
// says. FOOTFALL_SOAK=1 for many more.
import type { SessionEvent } from "@footfall/sdk"
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, expect, it } from "vitest"
import { random } from "../identification/simulation.ts"
import { isSoak } from "../soak/size.ts"
import { startServer, type TestServer } from "../support/server.ts"
import { putPerson } from "../visitors/sessions/person.ts"
import { putVisit, type VisitEvent } from "./visit.ts"

const rounds = isSoak ? 400 : 25

let server: TestServer
beforeAll(async () => {
  server = await startServer({ workers: false })
})
afterAll(() => server.close())

type Event = VisitEvent & { readonly id: string }

/** Up to 60 events, several at the same time, with gaps around the length of a heartbeat, in no order. */
const historyOf = (below: (bound: number) => number): ReadonlyArray<Event> => {
  let at = 0
  const events = Array.from({ length: 1 + below(60) }, (): Event => {
    at += [0, 0, 1, 7.25, 29.999, 30, 30.001, 90][below(8)]!
    const type = (["page", "heartbeat", "heartbeat", "track", "identify"] as const)[below(5)]!
    const path = ["/", "/pricing", "/docs/%C3%BCber", "/blog"][below(4)]!
    const said = { page: { t: `Title ${below(9)}` }, heartbeat: { s: below(61) } }
    return {
      id: randomUUID(),
      type,
      at,
      path,
      payload:
        type === "page" || type === "heartbeat"
          ? said[type]
          : type === "track"
            ? { n: `event ${below(3)}`, o: { count: below(100) } }
            : { e: "jane@acme.example" },
    }
  })
  return events.toSorted(() => below(3) - 1)
}

/** Asks each question by itself. */
const naive = (events: ReadonlyArray<Event>) => {
  const inOrder = events.toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1))
  const isBefore = (one: Event, other: Event) => inOrder.indexOf(one) < inOrder.indexOf(other)
  const views = inOrder.filter(({ type }) => type === "page")
  const seconds = (view: Event): number | null => {
    const isTheirs = (beat: Event) =>
      beat.type === "heartbeat" &&
      beat.path === view.path &&
      views.findLast((one) => one.path === beat.path && isBefore(one, beat)) === view
    const beats = inOrder.filter(isTheirs).map(({ payload }) => payload!.s!)
    const next = views.find((one) => isBefore(view, one))
    const gap = next === undefined ? Infinity : Math.round((next.at - view.at) * 1_000)
    const known = [
      ...(beats.length > 0 ? [beats.reduce((sum, one) => sum + one)] : []),
      ...(gap < 30_000 ? [Math.floor(gap / 1_000)] : []),
    ]
    return known.length === 0 ? null : Math.max(...known)
  }
  return inOrder
    .filter(({ type }) => type === "page" || type === "track")
    .map((one) => ({
      id: one.id,
      type: one.type === "page" ? "page" : "custom",
      path: one.path,
      title: one.payload?.t ?? null,
      name: one.payload?.n ?? null,
      props: one.type === "page" ? null : one.payload!.o,
      secondsVisible: one.type === "page" ? seconds(one) : null,
    }))
}

const shown = ({ id, name, path, props, secondsVisible, title, type }: SessionEvent) => ({
  id,
  type,
  path,
  title,
  name,
  props,
  secondsVisible,
})

it(`${rounds} random visits read as a naive evaluator reads them, whatever the pages`, async () => {
  const below = random(20_260_511)
  for (let round = 0; round < rounds; round++) {
    const events = historyOf(below)
    const person = await putPerson(server, server)
    // Around midnight, so that the events are in several partitions.
    const midnight = Math.floor(Date.now() / 86_400_000) * 86_400_000 - 86_400_000
    await putVisit(server, server, {
      visitor: person.id,
      startedAt: midnight - below(1_200) * 1_000,
      events,
      daysLate: below(3) === 0 ? below(30) : 0,
    })
    const { data } = await server.sdk.visitors.sessions(person.visitorId, { timeframe: "all" })
    const read: Array<SessionEvent> = []
    let cursor: string | undefined
    do {
      const page = await server.sdk.visitors.sessions.events(person.visitorId, data[0]!.sessionId, {
        limit: 1 + below(20),
        cursor,
      })
      read.push(...page.data)
      cursor = page.meta.nextCursor ?? undefined
    } while (cursor !== undefined)

    expect(read.map(shown), `round ${round}`).toEqual(naive(events))
  }
})
