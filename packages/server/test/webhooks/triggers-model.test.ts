// Random sequences of visits, suppressions, imports, merges and passing time, through the real pass on a real Postgres,
// queue the same as a naive model of spec 8.5: first_match once ever, every_update once in 60 seconds, the end of a
// session once. Runs many organizations at a time, each with its own sequence, so that every batch contains several.
// FOOTFALL_SOAK=1 runs more of them.
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import fc from "fast-check"
import { People } from "../../src/people/person/people.ts"
import { BatchEvents } from "../../src/people/identification/identification.ts"
import { announceEnded } from "../../src/activation/webhooks/triggers/session-ends.ts"
import { arrive, drain, event, identify, nextId } from "../identification/identification-layer.ts"
import { suppressionStatements } from "../identification/suppressed.ts"
import { testLayer } from "../people/people-layer.ts"
import { Model, type ModelWebhook, people, type Person, type Step, type Visit } from "./model.ts"

const atOnce = 34
const runs = process.env["FOOTFALL_SOAK"] === "1" ? 50 : 3

const person = fc.constantFrom(...people)
const half = fc.constantFrom(0 as const, 1 as const)
const rarely = fc.integer({ min: 0, max: 3 }).map((value) => value === 0)
const webhook: fc.Arbitrary<ModelWebhook> = fc.record({
  trigger: fc.constantFrom("first_match", "every_update"),
  isForBuyers: fc.boolean(),
  pixel: fc.constantFrom(null, null, 0, 1),
})
const visit: fc.Arbitrary<Visit> = fc.record({
  person,
  browser: half,
  pixel: half,
  isIdentified: fc.boolean(),
  isPricing: rarely,
  isNamed: rarely,
})
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ visits: fc.array(visit, { minLength: 1, maxLength: 4 }) }),
  },
  // Multiples of 20, so that the time the statements take decides nothing.
  { weight: 4, arbitrary: fc.record({ pass: fc.constantFrom(20, 40, 1_760, 1_800) }) },
  { weight: 1, arbitrary: fc.record({ suppress: person, isSuppressed: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ promote: person }) },
  { weight: 1, arbitrary: fc.record({ merge: fc.tuple(person, person) }) },
)
const sequence = fc.record({
  webhooks: fc.array(webhook, { minLength: 1, maxLength: 4 }),
  steps: fc.array(step, { minLength: 6, maxLength: 12 }),
})
type Sequence = typeof sequence extends fc.Arbitrary<infer A> ? A : never

const buyers = {
  version: 1,
  rule: {
    any: [
      { field: "behavior.pricing_page_views", op: "gte", value: 1 },
      { field: "company.seniority", op: "eq", value: "vp" },
    ],
  },
}

/** One organization, and what it must have received. */
class Customer {
  readonly id = nextId()
  readonly model: Model
  readonly #pixels = [nextId(), nextId()]
  readonly #webhooks: ReadonlyArray<string>
  readonly #browsers = new Map<string, string>()
  readonly sequence: Sequence
  readonly #began = Date.now()
  #eventAt = 0

  constructor(sequence: Sequence) {
    this.sequence = sequence
    this.#webhooks = sequence.webhooks.map(() => nextId())
    this.model = new Model(sequence.webhooks)
  }

  readonly prepare = Effect.gen({ self: this }, function* () {
    const sql = yield* SqlClient.SqlClient
    const { id } = this
    yield* sql`insert into organization (id, name, slug) values (${id}, 'Tidewater', ${id})`
    const segmentId = nextId()
    yield* sql`
      insert into segment (organization_id, id, name, rule_ast)
      values (${id}, ${segmentId}, 'Buyers', ${JSON.stringify(buyers)}::text::jsonb)`
    for (const [index, { isForBuyers, pixel, trigger }] of this.sequence.webhooks.entries()) {
      yield* sql`
        insert into webhook (organization_id, id, name, url, trigger, segment_id, pixel_id, status,
          timeout_ms, secret)
        values (${id}, ${this.#webhooks[index]!}, 'CRM', 'https://a.example', ${trigger},
          ${isForBuyers ? segmentId : null}, ${pixel === null ? null : this.#pixels[pixel]!},
          'active', 1000, '')`
    }
  })

