// Random visits, imports, changes of a list, passing days, suppressions, merges, erasures and changes of the rule, through
// the real workers on a real Postgres, queue the messages that a naive evaluator computes (spec 8.7). Two processes look at
// the same time. FOOTFALL_SOAK=1 runs more of them.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import fc from "fast-check"
import { Occasions } from "../../src/people/visitors/occasions.ts"
import { People } from "../../src/people/person/people.ts"
import { arrive, drain, event, identify, nextId } from "../identification/identification-layer.ts"
import { suppressionStatements } from "../identification/suppressed.ts"
import { sha256 } from "../people/people-layer.ts"
import { lookAtAll, workers } from "./segment-looks.ts"

const atOnce = 12
const runs = process.env["FOOTFALL_SOAK"] === "1" ? 40 : 2
const monthMs = 30 * 86_400_000

const people = ["ann", "bob", "cid"] as const
type Person = (typeof people)[number]

type Step =
  | { readonly visit: Person; readonly isPricing: boolean }
  | { readonly seniority: "vp" | "manager"; readonly of: Person }
  | { readonly list: Person }
  | { readonly pass: number }
  | { readonly suppress: Person; readonly isSuppressed: boolean }
  | { readonly merge: readonly [Person, Person] }
  | { readonly erase: Person }
  | { readonly rule: 0 | 1; readonly visit: Person }
  | { readonly alert: "entered_segment" | "left_segment"; readonly visit: Person }

const person = fc.constantFrom(...people)
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ visit: person, isPricing: fc.boolean() }) },
  {
    weight: 3,
    arbitrary: fc.record({ seniority: fc.constantFrom("vp", "manager"), of: person }),
  },
  { weight: 2, arbitrary: fc.record({ list: person }) },
  { weight: 2, arbitrary: fc.record({ pass: fc.constantFrom(16, 31) }) },
  { weight: 2, arbitrary: fc.record({ suppress: person, isSuppressed: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ merge: fc.tuple(person, person) }) },
  { weight: 1, arbitrary: fc.record({ erase: person }) },
  { weight: 1, arbitrary: fc.record({ rule: fc.constantFrom(0, 1), visit: person }) },
  {
    weight: 1,
    arbitrary: fc.record({
      alert: fc.constantFrom("entered_segment", "left_segment"),
      visit: person,
    }),
  },
)
const sequence = fc.array(fc.record({ step, isLooked: fc.boolean() }), {
  minLength: 8,
  maxLength: 14,
})

interface Row {
  readonly id: string
  readonly seniority: string | null
  readonly suppressed: boolean
  readonly seenAt: number
  readonly addresses: ReadonlyArray<string>
  readonly visits: ReadonlyArray<{ readonly endedAt: number; readonly pricing: number }>
}

interface ModelAlert {
  readonly id: string
  readonly trigger: "entered_segment" | "left_segment"
  /** The people who were in the segment when it was made, or when it was looked last. */
  known: Set<string>
}

class Customer {
  readonly id = nextId()
  readonly #pixelId = nextId()
  readonly #segmentId = nextId()
  readonly #listId = nextId()
  readonly #listed = new Set<string>()
  readonly #alerts: Array<ModelAlert> = []
  #rule: 0 | 1 = 0
  /** `alert trigger person`; the person is null once erased. */
  #expected: Array<{ readonly alert: string; readonly event: string; person: string | null }> = []

