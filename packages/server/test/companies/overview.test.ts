// The totals of the overview for random visits over three weeks (spec 13.3.3): for every window, scope and time zone
// they equal a count of all sessions, even after a change of the zone, late events, identification of earlier visits, suppression of people,
// companies and networks, imports that name companies, retention and erasure.
import { assert, layer } from "@effect/vitest"
import { DateTime, Deferred, Effect, Fiber, Layer, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { addDays, startOfDay } from "../../src/access/time-zone.ts"
import { ErasureStore } from "../../src/people/erasure/store.ts"
import type { SuppressedFilter } from "../../src/people/visitors/list-scope.ts"
import { figuresOf, noFigures } from "../../src/people/visitors/overview/figures.ts"
import { clockHours } from "../../src/people/visitors/overview/windows.ts"
import { OverviewStore } from "../../src/people/visitors/overview/store.ts"
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
  readonly startedAt: Date
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
    select s.pixel_id as "pixelId", s.started_at as "startedAt",
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

/** The slow way: scans everything in scope. `placeOf`: negative before the window, 0 in it, positive after it. */
const counted = (
  all: ReadonlyArray<SessionSeen>,
  placeOf: (startedAt: Date) => number,
  filter: SuppressedFilter,
  since = placeOf,
) => {
  const inWindow = all.filter((one) => placeOf(one.startedAt) === 0)
  const selects = (isSuppressed: boolean) =>
    filter === "include" || isSuppressed === (filter === "only")
  const present = inWindow.filter(({ isSuppressed }) => selects(isSuppressed))
  const known = inWindow.filter(({ heldBack, visitorId }) => visitorId !== null && !heldBack)
  const distinct = (values: ReadonlyArray<string | null>) =>
    new Set(values.filter((value) => value !== null)).size
  const sum = (values: ReadonlyArray<number>) => values.reduce((total, value) => total + value, 0)
  const before = new Set(
    all.filter((one) => since(one.startedAt) < 0).map(({ visitorId }) => visitorId),
  )
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

const dateOf = (minutes: number, timeZone = "UTC") =>
  dayIn(timeZone)(new Date(start + minutes * minute))

/** The date on a calendar of the zone. */
const dayIn = (timeZone: string) => {
  const { format } = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short" })
  return (moment: Date) => format(moment)
}

const daysFrom = (from: string, until: string, timeZone: string) => {
  const dayOf = dayIn(timeZone)
  return (moment: Date) => (dayOf(moment) < from ? -1 : dayOf(moment) > until ? 1 : 0)
}

const momentsFrom = (from: DateTime.Utc, until: DateTime.Utc) => (moment: Date) =>
  moment.getTime() < from.epochMilliseconds
    ? -1
    : moment.getTime() >= until.epochMilliseconds
      ? 1
      : 0

const byHour = (a: { readonly hour: number | null }, b: { readonly hour: number | null }) =>
  (a.hour ?? -1) - (b.hour ?? -1)

const inZone = (timeZone: string) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`
      insert into organization (id, name, slug, time_zone)
      values (${organizationId}, 'Tidewater', 'tidewater', ${timeZone})
      on conflict (id) do update set time_zone = ${timeZone}`,
  )

/** Runs the statement in a transaction that stays open until it is released. */
const open = Effect.fnUntraced(function* (
  statement: Effect.Effect<unknown, unknown, SqlClient.SqlClient>,
) {
  const sql = yield* SqlClient.SqlClient
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

/** Until a statement waits for a lock. */
const someoneWaits = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql<{ readonly n: number }>`
    select count(*)::int as n from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`,
).pipe(Effect.repeat({ until: ([row]) => row!.n > 0, schedule: Schedule.spaced("20 millis") }))

const session = (startedAt: string | Date) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`
      insert into session (organization_id, id, pixel_id, anonymous_id, started_at, ended_at,
        pageviews, unique_pages, pricing_page_views, demo_page_views, page_urls, page_times,
        channel, device_type, converted)
      values (${organizationId}, gen_random_uuid(), ${pixels[0]!}, gen_random_uuid(),
        ${startedAt}::timestamptz, ${startedAt}::timestamptz, 1, 1, 0, 0, '{}', '{}', 'direct',
        'desktop', false)`,
  )

const sessionsByDay = (timeZone: string) =>
  Effect.map(
    Effect.flatMap(OverviewStore, ({ days }) =>
      days(organizationId, {
        pixelId: undefined,
        timeZone,
        from: "1970-01-01",
        until: "9999-12-31",
      }),
    ),
    (rows) => rows.map(({ date, sessions }) => [date, sessions]),
  )

const refresh = Effect.gen(function* () {
  const store = yield* OverviewStore
  // A day may mark later days.
  for (let stale = yield* store.stale; stale.length > 0; stale = yield* store.stale) {
    for (const one of stale) yield* store.computeDay(one.organizationId, one.day)
  }
})

layer(overviewLayer, { excludeTestServices: true })("the overview", (it) => {
  it.effect.each([
    [11, "UTC", "America/New_York"],
    [12, "Asia/Kolkata", "Pacific/Kiritimati"],
    [13, "Pacific/Niue", "Pacific/Chatham"],
  ] as const)(
    "equals a count of every session, seed %i in %s, later %s",
    ([seed, zone, laterZone]) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        let timeZone: string = zone
        yield* inZone(timeZone)
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
                  dateOf(today - (last + length - 1 - index) * day, timeZone),
                )
                const [from, until] = [dates[0]!, dates.at(-1)!]
                const rows = yield* store.days(organizationId, { pixelId, timeZone, from, until })
                const byDate = new Map(rows.map((row) => [row.date, row]))
                for (const filter of filters) {
                  assert.deepStrictEqual(
                    figuresOf(
                      dates.map((date) => byDate.get(date)),
                      filter,
                    ),
                    counted(inScope, daysFrom(from, until, timeZone), filter),
                    `${pixelId} ${from} to ${until}, ${filter}`,
                  )
                }
              }
            }
            // The last day by hours, of the days with most visits.
            const until = DateTime.makeUnsafe(start + (today - 2 * day + 17) * minute)
            const from = DateTime.subtract(until, { hours: 24 })
            const starts = clockHours(from, until, timeZone)
            for (const suppressed of filters) {
              const hours = yield* store.hours({
                ...{ organizationId, pixelId, from, until, suppressed },
                starts: starts.slice(1),
              })
              const since = momentsFrom(from, until)
              const expected = [null, ...starts.keys()].flatMap((hour) => {
                const place = (moment: Date) =>
                  since(moment) !== 0 || hour === null
                    ? since(moment)
                    : momentsFrom(starts[hour]!, starts[hour + 1] ?? until)(moment)
                const seen = new Set(inScope.filter(({ startedAt }) => place(startedAt) === 0))
                return hour !== null && seen.size === 0
                  ? []
                  : [{ hour, ...counted(inScope, place, suppressed) }]
              })
              assert.deepStrictEqual(
                hours.map((row) => ({ ...noFigures, ...row })).toSorted(byHour),
                expected.map((row) => ({ ...noFigures, ...row })).toSorted(byHour),
                `${pixelId} by hours, ${suppressed}`,
              )
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
        timeZone = laterZone
        yield* inZone(timeZone)
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
      yield* inZone("UTC")
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
          timeZone: "UTC",
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

  it.effect.each([
    "America/New_York",
    "America/Havana",
    "Atlantic/Azores",
    "Australia/Lord_Howe",
    "Africa/Cairo",
    "Asia/Beirut",
    "Pacific/Chatham",
  ])("counts sessions on the date that clocks of %s show, also when they change", (zone) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`delete from session`
      yield* inZone(zone)
      const today = DateTime.formatIsoDateUtc(yield* DateTime.now)
      const uneven = Array.from({ length: 370 }, (_, back) => addDays(today, back - 380)).filter(
        (date) =>
          startOfDay(addDays(date, 1), zone).epochMilliseconds -
            startOfDay(date, zone).epochMilliseconds !==
          24 * 60 * minute,
      )
      const starts = uneven.flatMap((date) =>
        Array.from({ length: 4 * 24 * 3 }, (_, quarter) => {
          const first = startOfDay(date, zone).epochMilliseconds - 24 * 60 * minute
          return new Date(first + quarter * 15 * minute + minute)
        }),
      )
      yield* Effect.forEach(starts, session)
      yield* refresh

      const byDay = Map.groupBy(starts, dayIn(zone))
      assert.isAtLeast(uneven.length, 2)
      assert.deepStrictEqual(
        yield* sessionsByDay(zone),
        [...byDay].map(([date, of]) => [date, of.length]).toSorted(),
      )
      yield* sql`delete from session`
    }),
  )

  it.effect(
    "a change of the zone waits for no day that is computed, and leaves none of the old zone",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`delete from session`
        yield* inZone("UTC")
        const date = dateOf(Math.round((Date.now() - start) / minute) - 5 * day)
        yield* session(`${date}T01:00:00Z`)
        yield* session(`${date}T12:00:00Z`)
        yield* refresh
        assert.deepStrictEqual(yield* sessionsByDay("UTC"), [[date, 2]])

        yield* session(`${date}T13:00:00Z`)
        const letGo = yield* open(sql`update overview_day set sessions = 7`)
        const worker = yield* Effect.forkChild(
          Effect.flatMap(OverviewStore, ({ computeDay }) => computeDay(organizationId, date)),
        )
        yield* someoneWaits
        // It returns while the day is computed.
        yield* inZone("America/New_York")
        assert.deepStrictEqual(yield* sessionsByDay("America/New_York"), [])
        yield* letGo
        yield* Fiber.join(worker)
        yield* refresh

        const expected = [
          [addDays(date, -1), 1],
          [date, 2],
        ]
        assert.deepStrictEqual(yield* sessionsByDay("America/New_York"), expected)
        assert.deepStrictEqual(yield* sessionsByDay("UTC"), [])
        yield* sql`delete from session`
      }),
  )

  it.effect(
    "a session that is written while the zone changes counts on its day in the new zone",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`delete from session`
        yield* inZone("Pacific/Kiritimati")
        const date = dateOf(Math.round((Date.now() - start) / minute) - 5 * day)
        yield* refresh
        const commit = yield* open(session(`${date}T10:30:00Z`))
        yield* inZone("Pacific/Niue")
        yield* refresh
        assert.deepStrictEqual(yield* sessionsByDay("Pacific/Niue"), [])
        yield* commit
        yield* refresh

        // Two dates after it in the old zone, one before it in the new one.
        assert.deepStrictEqual(yield* sessionsByDay("Pacific/Niue"), [[addDays(date, -1), 1]])
        yield* sql`delete from session`
        yield* inZone("UTC")
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
      yield* someoneWaits
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
        from generate_series(735, 1000) as back`
      assert.deepStrictEqual(yield* store.stale, [])
      yield* store.deleteOldMarks
      assert.deepStrictEqual(yield* sql`select from overview_stale`, [])
    }),
  )
})
