// The totals of the overview for random visits over three weeks (spec 13.3.3): for every window and scope they
// equal a count of all sessions, even after late events, identification of earlier visits, suppression of people,
// companies and networks, imports that name companies, retention and erasure.
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { ErasureStore } from "../../src/identification/erasure/store.ts"
import type { SuppressedFilter } from "../../src/visitors/list-scope.ts"
import { figuresOf } from "../../src/visitors/overview/overview.ts"
import { OverviewStore } from "../../src/visitors/overview/store.ts"
import {
  arrive,
  drain,
  event,
  identify,
  minute,
  nextId,
  organizationId,
  start,
} from "../identification/identification-layer.ts"
import { random } from "../identification/simulation.ts"
import { sendPeople, sha256, testLayer } from "../people/people-layer.ts"

const overviewLayer = Layer.provideMerge(
  Layer.mergeAll(ErasureStore.layer, OverviewStore.layer),
  testLayer,
)

const day = 24 * 60
const pixels = ["11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222"]
const domains = ["harbor.example", "acme.example", "tidal.example"]
const people = ["ann@harbor.example", "bob@acme.example", "cy@gmail.com", "dee@quay.example"]

interface SessionSeen {
  readonly pixelId: string
  readonly day: string
  readonly visitorId: string | null
  readonly domain: string | null
  readonly pageviews: number
  readonly pricing: number
  readonly demo: number
  readonly isSuppressed: boolean
  readonly isCompanySuppressed: boolean
  readonly heldBack: boolean
}

const sessionsSeen = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql<SessionSeen>`
    select s.pixel_id as "pixelId", to_char(s.started_at, 'YYYY-MM-DD') as day,
      s.visitor_id as "visitorId", s.pageviews, s.pricing_page_views as pricing,
      s.demo_page_views as demo, coalesce(v.held_back, false) as "heldBack",
      case when s.visitor_id is null then s.network_suppressed or coalesce(c.suppressed, false)
        else v.suppressed end as "isSuppressed",
      coalesce(c.suppressed, false) as "isCompanySuppressed", c.domain
    from session s
    left join visitor v on v.organization_id = s.organization_id and v.id = s.visitor_id
    left join company c on c.organization_id = s.organization_id
      and c.domain = case when s.visitor_id is null then s.network_domain else v.company_key end`,
)

const filters: ReadonlyArray<SuppressedFilter> = ["exclude", "include", "only"]

/** The slow way: scans everything in scope. */
const counted = (
  all: ReadonlyArray<SessionSeen>,
  from: string,
  until: string,
  filter: SuppressedFilter,
) => {
  const inWindow = all.filter((one) => one.day >= from && one.day <= until)
  const selects = (isSuppressed: boolean) =>
    filter === "include" || isSuppressed === (filter === "only")
  const present = inWindow.filter(({ isSuppressed }) => selects(isSuppressed))
  const known = inWindow.filter(({ heldBack, visitorId }) => visitorId !== null && !heldBack)
  const distinct = (values: ReadonlyArray<string | null>) =>
    new Set(values.filter((value) => value !== null)).size
  const sum = (values: ReadonlyArray<number>) => values.reduce((total, value) => total + value, 0)
  const before = new Set(all.filter((one) => one.day < from).map(({ visitorId }) => visitorId))
  const people = known
    .filter(({ isSuppressed }) => selects(isSuppressed))
    .map(({ visitorId }) => visitorId)
  const countedDomains = new Set(
    inWindow
      .filter(({ isCompanySuppressed, isSuppressed }) => !isCompanySuppressed && !isSuppressed)
      .map(({ domain }) => domain),
  )
  return {
    sessions: present.length,
    anonymousSessions: present.filter(({ visitorId }) => visitorId === null).length,
    pageviews: sum(present.map(({ pageviews }) => pageviews)),
    people: distinct(people),
    newPeople: distinct(people.filter((id) => !before.has(id))),
    suppressedPeople: distinct(
      known.filter(({ isSuppressed }) => isSuppressed).map(({ visitorId }) => visitorId),
    ),
    companies: distinct(
      inWindow.map(({ domain }) => domain).filter((domain) => selects(!countedDomains.has(domain))),
    ),
    pricingPageViews: sum(present.map(({ pricing }) => pricing)),
    demoPageViews: sum(present.map(({ demo }) => demo)),
  }
}