  events(visits: ReadonlyArray<Visit>) {
    return visits.flatMap(({ browser, isIdentified, isNamed, isPricing, person, pixel }) => {
      const key = `${person} ${browser}`
      if (!this.#browsers.has(key)) this.#browsers.set(key, nextId())
      const change = () => {
        this.#eventAt = Math.max(this.#eventAt + 1, Date.now() - 20)
        return {
          organizationId: this.id,
          pixelId: this.#pixels[pixel]!,
          anonymousId: this.#browsers.get(key)!,
          occurredAt: this.#eventAt,
          receivedAt: this.#eventAt,
        }
      }
      const page = event(0, { ...change(), payload: isPricing ? { q: 1 } : {} })
      if (!isIdentified) return [page]
      const traits = isNamed ? { p: { firstName: "Ada" } } : {}
      return [page, identify(0, emailOf(person), { ...change(), payload: traits })]
    })
  }

  /** Runs any step that is not a visit, in the database and in the model. */
  readonly do = Effect.fnUntraced({ self: this }, function* (step: Step) {
    const { id, model } = this
    const imports = yield* People
    if ("pass" in step) {
      yield* this.#shift(step.pass)
      model.pass(step.pass)
    } else if ("suppress" in step) {
      for (const one of model.kinOf(step.suppress)) {
        yield* this.#run(
          suppressionStatements({
            organizationId: id,
            email: emailOf(one),
            isSuppressed: step.isSuppressed,
          }),
        )
      }
      model.suppress(step.suppress, step.isSuppressed)
    } else if ("promote" in step) {
      const email = emailOf(model.kinOf(step.promote)[0]!)
      yield* imports.put(id, [{ email, seniority: "vp" }])
      model.promote(step.promote)
    } else if ("merge" in step) {
      const [one, other] = [model.whoIs(step.merge[0]), model.whoIs(step.merge[1])]
      if (one === other || !model.isVisitor(one) || !model.isVisitor(other)) return
      const kept = yield* this.#visitorOf(one)
      const all = [...model.kinOf(one), ...model.kinOf(other)].map(emailOf)
      yield* imports.put(id, [{ email: all[0]!, emails: all }])
      if ((yield* this.#visitorOf(one)) === kept) model.merge(one, other)
      else model.merge(other, one)
    }
  })

  /** The queued events in the form of the model. */
  readonly queued = Effect.gen({ self: this }, function* () {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* sql<{
      readonly webhook: string
      readonly email: string
      readonly event: string
      readonly pixel: string
      readonly due: number
      readonly isSkipped: boolean
    }>`
      select d.webhook_id as webhook, d.event, d.pixel_id as pixel,
        (select min(a.email) from visitor_address a
         where a.organization_id = d.organization_id and a.visitor_id = d.visitor_id) as email,
        extract(epoch from d.next_attempt_at)::float8 as due, d.status = 'skipped' as "isSkipped"
      from webhook_delivery d
      where d.organization_id = ${this.id}`
    return rows
      .map(({ due, email, event, isSkipped, pixel, webhook }) => {
        const seconds = due + this.model.now - this.#began / 1_000
        return {
          webhook: this.#webhooks.indexOf(webhook),
          email,
          event,
          pixel: this.#pixels.indexOf(pixel),
          due: Math.floor(seconds / 20) * 20,
          isSkipped,
        }
      })
      .toSorted(byText)
  })

  get expected() {
    return this.model.queued
      .map(({ person, ...queued }) => ({ ...queued, email: emailOf(this.model.kinOf(person)[0]!) }))
      .toSorted(byText)
  }

  readonly #visitorOf = Effect.fnUntraced({ self: this }, function* (one: Person) {
    const sql = yield* SqlClient.SqlClient
    const [row] = yield* sql<{ readonly id: string }>`
      select visitor_id as id from visitor_address
      where organization_id = ${this.id} and email = ${emailOf(one)}`
    return row!.id
  })

  readonly #run = (statements: ReturnType<typeof suppressionStatements>) =>
    Effect.flatMap(SqlClient.SqlClient, (sql) =>
      Effect.forEach(statements, ([text, values]) => sql.unsafe(text, values), { discard: true }),
    )

