// The cost of webhooks in an identification pass: nothing if no one is identified, one statement for all organizations
// of a batch if none of them has an active webhook.
import { assert, layer } from "@effect/vitest"
import { Effect, Tracer } from "effect"
import { SqlClient } from "effect/sql"
import { Identification } from "../../src/people/identification/identification.ts"
import {
  arrive,
  event,
  identify,
  nextId,
  testLayer,
} from "../identification/identification-layer.ts"

const makeOrganization = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const organizationId = nextId()
  yield* sql`
    insert into organization (id, name, slug)
    values (${organizationId}, 'Tidewater', ${organizationId})`
  return organizationId
})

const makeWebhook = Effect.fnUntraced(function* (organizationId: string, status: string) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    insert into webhook (organization_id, id, name, url, trigger, status, timeout_ms, secret)
    values (${organizationId}, ${nextId()}, 'CRM', 'https://a.example', 'every_update', ${status},
      1000, '')`
})

/** Counts the statements of one pass, and those that name tables of webhooks. */
const pass = Effect.gen(function* () {
  const spans: Array<Tracer.NativeSpan> = []
  const tracer = Tracer.make({
    span: (options) => {
      const span = new Tracer.NativeSpan(options)
      spans.push(span)
      return span
    },
  })
  const result = yield* Effect.flatMap(
    Identification,
    (identification) => identification.pass,
  ).pipe(Effect.provideService(Tracer.Tracer, tracer))
  const texts = spans.flatMap(({ attributes }) => {
    const text = attributes.get("db.query.text")
    return typeof text === "string" ? text : []
  })
  return {
    events: result.events,
    statements: texts.length,
    ofWebhooks: texts.filter((text) => /\bwebhook/.test(text)).length,
  }
})

layer(testLayer, { excludeTestServices: true })("an identification pass", (it) => {
  it.effect("runs no webhook statement when no one is identified", () =>
    Effect.gen(function* () {
      const organizationId = yield* makeOrganization
      yield* arrive(event(0, { organizationId, anonymousId: nextId() }))

      const { events, ofWebhooks, statements } = yield* pass

      assert.strictEqual(events, 1)
      assert.isAbove(statements, 5)
      assert.strictEqual(ofWebhooks, 0)
    }),
  )

  it.effect(
    "runs one webhook statement for a whole batch of people when no webhook is active",
    () =>
      Effect.gen(function* () {
        const organizations = [yield* makeOrganization, yield* makeOrganization]
        yield* makeWebhook(organizations[0]!, "inactive")
        yield* makeWebhook(organizations[0]!, "auto_disabled")
        yield* arrive(
          ...Array.from({ length: 50 }, (_, index) =>
            identify(0, `${index}@acme.example`, {
              organizationId: organizations[index % 2]!,
              anonymousId: nextId(),
            }),
          ),
        )

        const { events, ofWebhooks } = yield* pass

        assert.strictEqual(events, 50)
        assert.strictEqual(ofWebhooks, 1)
      }),
  )

  it.effect("runs four when some are active: listeners, session ends, due events, the queue", () =>
    Effect.gen(function* () {
      const organizationId = yield* makeOrganization
      yield* makeWebhook(organizationId, "active")
      yield* makeWebhook(organizationId, "active")
      yield* arrive(
        ...Array.from({ length: 50 }, (_, index) =>
          identify(0, `${index}@acme.example`, { organizationId, anonymousId: nextId() }),
        ),
      )

      const { ofWebhooks } = yield* pass

      const sql = yield* SqlClient.SqlClient
      const queued = yield* sql`
        select count(*)::int as count from webhook_delivery
        where organization_id = ${organizationId}`
      assert.deepStrictEqual(queued, [{ count: 100 }])
      assert.strictEqual(ofWebhooks, 4)
    }),
  )
})
