// Random visits, suppressions and passing days, through the real pass on a real Postgres, queue the same company
// webhooks as a slow search of all visits (spec 13.3.5): the company of each session that began or continued, once per
// webhook and company in 7 days.
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { BatchEvents } from "../../src/people/identification/identification.ts"
import { arrive, drain, event, identify, nextId } from "../identification/identification-layer.ts"
import { random } from "../identification/simulation.ts"
import { testLayer } from "../people/people-layer.ts"

const networks = [null, "harbor.example", "acme.example", "quay.example"] as const
const industries = ["ports", "ports", "steel"] as const
const people = ["ann@harbor.example", "bo@acme.example", "cy@gmail.com", "dee@tidal.example"]
const domains = ["harbor.example", "acme.example", "quay.example", "tidal.example"]
const day = 86_400

/** What the model has recorded for a webhook. */
interface Sent {
  readonly webhook: number
  readonly domain: string
  readonly pixel: number
  readonly at: number
}

class Customer {
  readonly id = nextId()
  readonly pixels = [nextId(), nextId()]
  /** The pixel of each. Null: all. */
  readonly webhooks = [null, 0, 1, null].map((pixel) => ({ id: nextId(), pixel }))
  readonly browsers = Array.from({ length: 8 }, (_, place) => ({
    id: nextId(),
    network: place < 4 ? null : networks[1 + (place % 3)]!,
    person: undefined as string | undefined,
  }))
  /** The first value of a trait; by default derived from the address. */
  readonly traits = new Map<string, string>()
  readonly suppressed = new Set<string>()
  readonly told: Array<Sent> = []
  now = 0
  eventAt = 0

