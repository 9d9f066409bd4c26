// Breakdowns and activities of random visits (spec 13.3.10, 13.3.11): for every dimension, scope and filter they equal a
// count of all sessions.
import { assert, layer } from "@effect/vitest"
import { decodedPath } from "@footfall/pixel/path-filter"
import { DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { SuppressedFilter } from "../../src/people/visitors/list-scope.ts"
import { ActivityStore } from "../../src/people/visitors/companies/activity-store.ts"
import {
  type BreakdownRow,
  BreakdownStore,
} from "../../src/people/visitors/overview/breakdown-store.ts"
import type { Dimension } from "../../src/people/visitors/overview/breakdown.ts"
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
import { sendPeople, testLayer } from "../people/people-layer.ts"

const storesLayer = Layer.provideMerge(
  Layer.mergeAll(ActivityStore.layer, BreakdownStore.layer),
  testLayer,
)

const day = 24 * 60
const pixels = ["11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222"]
const domains = ["harbor.example", "acme.example", "tidal.example"]
const people = ["ann@harbor.example", "bob@acme.example", "cy@gmail.com", "dee@quay.example"]
const urls = [
  "https://tidewater.example/",
  "https://tidewater.example/pricing",
  "https://shop.tidewater.example/Pricing",
  "https://tidewater.example/docs/%C3%BCber",
  "https://tidewater.example/docs/100%25",
]

interface Seen {
  readonly id: string
  readonly pixelId: string
  readonly startedAt: Date
  readonly visitorId: string | null
  readonly emailHash: string | null
  readonly domain: string | null
  readonly pageviews: number
  readonly pricing: number
  readonly urls: ReadonlyArray<string>
  readonly views: ReadonlyArray<number>
  readonly entry: string | null
  readonly channel: string
  readonly source: string | null
  readonly referrer: string | null
  readonly campaign: string | null
  readonly country: string | null
  readonly device: string
  readonly isSuppressed: boolean
  readonly isCompanySuppressed: boolean
  readonly heldBack: boolean
}

const seen = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql<Seen>`
    select s.id, s.pixel_id as "pixelId", s.started_at as "startedAt", s.visitor_id as "visitorId",
      v.email_hash as "emailHash", s.pageviews, s.pricing_page_views as pricing,
      s.page_urls as urls, s.page_views as views, s.entry_url as entry, s.channel,
      s.utm_source as source, s.referrer_domain as referrer, s.utm_campaign as campaign, s.country,
      s.device_type as device, coalesce(v.held_back, false) as "heldBack",
      case when s.visitor_id is null then s.network_suppressed or coalesce(c.suppressed, false)
        else v.suppressed end as "isSuppressed",
      coalesce(c.suppressed, false) as "isCompanySuppressed", c.domain
    from session s
    left join visitor v on v.organization_id = s.organization_id and v.id = s.visitor_id
    left join company c on c.organization_id = s.organization_id
      and c.domain = case when s.visitor_id is null then s.network_domain else v.company_key end`,
)

const pathOf = (url: string) => decodedPath(new URL(url).pathname).toLowerCase()

/** The values of a session, with the page views of each. */
const said: Readonly<Record<Dimension, (one: Seen) => ReadonlyArray<[string | null, number]>>> = {
  page: ({ urls: all, views }) => {
    const paths = Map.groupBy(all.keys(), (place) => pathOf(all[place]!))
    return [...paths].map(([path, places]) => [
      path,
      places.reduce((total, place) => total + views[place]!, 0),
    ])
  },
  entry_page: (one) => [[one.entry === null ? null : pathOf(one.entry), one.pageviews]],
  channel: (one) => [[one.channel, one.pageviews]],
  source: (one) => [[one.source?.toLowerCase() ?? one.referrer, one.pageviews]],
  campaign: (one) => [[one.campaign, one.pageviews]],
  country: (one) => [[one.country, one.pageviews]],
  device: (one) => [[one.device, one.pageviews]],
}

const distinct = (values: ReadonlyArray<string | null>) =>
  new Set(values.filter((value) => value !== null)).size

const figuresOf = (
  all: ReadonlyArray<{ readonly one: Seen; readonly views: number }>,
  filter: SuppressedFilter,
) => ({
  sessions: all.length,
  anonymousSessions: all.filter(({ one }) => one.visitorId === null).length,
  pageviews: all.reduce((total, { views }) => total + views, 0),
  people: distinct(all.map(({ one }) => (one.heldBack ? null : one.visitorId))),
  companies: distinct(
    all.map(({ one }) => (filter === "exclude" && one.isCompanySuppressed ? null : one.domain)),
  ),
})

const inOrder = (rows: ReadonlyArray<BreakdownRow>) =>
  rows.toSorted((a, b) => {
    if (a.sessions !== b.sessions) return b.sessions - a.sessions
    if (a.pageviews !== b.pageviews) return b.pageviews - a.pageviews
    return a.value === null
      ? 1
      : b.value === null
        ? -1
        : Buffer.compare(Buffer.from(a.value), Buffer.from(b.value))
  })

/** The slow way. */
const counted = (all: ReadonlyArray<Seen>, by: Dimension, filter: SuppressedFilter) => {
  const chosen = all.filter(
    ({ isSuppressed }) => filter === "include" || isSuppressed === (filter === "only"),
  )
  const values = chosen.flatMap((one) =>
    said[by](one).map(([value, views]) => ({ value, one, views })),
  )
  const rows = [...Map.groupBy(values, ({ value }) => value)].map(([value, parts]) => ({
    value,
    ...figuresOf(parts, filter),
  }))
  const totals = figuresOf(
    chosen.map((one) => ({ one, views: one.pageviews })),
    filter,
  )
  return { totals, rows: inOrder(rows) }
}

