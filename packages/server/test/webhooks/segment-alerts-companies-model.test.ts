// Random anonymous and identified visits, moves of people, changes of a list, passing days, suppressions of people and of
// companies, and erasures, through the real workers on a real Postgres, queue the messages about companies that a naive
// evaluator computes (spec 8.7). Two processes look at the same time.
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import fc from "fast-check"
import { CompanyUpkeepStore } from "../../src/people/identification/companies/store.ts"
import { ErasureStore } from "../../src/people/erasure/store.ts"
import { Occasions } from "../../src/people/visitors/occasions.ts"
import { People } from "../../src/people/person/people.ts"
import { arrive, drain, event, identify, nextId } from "../identification/identification-layer.ts"
import { suppressionStatements } from "../identification/suppressed.ts"
import { sha256 } from "../people/people-layer.ts"
import { lookAtAll, workers } from "./segment-looks.ts"

const atOnce = 12
const runs = process.env["FOOTFALL_SOAK"] === "1" ? 40 : 4
const monthMs = 30 * 86_400_000

const domains = ["acme.example", "harbor.example"] as const
type Domain = (typeof domains)[number]
const people = ["ann@acme.example", "bob@acme.example", "cid@harbor.example"] as const
type Person = (typeof people)[number]
const triggers = ["entered_segment", "left_segment"] as const

type Step =
  | { readonly visit: Domain | Person; readonly isPricing: boolean }
  | { readonly move: Person; readonly to: Domain }
  | { readonly list: Domain }
  | { readonly pass: number }
  | { readonly suppress: Domain | Person; readonly isSuppressed: boolean }
  | { readonly erase: Person }
  | { readonly alert: (typeof triggers)[number]; readonly visit: Domain | Person }

const domain = fc.constantFrom(...domains)
const person = fc.constantFrom(...people)
const visitor = fc.oneof(domain, person)
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 7, arbitrary: fc.record({ visit: visitor, isPricing: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ move: person, to: domain }) },
  { weight: 2, arbitrary: fc.record({ list: domain }) },
  { weight: 2, arbitrary: fc.record({ pass: fc.constantFrom(16, 31) }) },
  { weight: 3, arbitrary: fc.record({ suppress: visitor, isSuppressed: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ erase: person }) },
  { weight: 1, arbitrary: fc.record({ alert: fc.constantFrom(...triggers), visit: visitor }) },
)
const sequence = fc.array(fc.record({ step, isLooked: fc.boolean() }), {
  minLength: 8,
  maxLength: 14,
})

interface Row {
  readonly domain: string
  readonly suppressed: boolean
  readonly visits: ReadonlyArray<{
    readonly endedAt: number
    readonly pricing: number
    readonly isSuppressed: boolean
  }>
}

interface ModelAlert {
  readonly id: string
  readonly trigger: (typeof triggers)[number]
  /** The companies that were in the segment when it was made, or when it was looked last. */
  known: Set<string>
}

class Customer {
  readonly id = nextId()
  readonly #pixelId = nextId()
  readonly #segmentId = nextId()
  readonly #listId = nextId()
  readonly #listed = new Set<string>()
  readonly #alerts: Array<ModelAlert> = []
  /** `alert event domain`; the domain is null once erased. */
  #expected: Array<{ readonly alert: string; readonly event: string; domain: string | null }> = []