const dateOf = (minutes: number) => new Date(start + minutes * minute).toISOString().slice(0, 10)

const refresh = Effect.gen(function* () {
  const store = yield* OverviewStore
  // A day may mark later days.
  for (let stale = yield* store.stale; stale.length > 0; stale = yield* store.stale) {
    for (const one of stale) yield* store.computeDay(one.organizationId, one.day)
  }
})

layer(overviewLayer, { excludeTestServices: true })("the overview", (it) => {
  it.effect.each([11, 12])("equals a count of every session, seed %i", (seed) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const store = yield* OverviewStore
      const erasure = yield* ErasureStore
      const below = random(seed)
      const pick = <T>(all: ReadonlyArray<T>): T => all[below(all.length)]!
      const browsers = Array.from({ length: 10 }, () => nextId())
      const first = Math.round((Date.now() - start) / minute) - 21 * day
      const today = first + 21 * day

      const check = Effect.gen(function* () {
        yield* refresh
        const all = yield* sessionsSeen
        for (const pixelId of [undefined, ...pixels]) {
          const inScope = all.filter((one) => pixelId === undefined || one.pixelId === pixelId)
          for (const length of [1, 7, 14]) {
            for (const last of [0, 3, length]) {
              const dates = Array.from({ length }, (_, index) =>
                dateOf(today - (last + length - 1 - index) * day),
              )
              const [from, until] = [dates[0]!, dates.at(-1)!]
              const rows = yield* store.days(organizationId, { pixelId, from, until })
              const byDate = new Map(rows.map((row) => [row.date, row]))
              for (const filter of filters) {
                assert.deepStrictEqual(
                  figuresOf(
                    dates.map((date) => byDate.get(date)),
                    filter,
                  ),
                  counted(inScope, from, until, filter),
                  `${pixelId} ${from} to ${until}, ${filter}`,
                )
              }
            }
          }
        }
      })

      for (let at = first; at < today; at += day) {
        const visits = Array.from({ length: 12 }, () => {
          // Some arrive late.
          const when = at + below(day) - (below(5) === 0 ? below(3 * day) : 0)
          const where = { pixelId: pick(pixels), anonymousId: pick(browsers) }
          const payload = below(2) === 0 ? { co: { domain: pick(domains) } } : {}
          return below(5) === 0
            ? identify(when, pick(people), { ...where, payload })
            : event(when, { ...where, payload: { ...payload, q: below(4) } })
        })
        yield* arrive(...visits)
        yield* drain
        if (below(4) === 0) yield* check
      }
      yield* check

      yield* sql`update visitor set suppressed = true where email = ${people[0]!}`
      yield* sendPeople([{ email: people[2]!, company: { domain: "tidal.example" } }])
      yield* check
      yield* sql`update company set suppressed = true where domain = ${domains[1]!}`
      yield* check
      yield* sql`update session set network_suppressed = true
        where visitor_id is null and network_domain is null and extract(day from started_at)::int % 2 = 0`
      yield* check
      yield* sql`update company set suppressed = domain = ${domains[2]!}`
      yield* check

      yield* erasure.transaction(
        Effect.gen(function* () {
          const visitorId = (yield* erasure.find(organizationId, sha256(people[1]!)))!
          const addresses = yield* erasure.addresses(organizationId, visitorId)
          yield* erasure.erase({ organizationId, visitorId, addresses })
        }),
      )
      yield* sql`update visitor set suppressed = false`
      yield* sql`update company set suppressed = false`
      yield* check
      yield* sql`delete from session where started_at < now() - interval '18 days'`
      yield* check
      assert.deepStrictEqual(yield* store.stale, [])
      yield* sql`delete from session`
      yield* check
    }),
  )

  it.effect("counts a company once if an earlier visit arrives late or is deleted", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const store = yield* OverviewStore
      const second = Math.round((Date.now() - start) / minute) - 2 * day
      const first = second - day
      const visitOn = (when: number) =>
        Effect.andThen(
          arrive(
            event(when, {
              pixelId: pixels[0]!,
              anonymousId: nextId(),
              payload: { co: { domain: "once.example" } },
            }),
          ),
          drain,
        )
      const companies = Effect.gen(function* () {
        yield* refresh
        const dates = [dateOf(first), dateOf(second)]
        const rows = yield* store.days(organizationId, {
          pixelId: undefined,
          from: dates[0]!,
          until: dates[1]!,
        })
        return figuresOf(
          dates.map((date) => rows.find((row) => row.date === date)),
          "exclude",
        ).companies
      })

      yield* visitOn(second)
      assert.strictEqual(yield* companies, 1)
      yield* visitOn(first)
      assert.strictEqual(yield* companies, 1)
      yield* sql`delete from session
        where to_char(started_at at time zone 'utc', 'YYYY-MM-DD') = ${dateOf(first)}`
      assert.strictEqual(yield* companies, 1)
    }),
  )

  it.effect("keeps the mark of a day that changes while it is computed", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const store = yield* OverviewStore
      const noted = dateOf(Math.round((Date.now() - start) / minute) - 2 * day)
      const note = sql`
        insert into overview_stale (organization_id, day) values (${organizationId}, ${noted}::date)`
      const zeros = "00000000-0000-0000-0000-000000000000"
      /** Runs the statement in a transaction that stays open until it is released. */
      const open = Effect.fnUntraced(function* (statement: Effect.Effect<unknown, unknown>) {
        const [written, end] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        const fiber = yield* Effect.forkChild(
          sql.withTransaction(
            statement.pipe(
              Effect.andThen(Deferred.succeed(written, undefined)),
              Effect.andThen(Deferred.await(end)),
            ),
          ),
        )
        yield* Deferred.await(written)
        return Effect.andThen(Deferred.succeed(end, undefined), Fiber.await(fiber))
      })

      yield* arrive(event(0, { anonymousId: nextId() }))
      yield* drain
      yield* sql`update session set started_at = ${noted}::date + interval '1 hour',
        ended_at = ${noted}::date + interval '2 hours'`
      yield* refresh
      const commitEarlier = yield* open(note)
      yield* note
      // The totals are read but not yet written.
      const letGo = yield* open(sql`
        update overview_day set sessions = 7
        where organization_id = ${organizationId} and pixel_id <> ${zeros}`)
      const worker = yield* Effect.forkChild(store.computeDay(organizationId, noted))
      yield* sql<{ readonly n: number }>`
        select count(*)::int as n from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.pipe(
        Effect.repeat({ until: ([row]) => row!.n > 0, schedule: Schedule.spaced("20 millis") }),
      )
      yield* commitEarlier
      yield* letGo
      yield* Fiber.join(worker)

      assert.deepStrictEqual(yield* store.stale, [{ organizationId, day: noted }])
    }),
  )

  it.effect("marks every waiting day again if the mark of a company changes", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const waiting = dateOf(Math.round((Date.now() - start) / minute) - 2 * day)
      const marks = sql<{ readonly n: number }>`
        select count(*)::int as n from overview_stale where day = ${waiting}::date`
      yield* refresh
      yield* sql`
        insert into company (organization_id, domain, sessions, anonymous_sessions, first_seen_at,
          last_seen_at)
        values (${organizationId}, 'waiting.example', 1, 1, now(), now())`
      yield* sql`
        insert into overview_stale (organization_id, day) values (${organizationId}, ${waiting}::date)`

      yield* sql`update company set name = 'Waiting' where domain = 'waiting.example'`
      const [renamed] = yield* marks
      yield* sql`update company set suppressed = true where domain = 'waiting.example'`
      const [marked] = yield* marks

      assert.deepStrictEqual([renamed!.n, marked!.n], [1, 2])
    }),
  )

  it.effect("computes no day before those that are kept, and deletes its mark", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const store = yield* OverviewStore
      yield* refresh
      yield* sql`
        insert into overview_stale (organization_id, day)
        select ${organizationId}::uuid, (now() at time zone 'utc')::date - back
        from generate_series(182, 1000) as back`
      assert.deepStrictEqual(yield* store.stale, [])
      yield* store.deleteOldMarks
      assert.deepStrictEqual(yield* sql`select from overview_stale`, [])
    }),
  )
})