  readonly prepare = Effect.gen({ self: this }, function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`insert into organization (id, name, slug) values (${this.id}, 'T', ${this.id})`
    yield* sql`
      insert into pixel (organization_id, id, domain, name)
      values (${this.id}, ${this.#pixelId}, 'a.example', 'A')`
    yield* sql`
      insert into list (organization_id, id, name, subject)
      values (${this.id}, ${this.#listId}, 'L', 'people')`
    yield* sql`
      insert into segment (organization_id, id, name, rule_ast)
      values (${this.id}, ${this.#segmentId}, 'S', ${this.#ast(0)}::text::jsonb)`
    yield* this.#addAlert("entered_segment")
    yield* this.#addAlert("left_segment")
  })

  #ast(rule: 0 | 1): string {
    const isListed = { field: "contact.list", op: "in_list", value: this.#listId }
    const isPricing = { field: "behavior.pricing_page_views", op: "gte", value: 1 }
    const isVp = { field: "company.seniority", op: "eq", value: "vp" }
    return JSON.stringify({
      version: 1,
      window: "30d",
      rule: rule === 0 ? { any: [isListed, isPricing, isVp] } : { all: [isPricing] },
    })
  }

  /** The rule in the naive way. */
  #isIn({ addresses, seenAt, seniority, visits }: Row, now: number): boolean {
    if (seenAt < now - monthMs) return false
    const isPricing = visits.some(({ endedAt, pricing }) => endedAt >= now - monthMs && pricing > 0)
    if (this.#rule === 1) return isPricing
    return isPricing || seniority === "vp" || addresses.some((hash) => this.#listed.has(hash))
  }

  readonly rows = Effect.gen({ self: this }, function* () {
    const sql = yield* SqlClient.SqlClient
    return yield* sql<Row>`
      select v.id, v.seniority, v.suppressed,
        (extract(epoch from v.last_seen_at) * 1000)::float8 as "seenAt",
        array(select email_hash from visitor_address a
          where a.organization_id = v.organization_id and a.visitor_id = v.id) as addresses,
        coalesce((
          select jsonb_agg(jsonb_build_object(
            'endedAt', (extract(epoch from s.ended_at) * 1000)::float8,
            'pricing', s.pricing_page_views))
          from session s where s.organization_id = v.organization_id and s.visitor_id = v.id
        ), '[]') as visits
      from visitor v where v.organization_id = ${this.id} order by v.id`
  })

  readonly members = Effect.gen({ self: this }, function* () {
    const now = Date.now()
    const rows = yield* this.rows
    return new Set(rows.filter((row) => this.#isIn(row, now)).map(({ id }) => id))
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

  /** Someone's visit now, with a new browser. */
  readonly #visit = Effect.fnUntraced({ self: this }, function* (one: Person, isPricing: boolean) {
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
    yield* arrive(
      event(0, { ...where, payload: isPricing ? { q: 1 } : {} }),
      identify(0, emailOf(one), where),
    )
    yield* drain
  })

  readonly #visitorOf = Effect.fnUntraced({ self: this }, function* (one: Person) {
    const sql = yield* SqlClient.SqlClient
    const [row] = yield* sql<{ readonly id: string }>`
      select visitor_id as id from visitor_address
      where organization_id = ${this.id} and email_hash = ${sha256(emailOf(one))}`
    return row?.id
  })

  /** Returns whether everyone has to be looked at next. */
  readonly do = Effect.fnUntraced({ self: this }, function* (step: Step) {
    const sql = yield* SqlClient.SqlClient
    const imports = yield* People
    const isOurs = sql`organization_id = ${this.id}`
    if ("rule" in step) {
      this.#rule = step.rule
      yield* sql`
        update segment set rule_ast = ${this.#ast(step.rule)}::text::jsonb,
          updated_at = clock_timestamp()
        where ${isOurs} and rule_ast <> ${this.#ast(step.rule)}::text::jsonb`
      const isSame = (yield* sql`
        select from segment_watch where ${isOurs} and not is_over
          and rule = ${this.#ast(step.rule)}::text::jsonb`).length
      // The same rule again changes nothing.
      if (isSame === 0) {
        const members = yield* this.members
        for (const alert of this.#alerts) alert.known = new Set(members)
      }
      yield* this.#visit(step.visit, true)
      return true
    }
    if ("alert" in step) {
      yield* this.#addAlert(step.alert)
      yield* this.#visit(step.visit, true)
      return true
    }
    if ("visit" in step) yield* this.#visit(step.visit, step.isPricing)
    else if ("seniority" in step) {
      if ((yield* this.#visitorOf(step.of)) === undefined) return false
      yield* imports.put(this.id, [{ email: emailOf(step.of), seniority: step.seniority }])
    } else if ("list" in step) {
      const key = sha256(emailOf(step.list))
      if (this.#listed.delete(key)) {
        yield* sql`delete from list_member where list_id = ${this.#listId} and key = ${key}`
      } else {
        this.#listed.add(key)
        yield* sql`
          insert into list_member (organization_id, list_id, key, value)
          values (${this.id}, ${this.#listId}, ${key}, ${emailOf(step.list)})`
      }
    } else if ("pass" in step) {
      const ago = sql`make_interval(days => ${step.pass})`
      yield* sql`
        with sessions as (
          update session set started_at = started_at - ${ago}, ended_at = ended_at - ${ago}
          where ${isOurs}
        )
        update visitor set first_seen_at = first_seen_at - ${ago},
          last_seen_at = last_seen_at - ${ago} where ${isOurs}`
    } else if ("suppress" in step) {
      for (const [text, values] of suppressionStatements({
        organizationId: this.id,
        email: emailOf(step.suppress),
        isSuppressed: step.isSuppressed,
      })) {
        yield* sql.unsafe(text, values)
      }
    } else if ("merge" in step) {
      const [one, other] = [
        yield* this.#visitorOf(step.merge[0]),
        yield* this.#visitorOf(step.merge[1]),
      ]
      if (one === undefined || other === undefined || one === other) return false
      yield* imports.put(this.id, [
        { email: emailOf(step.merge[0]), emails: step.merge.map(emailOf) },
      ])
      const survivor = yield* this.#visitorOf(step.merge[0])
      // An address that another record has already named joins no one.
      if (survivor !== (yield* this.#visitorOf(step.merge[1]))) return false
      const loser = survivor === one ? other : one
      for (const { known } of this.#alerts) if (known.delete(loser)) known.add(survivor!)
      for (const message of this.#expected) {
        if (message.person === loser) message.person = survivor!
      }
    } else {
      const id = yield* this.#visitorOf(step.erase)
      if (id === undefined) return false
      const occasions = yield* Occasions
      yield* sql`delete from session where ${isOurs} and visitor_id = ${id}`
      yield* sql`delete from browser where ${isOurs} and visitor_id = ${id}`
      yield* sql`delete from visitor_pixel where ${isOurs} and visitor_id = ${id}`
      yield* sql`delete from visitor_address where ${isOurs} and visitor_id = ${id}`
      yield* sql`delete from visitor where ${isOurs} and id = ${id}`
      yield* occasions.forget(this.id, [id])
      for (const { known } of this.#alerts) known.delete(id)
      for (const message of this.#expected) {
        if (message.person === id) message.person = null
      }
    }
    return false
  })

  /** What the alerts must say now. */
  readonly look = Effect.gen({ self: this }, function* () {
    const members = yield* this.members
    for (const row of yield* this.rows) {
      const { id, suppressed } = row
      for (const alert of this.#alerts) {
        const [was, is] = [alert.known.has(id), members.has(id)]
        if (was === is) continue
        if (is) alert.known.add(id)
        else alert.known.delete(id)
        const event = is ? "segment.entered" : "segment.left"
        const isTold = alert.trigger === (is ? "entered_segment" : "left_segment")
        if (isTold && !suppressed) this.#expected.push({ alert: alert.id, event, person: id })
      }
    }
  })

  readonly check = Effect.gen({ self: this }, function* () {
    const sql = yield* SqlClient.SqlClient
    const found = yield* sql<{ alert: string; event: string; person: string | null }>`
      select webhook_id as alert, event, visitor_id as person from webhook_delivery
      where organization_id = ${this.id}`
    yield* sql`
      update webhook_delivery set status = 'succeeded', completed_at = now(),
        next_attempt_at = null
      where organization_id = ${this.id} and status = 'queued'`
    return {
      found: found.map(textOf).toSorted(),
      expected: this.#expected.map(textOf).toSorted(),
    }
  })

  get count(): number {
    return this.#expected.length
  }
}

const emailOf = (one: Person): string => `${one}@acme.example`
const textOf = ({
  alert,
  event,
  person,
}: {
  readonly alert: string
  readonly event: string
  readonly person: string | null
}) => `${alert} ${event} ${person}`

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

layer(workers, { excludeTestServices: true })("who enters and leaves a segment", (it) => {
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
})