  readonly prepare = Effect.gen({ self: this }, function* () {
    const sql = yield* SqlClient.SqlClient
    const rule = {
      any: [
        { field: "company.list", op: "in_list", value: this.#listId },
        { field: "behavior.pricing_page_views", op: "gte", value: 1 },
      ],
    }
    yield* sql`insert into organization (id, name, slug) values (${this.id}, 'T', ${this.id})`
    yield* sql`
      insert into pixel (organization_id, id, domain, name)
      values (${this.id}, ${this.#pixelId}, 'a.example', 'A')`
    yield* sql`
      insert into list (organization_id, id, name, subject)
      values (${this.id}, ${this.#listId}, 'L', 'companies')`
    yield* sql`
      insert into segment (organization_id, id, name, subject, rule_ast)
      values (${this.id}, ${this.#segmentId}, 'S', 'companies',
        ${JSON.stringify({ version: 1, window: "30d", rule })}::text::jsonb)`
    for (const trigger of triggers) yield* this.#addAlert(trigger)
  })

  /** The rule in the naive way. */
  #isIn({ domain, suppressed, visits }: Row, now: number): boolean {
    const counted = visits.filter(
      ({ endedAt, isSuppressed }) => endedAt >= now - monthMs && (suppressed || !isSuppressed),
    )
    return (
      counted.length > 0 && (this.#listed.has(domain) || counted.some((one) => one.pricing > 0))
    )
  }

  readonly rows = Effect.gen({ self: this }, function* () {
    const sql = yield* SqlClient.SqlClient
    return yield* sql<Row>`
      select c.domain, c.suppressed, coalesce((
          select jsonb_agg(jsonb_build_object(
            'endedAt', (extract(epoch from s.ended_at) * 1000)::float8,
            'pricing', s.pricing_page_views, 'isSuppressed', coalesce(v.suppressed, false)))
          from session s
          left join visitor v on v.organization_id = s.organization_id and v.id = s.visitor_id
          where s.organization_id = c.organization_id and c.domain =
            case when s.visitor_id is null then s.network_domain else v.company_key end
        ), '[]') as visits
      from company c where c.organization_id = ${this.id} order by c.domain`
  })

  readonly members = Effect.gen({ self: this }, function* () {
    const now = Date.now()
    const rows = yield* this.rows
    return new Set(rows.filter((row) => this.#isIn(row, now)).map((row) => row.domain))
  })

  readonly #addAlert = Effect.fnUntraced(
    { self: this },
    function* (trigger: ModelAlert["trigger"]) {
      const sql = yield* SqlClient.SqlClient
      const id = nextId()
      yield* sql`
        insert into webhook (organization_id, id, name, url, trigger, segment_id, status, timeout_ms,
          secret, watched_from)
        values (${this.id}, ${id}, 'A', 'https://a.example', ${trigger}, ${this.#segmentId}, 'active',
          1000, '', clock_timestamp())`
      this.#alerts.push({ id, trigger, known: yield* this.members })
    },
  )

  /** A visit now, with a new browser: of a person, or an anonymous one of a company. */
  readonly #visit = Effect.fnUntraced(
    { self: this },
    function* (one: Domain | Person, isPricing: boolean) {
      // Events are dated with milliseconds.
      yield* Effect.sleep("3 millis")
      const now = Date.now()
      const where = {
        organizationId: this.id,
        pixelId: this.#pixelId,
        anonymousId: nextId(),
        occurredAt: now,
        receivedAt: now,
      }
      const seen = isPricing ? { q: 1 } : {}
      yield* isPerson(one)
        ? arrive(event(0, { ...where, payload: seen }), identify(0, one, where))
        : arrive(event(0, { ...where, payload: { ...seen, co: { domain: one } } }))
      yield* drain
    },
  )

  /** Returns whether everyone has to be looked at next. */
  readonly do = Effect.fnUntraced({ self: this }, function* (step: Step) {
    const sql = yield* SqlClient.SqlClient
    const isOurs = sql`organization_id = ${this.id}`
    if ("alert" in step) {
      yield* this.#addAlert(step.alert)
      yield* this.#visit(step.visit, true)
    } else if ("visit" in step) yield* this.#visit(step.visit, step.isPricing)
    else if ("move" in step) {
      const known = yield* sql`
        select from visitor_address where ${isOurs} and email_hash = ${sha256(step.move)}`
      if (known.length === 0) return false
      yield* (yield* People).put(this.id, [{ email: step.move, company: { domain: step.to } }])
    } else if ("list" in step) {
      if (this.#listed.delete(step.list)) {
        yield* sql`delete from list_member where list_id = ${this.#listId} and key = ${step.list}`
      } else {
        this.#listed.add(step.list)
        yield* sql`
          insert into list_member (organization_id, list_id, key, value)
          values (${this.id}, ${this.#listId}, ${step.list}, ${step.list})`
      }
    } else if ("pass" in step) {
      const ago = sql`make_interval(days => ${step.pass})`
      const older = sql`first_seen_at = first_seen_at - ${ago}, last_seen_at = last_seen_at - ${ago}`
      yield* sql`
        update session set started_at = started_at - ${ago}, ended_at = ended_at - ${ago}
        where ${isOurs}`
      yield* sql`update visitor set ${older} where ${isOurs}`
      yield* sql`update company_pixel set ${older} where ${isOurs}`
      yield* sql`update company set ${older} where ${isOurs}`
    } else if ("suppress" in step) yield* this.#suppress(step.suppress, step.isSuppressed)
    else yield* this.#erase(step.erase)
    // A company that is gone is forgotten at once.
    const present = new Set((yield* this.rows).map((row) => row.domain))
    for (const alert of this.#alerts) {
      alert.known = new Set([...alert.known].filter((one) => present.has(one)))
    }
    return "alert" in step
  })

  readonly #suppress = Effect.fnUntraced(
    { self: this },
    function* (one: Domain | Person, isSuppressed: boolean) {
      const sql = yield* SqlClient.SqlClient
      if (isPerson(one)) {
        const options = { organizationId: this.id, email: one, isSuppressed }
        for (const [text, values] of suppressionStatements(options)) {
          yield* sql.unsafe(text, values)
        }
        return
      }
      yield* sql`
        insert into suppression_list (organization_id, cycle_at, changed_at)
        values (${this.id}, now(), now() - interval '1 day')
        on conflict (organization_id) do update set cycle_at = excluded.cycle_at`
      yield* sql`
        delete from suppression_rule
        where organization_id = ${this.id} and type = 'company_domain' and match_key = ${one}`
      if (isSuppressed) {
        yield* sql`
          insert into suppression_rule
            (organization_id, type, value, match_key, created_at, takes_part_at)
          values (${this.id}, 'company_domain', ${one}, ${one}, now() - interval '1 hour',
            now() - interval '1 hour')`
      }
      yield* sql`
        update company set suppressed = ${isSuppressed}
        where organization_id = ${this.id} and domain = ${one}`
    },
  )

