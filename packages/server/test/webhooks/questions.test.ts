// If a segment can't be evaluated for a person, the server tries again, even if the person never comes back, so that no
// first match is lost (spec 8.5). The tests change times in the rows.
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Logger } from "effect"
import { SqlClient } from "effect/sql"
import { Questions } from "../../src/activation/webhooks/questions/questions.ts"
import { askSeconds, questionsMax } from "../../src/activation/webhooks/triggers/question-store.ts"
import { WebhookRetentionStore } from "../../src/activation/webhooks/retention/store.ts"
import { WebhookRetention } from "../../src/activation/webhooks/retention/webhook-retention.ts"
import { PageViewStore } from "../../src/activation/webhooks/triggers/page-view-store.ts"
import { Occasions } from "../../src/people/visitors/occasions.ts"
import {
  arrive,
  drain,
  event,
  identify,
  nextId,
  testLayer,
} from "../identification/identification-layer.ts"

const questionLayer = Layer.mergeAll(
  Questions.layer,
  // Failed evaluations are logged.
  Logger.layer([]),
  Layer.provide(WebhookRetention.layer, [WebhookRetentionStore.layer, PageViewStore.layer]),
).pipe(Layer.provideMerge(testLayer))

const buyers = { field: "behavior.visited_paths", op: "any_contains", value: "/pricing" }
/** Postgres rejects the comparison. No request can store this rule. */
const refused = { field: "behavior.pageviews", op: "gte", value: "many" }

/** An organization with a webhook for people who saw the pricing page, and a rule that can't be evaluated. */
const makeCustomer = Effect.fnUntraced(function* (trigger: "every_update" | "first_match") {
  const sql = yield* SqlClient.SqlClient
  const [id, segmentId, webhookId, pixelId] = [nextId(), nextId(), nextId(), nextId()]
  yield* sql`insert into organization (id, name, slug) values (${id}, 'Tidewater', ${id})`
  yield* sql`
    insert into segment (organization_id, id, name, rule_ast)
    values (${id}, ${segmentId}, 'Buyers', '{}')`
  yield* sql`
    insert into webhook (organization_id, id, name, url, trigger, segment_id, status, timeout_ms,
      secret)
    values (${id}, ${webhookId}, 'CRM', 'https://a.example', ${trigger}, ${segmentId}, 'active',
      1000, '')`
  const setRule = (rule: object) => sql`
    update segment set rule_ast = ${JSON.stringify({ version: 1, window: "24h", rule })}::text::jsonb
    where id = ${segmentId}`
  yield* setRule(refused)

  const visit = Effect.fnUntraced(function* (
    email: string,
    path: string,
    at: { readonly browser?: string; readonly pixel?: string } = {},
  ) {
    const now = Date.now()
    const seen = {
      organizationId: id,
      pixelId: at.pixel ?? pixelId,
      anonymousId: at.browser ?? nextId(),
      occurredAt: now,
      receivedAt: now,
    }
    const url = `https://tidewater.example${path}`
    yield* arrive(event(0, { ...seen, url }), identify(0, email, seen))
    yield* drain
  })

  return {
    id,
    webhookId,
    pixelId,
    setRule,
    visit,
    /** Advances time for pending evaluations and for what people did. */
    pass: Effect.fnUntraced(function* (seconds: number) {
      const ago = sql`make_interval(secs => ${seconds})`
      yield* sql`
        update webhook_question set asked_at = asked_at - ${ago}, ask_at = ask_at - ${ago}
        where organization_id = ${id}`
      yield* sql`
        update webhook_visitor set told_at = told_at - ${ago} where organization_id = ${id}`
      yield* sql`
        update webhook set last_error_at = last_error_at - ${ago},
          segment_failed_at = segment_failed_at - ${ago}
        where organization_id = ${id}`
      yield* sql`
        update session set started_at = started_at - ${ago}, ended_at = ended_at - ${ago}
        where organization_id = ${id}`
      for (const table of ["visitor", "visitor_pixel"]) {
        yield* sql`
          update ${sql(table)} set first_seen_at = first_seen_at - ${ago},
            last_seen_at = last_seen_at - ${ago}
          where organization_id = ${id}`
      }
    }),
    /** Event and address of the queued webhooks, ordered by address. */
    queued: sql<{ readonly event: string; readonly email: string; readonly pixelId: string }>`
      select event, v.email, d.pixel_id as "pixelId"
      from webhook_delivery d
      join visitor v on v.organization_id = d.organization_id and v.id = d.visitor_id
      where d.organization_id = ${id} and d.status = 'queued'
      order by v.email, d.created_at`,
    waiting: sql<{ readonly email: string; readonly attempts: number; readonly inSeconds: number }>`
      select v.email, q.attempts, round(extract(epoch from ask_at - now()) / 10)::int * 10 as "inSeconds"
      from webhook_question q
      join visitor v on v.organization_id = q.organization_id and v.id = q.visitor_id
      where q.organization_id = ${id}
      order by v.email`,
    webhook: Effect.map(
      sql<{ readonly message: string | null; readonly at: number }>`
        select last_error_message as message, extract(epoch from last_error_at)::float8 as at
        from webhook where id = ${webhookId}`,
      ([row]) => row!,
    ),
  }
})