layer(storesLayer, { excludeTestServices: true })("breakdowns and activities", (it) => {
  it.effect.each([21, 22])("equal a count of every session, seed %i", (seed) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const breakdowns = yield* BreakdownStore
      const activities = yield* ActivityStore
      const timeZone = "America/New_York"
      yield* sql`
        insert into organization (id, name, slug, time_zone)
        values (${organizationId}, 'Tidewater', 'tidewater', ${timeZone})
        on conflict (id) do nothing`
      const below = random(seed)
      const pick = <T>(all: ReadonlyArray<T>): T => all[below(all.length)]!
      const browsers = Array.from({ length: 10 }, () => nextId())
      const first = Math.round((Date.now() - start) / minute) - 8 * day

      const check = Effect.gen(function* () {
        const all = yield* seen
        const [from, until] = [first + 2 * day, first + 7 * day].map((at) =>
          DateTime.makeUnsafe(start + at * minute),
        )
        const span = { from: from!, until: until! }
        const inSpan = all.filter(
          ({ startedAt }) =>
            startedAt.getTime() >= span.from.epochMilliseconds &&
            startedAt.getTime() < span.until.epochMilliseconds,
        )
        for (const pixelId of [undefined, pixels[0]]) {
          const inScope = inSpan.filter((one) => pixelId === undefined || one.pixelId === pixelId)
          const scope = { organizationId, pixelId, ...span }
          for (const suppressed of ["exclude", "include", "only"] as const) {
            for (const by of Object.keys(said) as ReadonlyArray<Dimension>) {
              const due = counted(inScope, by, suppressed)
              const question = { ...scope, by, suppressed }
              const name = `${pixelId} by ${by}, ${suppressed}`
              assert.deepStrictEqual(yield* breakdowns.top(question, 100), due, name)
              const two = yield* breakdowns.top(question, 2)
              assert.deepStrictEqual(two, { ...due, rows: due.rows.slice(0, 2) }, name)
              const named = due.rows.filter((_, place) => place % 2 === 0)
              const values = named.map(({ value }) => value)
              const found = yield* breakdowns.named(question, [...values, "elsewhere"])
              assert.deepStrictEqual(found, { ...due, rows: named }, name)
            }
          }
          for (const domain of domains) {
            const due = inScope.filter((one) => one.domain === domain && shown(one))
            const rows = yield* activities.days({ ...scope, domain, timeZone })
            const pages = yield* activities.pages({ ...scope, domain, timeZone })
            assert.deepStrictEqual(
              new Set(pages.map((page) => `${keyOf(page)} ${page.pixelId} ${page.url}`)),
              pagesByKey(due, timeZone),
            )
            assert.deepStrictEqual(
              new Map(rows.map((row) => [keyOf(row), row.pageviews] as const).toSorted()),
              viewsByKey(due, timeZone),
              `${pixelId} ${domain}`,
            )
          }
        }
      })

      for (let at = first; at < first + 8 * day; at += day) {
        const visits = Array.from({ length: 14 }, () => {
          const when = at + below(day)
          const where = { pixelId: pick(pixels), anonymousId: pick(browsers) }
          const payload = {
            ...(below(2) === 0 ? { co: { domain: pick(domains) } } : {}),
            ...(below(3) === 0 ? {} : { g: pick(["DE", "US"]) }),
            d: pick(["desktop", "mobile"] as const),
          }
          if (below(5) === 0) return identify(when, pick(people), { ...where, payload })
          return event(when, {
            ...where,
            url: pick(urls),
            payload: {
              ...payload,
              q: below(2),
              ...pick([
                {},
                { r: "https://news.example/story", ch: "referral" as const },
                { u: { source: pick(["News", "news"]), campaign: "Spring" }, ch: "email" as const },
              ]),
            },
          })
        })
        yield* arrive(...visits)
        yield* drain
      }
      yield* check
      yield* sql`update visitor set suppressed = true where email = ${people[0]!}`
      yield* sendPeople([{ email: people[2]!, company: { domain: "tidal.example" } }])
      yield* check
      yield* sql`update company set suppressed = true where domain = ${domains[1]!}`
      yield* sql`update visitor set held_back = true where email = ${people[1]!}`
      yield* check
    }),
  )
})

const shown = ({ isSuppressed, visitorId }: Seen) => visitorId === null || !isSuppressed

interface Key {
  readonly date: string
  readonly emailHash: string | null
  readonly country: string | null
}

const keyOf = ({ country, date, emailHash }: Key) => `${date} ${emailHash} ${country}`

/** Of the person or the country of the session, on its day. */
const keyOfSession = (timeZone: string) => {
  const { format } = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short" })
  return ({ country, emailHash, heldBack, startedAt }: Seen) => {
    const known = heldBack ? null : emailHash
    return keyOf({
      date: format(startedAt),
      emailHash: known,
      country: known === null ? country : null,
    })
  }
}

const pagesByKey = (all: ReadonlyArray<Seen>, timeZone: string) => {
  const keyIn = keyOfSession(timeZone)
  return new Set(all.flatMap((one) => one.urls.map((url) => `${keyIn(one)} ${one.pixelId} ${url}`)))
}

const viewsByKey = (all: ReadonlyArray<Seen>, timeZone: string) => {
  const keyIn = keyOfSession(timeZone)
  const views = new Map<string, number>()
  for (const one of all) views.set(keyIn(one), (views.get(keyIn(one)) ?? 0) + one.pageviews)
  return new Map([...views].toSorted())
}