  readonly #erase = Effect.fnUntraced({ self: this }, function* (one: Person) {
    const store = yield* ErasureStore
    const companies = yield* CompanyUpkeepStore
    const occasions = yield* Occasions
    yield* store.transaction(
      Effect.gen({ self: this }, function* () {
        const visitorId = yield* store.find(this.id, sha256(one))
        if (visitorId === undefined) return
        const addresses = yield* store.addresses(this.id, visitorId)
        yield* store.erase({ organizationId: this.id, visitorId, addresses })
        const theirs = (yield* companies.settle([this.id])).map((company) => company.domain)
        yield* occasions.forget(this.id, [visitorId])
        yield* occasions.forgetCompanies(this.id, theirs)
        const left = new Set((yield* this.rows).map((row) => row.domain))
        for (const message of this.#expected) {
          const isGone = message.domain !== null && !left.has(message.domain)
          if (isGone && theirs.includes(message.domain!)) message.domain = null
        }
      }),
    )
  })

  /** What the alerts must say now. */
  readonly look = Effect.gen({ self: this }, function* () {
    const members = yield* this.members
    for (const { domain, suppressed } of yield* this.rows) {
      for (const alert of this.#alerts) {
        const [was, is] = [alert.known.has(domain), members.has(domain)]
        if (was === is) continue
        if (is) alert.known.add(domain)
        else alert.known.delete(domain)
        const event = is ? "segment.entered" : "segment.left"
        const isTold = alert.trigger === (is ? "entered_segment" : "left_segment")
        if (isTold && !suppressed) this.#expected.push({ alert: alert.id, event, domain })
      }
    }
  })

  readonly check = Effect.gen({ self: this }, function* () {
    const sql = yield* SqlClient.SqlClient
    const found = yield* sql<{ alert: string; event: string; domain: string | null }>`
      select webhook_id as alert, event, company_domain as domain from webhook_delivery
      where organization_id = ${this.id}`
    const texts = (all: typeof found) =>
      all.map(({ alert, domain, event }) => `${alert} ${event} ${domain}`).toSorted()
    return { found: texts(found), expected: texts(this.#expected) }
  })

  get count(): number {
    return this.#expected.length
  }
}

const isPerson = (one: Domain | Person): one is Person => one.includes("@")

const play = Effect.fnUntraced(function* (
  sequences: ReadonlyArray<ReadonlyArray<{ readonly step: Step; readonly isLooked: boolean }>>,
) {
  const customers = sequences.map((steps) => ({ steps, customer: new Customer() }))
  for (const { customer } of customers) yield* customer.prepare
  yield* lookAtAll
  const length = Math.max(...sequences.map((steps) => steps.length))
  for (let turn = 0; turn < length; turn++) {
    let isLooked = turn === length - 1
    for (const { customer, steps } of customers) {
      const one = steps[turn]
      if (one === undefined) continue
      if (yield* customer.do(one.step)) isLooked = true
      // All customers are looked at together.
      if (one.isLooked && customer === customers[turn % customers.length]?.customer) isLooked = true
    }
    if (!isLooked) continue
    yield* lookAtAll
    for (const { customer, steps } of customers) {
      yield* customer.look
      const { expected, found } = yield* customer.check
      assert.deepStrictEqual(found, expected, JSON.stringify(steps.slice(0, turn + 1)))
    }
  }
  return customers.reduce((sum, { customer }) => sum + customer.count, 0)
})

layer(Layer.provideMerge(ErasureStore.layer, workers), { excludeTestServices: true })(
  "which companies enter and leave a segment",
  (it) => {
    it.effect(
      "is what a naive evaluator says, whatever happened before",
      () =>
        Effect.gen(function* () {
          const all = fc.sample(sequence, { numRuns: atOnce * runs, seed: 20_261_130 })
          let told = 0
          for (let from = 0; from < all.length; from += atOnce) {
            told += yield* play(all.slice(from, from + atOnce))
          }
          // Comparing only empty lists would prove nothing.
          assert.isAbove(told, 50)
        }),
      300_000 * runs,
    )
  },
)