  readonly prepare = Effect.gen({ self: this }, function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`insert into organization (id, name, slug) values (${this.id}, 'Tidewater', ${this.id})`
    for (const [place, { id, pixel }] of this.webhooks.entries()) {
      yield* sql`
        insert into webhook (organization_id, id, name, url, trigger, pixel_id, status, timeout_ms,
          secret)
        values (${this.id}, ${id}, 'CRM', 'https://a.example', 'company_seen',
          ${pixel === null ? null : this.pixels[pixel]!}, ${place === 3 ? "inactive" : "active"},
          1000, '')`
    }
  })

  companyOf({ network, person }: Customer["browsers"][number]): string | null {
    if (person === undefined) return network
    return this.traits.get(person) ?? (person === "cy@gmail.com" ? null : person.split("@")[1]!)
  }

  /** Sends a batch of visits. Returns its events and what they must queue. */
  visit(below: (count: number) => number) {
    const pick = <T>(all: ReadonlyArray<T>): T => all[below(all.length)]!
    const touched: Array<{ browser: Customer["browsers"][number]; pixel: number }> = []
    const events = Array.from({ length: 1 + below(6) }, () => {
      const browser = pick(this.browsers)
      const pixel = below(2)
      touched.push({ browser, pixel })
      this.eventAt = Math.max(this.eventAt + 1, Date.now() - 1_000)
      const { network } = browser
      const industry = industries[networks.indexOf(network) - 1]
      const where = {
        organizationId: this.id,
        pixelId: this.pixels[pixel]!,
        anonymousId: browser.id,
        occurredAt: this.eventAt,
        receivedAt: this.eventAt,
      }
      const isHidden = network === null || this.suppressed.has(network)
      // The resolver has already removed a suppressed company.
      const co = isHidden ? {} : { co: { domain: network, industry: industry! } }
      // A network that names a person's company counts as enrichment, so no one in this test is identified in a known
      // network.
      if (network !== null || (browser.person === undefined && below(3) > 0)) {
        return event(0, { ...where, payload: co })
      }
      // A browser belongs to one person for good.
      browser.person ??= pick(people)
      const domain = below(4) === 0 ? pick(domains) : undefined
      if (domain !== undefined && !this.traits.has(browser.person)) {
        this.traits.set(browser.person, domain)
      }
      const p = domain === undefined ? {} : { p: { companyDomain: domain } }
      return identify(0, browser.person, { ...where, payload: p })
    })
    for (const [place, webhook] of this.webhooks.slice(0, 3).entries()) {
      const seen = touched.filter(({ pixel }) => webhook.pixel === null || webhook.pixel === pixel)
      const last = new Map(
        seen.flatMap(({ browser, pixel }) => {
          const domain = this.companyOf(browser)
          return domain === null ? [] : [[domain, pixel] as const]
        }),
      )
      for (const [domain, pixel] of last) {
        const isQuiet = this.told.some(
          (one) => one.webhook === place && one.domain === domain && one.at > this.now - 7 * day,
        )
        if (isQuiet || this.suppressed.has(domain)) continue
        this.told.push({ webhook: place, domain, pixel, at: this.now })
      }
    }
    return events
  }

  readonly pass = Effect.fnUntraced({ self: this }, function* (seconds: number) {
    const sql = yield* SqlClient.SqlClient
    const ago = sql`make_interval(secs => ${seconds})`
    const isOurs = sql`organization_id = ${this.id}`
    this.now += seconds
    yield* sql`update webhook_company set told_at = told_at - ${ago} where ${isOurs}`
    yield* sql`
      update session set started_at = started_at - ${ago}, ended_at = ended_at - ${ago}
      where ${isOurs}`
    yield* sql`
      update webhook_delivery set next_attempt_at = next_attempt_at - ${ago} where ${isOurs}`
  })

  /** Earlier sessions have ended, so that none began under another rule. */
  readonly suppress = Effect.fnUntraced(
    { self: this },
    function* (type: "company_domain" | "industry", value: string | undefined) {
      const sql = yield* SqlClient.SqlClient
      yield* this.pass(3_600)
      yield* sql`
      insert into suppression_list (organization_id, cycle_at, changed_at)
      values (${this.id}, now(), now() - interval '1 day')
      on conflict (organization_id) do update set cycle_at = excluded.cycle_at`
      yield* sql`delete from suppression_rule where organization_id = ${this.id}`
      this.suppressed.clear()
      const named = yield* sql<{ readonly domain: string }>`
      select domain from company
      where organization_id = ${this.id} and (industry = ${value ?? ""} or domain = ${value ?? ""})`
      // A rule about an industry that no network has named yet would depend on the order.
      if (value === undefined || (type === "industry" && named.length === 0)) return
      yield* sql`
      insert into suppression_rule
        (organization_id, type, value, match_key, created_at, takes_part_at)
      values (${this.id}, ${type}, ${value}, ${value}, now() - interval '1 hour',
        now() - interval '1 hour')`
      if (type === "company_domain") this.suppressed.add(value)
      else for (const { domain } of named) this.suppressed.add(domain)
    },
  )

  readonly queued = Effect.gen({ self: this }, function* () {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* sql<{ webhook: string; domain: string; pixel: string; ago: number }>`
      select webhook_id as webhook, company_domain as domain, pixel_id as pixel,
        extract(epoch from now() - next_attempt_at)::float8 as ago
      from webhook_delivery
      where organization_id = ${this.id}`
    return rows.map(({ ago, domain, pixel, webhook }) => ({
      webhook: this.webhooks.findIndex(({ id }) => id === webhook),
      domain,
      pixel: this.pixels.indexOf(pixel),
      hour: Math.round((this.now - ago) / 3_600),
    }))
  })

  get expected() {
    return this.told.map(({ at, ...one }) => ({ ...one, hour: Math.round(at / 3_600) }))
  }
}

const sorted = (all: ReadonlyArray<object>) => all.map((one) => JSON.stringify(one)).toSorted()

const oneBatch = Layer.succeed(BatchEvents, { least: 2_000, first: 2_000, most: 2_000 })

layer(Layer.provide(testLayer, oneBatch), { excludeTestServices: true })(
  "company webhooks, by a model",
  (it) => {
    it.effect.each([11, 12, 13])("queue the same as a slow search of all visits, seed %i", (seed) =>
      Effect.gen(function* () {
        const below = random(seed)
        // Two organizations, so that every batch contains both.
        const customers = [new Customer(), new Customer()]
        for (const { prepare } of customers) yield* prepare
        for (let step = 0; step < 60; step++) {
          const kind = below(10)
          if (kind < 6) {
            yield* arrive(...customers.flatMap((customer) => customer.visit(below)))
            yield* drain
          } else {
            for (const customer of customers) {
              if (kind < 9) yield* customer.pass([3_600, day, 6 * day, 7 * day][below(4)]!)
              else {
                const [type, value] = (
                  [
                    ["company_domain", "harbor.example"],
                    ["company_domain", "tidal.example"],
                    ["industry", "steel"],
                    ["industry", undefined],
                  ] as const
                )[below(4)]!
                yield* customer.suppress(type, value)
              }
            }
          }
          for (const customer of customers) {
            assert.deepStrictEqual(
              sorted(yield* customer.queued),
              sorted(customer.expected),
              `step ${step}`,
            )
          }
        }
        assert.isAbove(customers[0]!.told.length, 5)
      }),
    )
  },
)