const evaluateAll = Effect.repeat(
  Effect.flatMap(Questions, ({ evaluateNext }) => evaluateNext),
  { while: (evaluated) => evaluated > 0 },
)

layer(questionLayer, { excludeTestServices: true })("pending segment evaluations", (it) => {
  it.effect(
    "a person who never comes back is sent once the segment can be evaluated, as of their visit",
    () =>
      Effect.gen(function* () {
        const customer = yield* makeCustomer("first_match")
        yield* customer.visit("ann@acme.example", "/pricing")
        yield* customer.visit("bob@acme.example", "/docs")
        assert.deepStrictEqual(yield* customer.queued, [])
        assert.strictEqual(
          (yield* customer.webhook).message,
          "The rule of the segment could not be evaluated.",
        )

        yield* evaluateAll // A minute must pass first.
        // The visit is outside the window by now, but was inside it.
        yield* customer.setRule(buyers)
        yield* customer.pass(3 * 86_400)
        yield* evaluateAll
        yield* evaluateAll

        assert.deepStrictEqual(yield* customer.queued, [
          {
            event: "visitor.identified",
            email: "ann@acme.example",
            pixelId: customer.pixelId,
          },
        ])
        assert.deepStrictEqual(yield* customer.waiting, [])
        yield* customer.visit("ann@acme.example", "/pricing")
        assert.lengthOf(yield* customer.queued, 1)
      }),
  )

  it.effect("an every_update webhook gets one event, and the first is visitor.identified", () =>
    Effect.gen(function* () {
      const customer = yield* makeCustomer("every_update")
      const [browser, other] = [nextId(), nextId()]
      yield* customer.visit("ann@acme.example", "/pricing", { browser })
      yield* customer.visit("ann@acme.example", "/pricing", { browser: other })
      yield* customer.setRule(buyers)
      yield* customer.pass(61)
      yield* evaluateAll

      const identified = (yield* customer.queued).map(({ event }) => event)
      assert.deepStrictEqual(identified, ["visitor.identified"])

      yield* customer.pass(61)
      yield* customer.setRule(refused)
      yield* customer.visit("ann@acme.example", "/pricing")
      yield* customer.pass(61)
      yield* customer.setRule(buyers)
      // The next event sends everything, so nothing is pending.
      yield* customer.visit("ann@acme.example", "/pricing")
      yield* evaluateAll

      assert.deepStrictEqual(
        (yield* customer.queued).map(({ event }) => event),
        ["visitor.identified", "visitor.updated"],
      )
      assert.deepStrictEqual(yield* customer.waiting, [])
    }),
  )

  it.effect(
    "an evaluation is retried after each wait in the table, and given up after the eighth failure",
    () =>
      Effect.gen(function* () {
        const customer = yield* makeCustomer("first_match")
        yield* customer.visit("ann@acme.example", "/pricing")
        const waits: Array<number> = []
        for (let asked = 1; asked <= askSeconds.length; asked++) {
          const [question] = yield* customer.waiting
          assert.strictEqual(question?.attempts, asked)
          waits.push(question!.inSeconds)
          yield* customer.pass(question!.inSeconds + 10)
          const before = yield* customer.webhook
          yield* evaluateAll
          assert.isAbove((yield* customer.webhook).at, before.at)
        }

        assert.deepStrictEqual(waits, [60, 300, 1_800, 7_200, 18_000, 36_000, 86_400])
        assert.deepStrictEqual(yield* customer.waiting, [])
        yield* customer.setRule(buyers)
        yield* evaluateAll
        assert.deepStrictEqual(yield* customer.queued, [])
        // The segment is evaluated again for everyone who comes back.
        yield* customer.pass(61)
        yield* customer.visit("ann@acme.example", "/pricing")
        assert.lengthOf(yield* customer.queued, 1)
      }),
  )

  it.effect(
    "many people are evaluated in groups, and after a failure the others wait another minute",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const customer = yield* makeCustomer("first_match")
        const neighbour = yield* makeCustomer("first_match")
        yield* customer.visit("ann@acme.example", "/pricing")
        yield* neighbour.visit("bob@acme.example", "/pricing")
        yield* neighbour.setRule(buyers)
        yield* sql`
        insert into webhook_question (organization_id, webhook_id, visitor_id, pixel_id, kind, ask_at)
        select organization_id, webhook_id, gen_random_uuid(), pixel_id, kind, ask_at
        from webhook_question, generate_series(1, ${questionsMax + 20})
        where organization_id = ${customer.id}`
        yield* customer.pass(70)
        yield* neighbour.pass(65)

        yield* evaluateAll

        const waiting = yield* sql<{ readonly attempts: number; readonly count: number }>`
        select attempts, count(*)::int as count from webhook_question
        where organization_id = ${customer.id} and ask_at > now()
        group by attempts order by attempts`
        assert.deepStrictEqual(waiting, [
          { attempts: 1, count: 21 },
          { attempts: 2, count: questionsMax },
        ])
        assert.lengthOf(yield* neighbour.queued, 1)
      }),
  )

  it.effect(
    "for a minute after a failure a segment is only retried, not evaluated for other people",
    () =>
      Effect.gen(function* () {
        const customer = yield* makeCustomer("first_match")
        yield* customer.visit("ann@acme.example", "/pricing")
        yield* customer.setRule(buyers)
        // Meanwhile its receiver fails.
        const sql = yield* SqlClient.SqlClient
        yield* sql`
        update webhook set last_error_at = clock_timestamp(), last_error_message = 'HTTP 503'
        where id = ${customer.webhookId}`
        const { at } = yield* customer.webhook

        yield* customer.visit("bob@acme.example", "/pricing")
        assert.deepStrictEqual(yield* customer.queued, [])
        // Constant visits don't postpone the retry.
        assert.strictEqual((yield* customer.webhook).at, at)

        yield* customer.pass(61)
        yield* customer.visit("cid@acme.example", "/pricing")
        assert.deepStrictEqual(
          (yield* customer.queued).map(({ email }) => email),
          ["cid@acme.example"],
        )
        yield* evaluateAll
        assert.lengthOf(yield* customer.queued, 3)
      }),
  )

  it.effect("an evaluation for a paused webhook waits until it is active again", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const customer = yield* makeCustomer("first_match")
      yield* customer.visit("ann@acme.example", "/pricing")
      yield* customer.setRule(buyers)
      yield* customer.pass(61)
      const setStatus = (status: string) =>
        sql`update webhook set status = ${status} where id = ${customer.webhookId}`

      yield* setStatus("inactive")
      yield* evaluateAll
      assert.deepStrictEqual(yield* customer.queued, [])

      yield* setStatus("active")
      yield* evaluateAll
      assert.lengthOf(yield* customer.queued, 1)
    }),
  )

  it.effect(
    "a person suppressed since is not sent, and an erased person's evaluation is deleted",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const customer = yield* makeCustomer("first_match")
        yield* customer.visit("ann@acme.example", "/pricing")
        yield* customer.visit("bob@acme.example", "/pricing")
        const [ann, bob] = yield* sql<{ readonly id: string }>`
        select id from visitor where organization_id = ${customer.id} order by email`

        yield* Occasions.use((occasions) => occasions.forget(customer.id, [bob!.id]))
        assert.deepStrictEqual(
          (yield* customer.waiting).map(({ email }) => email),
          ["ann@acme.example"],
        )

        yield* sql`update visitor set suppressed = true where id = ${ann!.id}`
        yield* customer.setRule(buyers)
        yield* customer.pass(61)
        yield* evaluateAll
        assert.deepStrictEqual(yield* customer.queued, [])
        assert.deepStrictEqual(yield* customer.waiting, [])
      }),
  )

  it.effect("when two visitors merge, the survivor inherits the evaluation", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const customer = yield* makeCustomer("first_match")
      yield* customer.visit("ann@acme.example", "/pricing")
      yield* customer.visit("bob@acme.example", "/pricing")
      yield* customer.visit("cid@acme.example", "/pricing")
      const [survivorId, ...losers] = (yield* sql<{ readonly id: string }>`
        select id from visitor where organization_id = ${customer.id} order by email`).map(
        ({ id }) => id,
      )
      yield* sql`delete from webhook_question where visitor_id = ${survivorId!}`

      yield* Occasions.use((occasions) =>
        occasions.join(
          losers.map((loserId) => ({
            organizationId: customer.id,
            survivorId: survivorId!,
            loserId,
          })),
        ),
      )

      assert.deepStrictEqual(
        (yield* customer.waiting).map(({ email }) => email),
        ["ann@acme.example"],
      )
    }),
  )

  it.effect("a webhook's evaluations are deleted with it", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const customer = yield* makeCustomer("first_match")
      yield* customer.visit("ann@acme.example", "/pricing")
      yield* sql`
        update webhook set deleted_at = now() - interval '2 hours' where id = ${customer.webhookId}`

      yield* Effect.flatMap(WebhookRetention, ({ apply }) => apply)

      assert.deepStrictEqual(yield* customer.waiting, [])
      assert.lengthOf(yield* sql`select from webhook where id = ${customer.webhookId}`, 0)
    }),
  )
})