  /** Advances time for everything stored. Nothing else uses a clock. */
  readonly #shift = Effect.fnUntraced({ self: this }, function* (seconds: number) {
    const sql = yield* SqlClient.SqlClient
    const ago = sql`make_interval(secs => ${seconds})`
    const isOurs = sql`organization_id = ${this.id}`
    yield* sql`
      with visitors as (
        update webhook_visitor set told_at = told_at - ${ago} where ${isOurs}
      ), ends as (
        update webhook_session set ends_at = ends_at - ${ago} where ${isOurs}
      ), deliveries as (
        update webhook_delivery set next_attempt_at = next_attempt_at - ${ago} where ${isOurs}
      )
      update session set started_at = started_at - ${ago}, ended_at = ended_at - ${ago}
      where ${isOurs}`
  })
}

const emailOf = (one: Person): string => `${one}@acme.example`

const byText = (one: object, other: object): number =>
  JSON.stringify(Object.entries(one).toSorted()) < JSON.stringify(Object.entries(other).toSorted())
    ? -1
    : 1

/** False, without a comparison, if it took so long that the time of the statements decides. */
const isPlayed = Effect.fnUntraced(function* (sequences: ReadonlyArray<Sequence>) {
  const mustEndAt = Date.now() + 20_000
  const customers = sequences.map((one) => new Customer(one))
  for (const customer of customers) yield* customer.prepare
  const length = Math.max(...sequences.map(({ steps }) => steps.length))
  for (let turn = 0; turn < length; turn++) {
    const turns = customers.flatMap((customer) => {
      const step = customer.sequence.steps[turn]
      return step === undefined ? [] : [{ customer, step }]
    })
    yield* arrive(
      ...turns.flatMap(({ customer, step }) =>
        "visits" in step ? customer.events(step.visits) : [],
      ),
    )
    yield* drain
    for (const { customer, step } of turns) {
      if ("visits" in step) customer.model.visit(step.visits)
      else yield* customer.do(step)
    }
    yield* announceEnded(1_000)
    if (Date.now() >= mustEndAt) return false
  }
  for (const { customer, ...seen } of yield* Effect.forEach(customers, (customer) =>
    Effect.map(customer.queued, (queued) => ({ customer, queued })),
  )) {
    assert.deepStrictEqual(seen.queued, customer.expected, JSON.stringify(customer.sequence))
  }
  return true
})

type Play = ReturnType<typeof isPlayed>

/** Runs all sequences, or half as many at a time if the machine is too busy for all of them at once. */
const run = (
  sequences: ReadonlyArray<Sequence>,
): Effect.Effect<void, Effect.Error<Play>, Effect.Services<Play>> =>
  Effect.flatMap(isPlayed(sequences), (isOver) => {
    if (isOver) return Effect.void
    const half = Math.floor(sequences.length / 2)
    if (half === 0) return Effect.die("one sequence alone took 20 seconds")
    return Effect.andThen(run(sequences.slice(0, half)), run(sequences.slice(half)))
  })

// The visits of a step are one batch, as in the model.
const oneBatch = Layer.succeed(BatchEvents, { least: 2_000, first: 2_000, most: 2_000 })

layer(Layer.provide(testLayer, oneBatch), { excludeTestServices: true })(
  "webhooks, by a model",
  (it) => {
    it.effect(
      "every sequence of steps queues what the specification says",
      () =>
        Effect.gen(function* () {
          const runPromise = Effect.runPromiseWith(
            yield* Effect.context<Layer.Success<typeof testLayer>>(),
          )
          const all = fc.asyncProperty(
            fc.array(sequence, { minLength: atOnce, maxLength: atOnce }),
            (sequences) => runPromise(run(sequences)),
          )
          // With so many sequences at once, the counterexample says nothing; the assertion names the sequence.
          const { errorInstance, seed } = yield* Effect.promise(() =>
            fc.check(all, { numRuns: runs, endOnFailure: true }),
          )
          if (errorInstance !== null)
            yield* Effect.die(errorInstance).pipe(Effect.annotateLogs({ seed }))
        }),
      300_000,
    )
  },
)
