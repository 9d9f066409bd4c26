// Deliveries: contacts per second to a local sink, compared with bare undici that posts and signs the same bodies at
// the same concurrency; the time from the sync to the first contact; and the comparison of two runs in SQL.
import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { createHmac, randomUUID } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"
import { Pool } from "undici"
import { AccessConfig } from "../src/access/access-config.ts"
import { AccessTokens } from "../src/access/tokens/access-tokens.ts"
import { ExternalKeys } from "../src/access/tokens/external-keys.ts"
import { fragmentOf } from "../src/platform/database/sql-text.ts"
import { contactsAtOnce } from "../src/activation/deliveries/delivery.ts"
import { webhookContentHash } from "../src/activation/deliveries/content-hash.ts"
import { planning } from "../src/activation/deliveries/sql/plan.ts"
import { sealSecret } from "../src/activation/destinations/webhook-secret.ts"
import { Secrets } from "../src/platform/secrets/secrets.ts"
import { createFootfall } from "../src/app/index.ts"
import { dataKeysIn } from "../test/support/data-keys.ts"
import { type BenchPostgres, query } from "./database.ts"
import { type DeliveryFixture, fixtureTopics, makeDeliveryFixture } from "./deliveries-fixture.ts"
import { ready, start, stop } from "./processes.ts"
import type { Row } from "./report.ts"

/** Contacts per delivery. The smoke run has fewer. */
const contacts = Number(process.env["BENCH_DELIVERY_CONTACTS"] ?? 20_000)
/** People in each of the two compared runs. */
const people = Number(process.env["BENCH_DIFF_PEOPLE"] ?? 1_000_000)
const rounds = 3
/**
 * Each poll needs a connection and takes time from the two cores. The measured times come from the
 * database.
 */
const pollMs = 250

const port = 4_193
const sinkUrl = `http://127.0.0.1:${port}`
const secretText = "the secret of the benchmarks: not a secret at all"
const webhookSecret = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
const baseUrl = "http://127.0.0.1:4194"

/** Same form and size as a contact event. */
const bodyOf = (sequence: number): string =>
  JSON.stringify({
    id: `msg_${"a".repeat(26)}`,
    event: "intent.audience.contact.upserted",
    timestamp: "2026-03-11T09:05:02.000Z",
    sequence,
    padding: "x".repeat(1_450),
  })

/** Contacts per second for just build, sign and post. */
const bare = async (): Promise<number> => {
  const pool = new Pool(sinkUrl, { connections: contactsAtOnce })
  const key = Buffer.from(webhookSecret.slice("whsec_".length), "base64")
  let next = 0
  const lane = async () => {
    while (next < contacts) {
      const body = bodyOf(next++)
      const id = `msg_${randomUUID()}`
      const timestamp = String(Math.floor(Date.now() / 1000))
      const signature = createHmac("sha256", key)
        .update(`${id}.${timestamp}.`)
        .update(body)
        .digest("base64")
      const answer = await pool.request({
        method: "POST",
        path: "/hook",
        headers: {
          "content-type": "application/json; charset=utf-8",
          "webhook-id": id,
          "webhook-timestamp": timestamp,
          "webhook-signature": `v1,${signature}`,
        },
        body,
      })
      await answer.body.dump()
    }
  }
  const begin = performance.now()
  await Promise.all(Array.from({ length: contactsAtOnce }, lane))
  const perSecond = contacts / ((performance.now() - begin) / 1000)
  await pool.close()
  return perSecond
}

interface Delivered {
  readonly perSecond: number
  readonly firstContactMs: number
}

interface Round extends Delivered {
  readonly floorPerSecond: number
}

/** Alternates between a delivery and the floor, because the load on the machine may vary. */
const alternating = async (database: string): Promise<ReadonlyArray<Round>> => {
  const footfall = await createFootfall({
    databaseUrl: database,
    secret: secretText,
    baseUrl,
    rateLimits: false,
    allowPrivateWebhooks: true,
  })
  const dataKeys = await dataKeysIn((text) => query(database, text), secretText)
  const seal = (organizationId: string, destinationId: string) =>
    sealSecret(dataKeys, { organizationId, destinationId }, webhookSecret)
  const inRounds: Array<Round> = []
  try {
    for (let round = 0; round <= rounds; round++) {
      const fixture = await makeDeliveryFixture(database, {
        people: round === 0 ? Math.min(contacts, 2_000) : contacts,
        url: `${sinkUrl}/hook`,
        seal,
      })
      const delivered = await deliver(database, footfall.fetch, fixture)
      const floorPerSecond = await bare()
      // The first round is a warm-up.
      if (round > 0) inRounds.push({ ...delivered, floorPerSecond })
    }
  } finally {
    await footfall.close()
  }
  return inRounds
}

const deliver = async (
  database: string,
  fetch: (request: Request) => Promise<Response>,
  { audienceId, destinationId, organizationId }: DeliveryFixture,
): Promise<Delivered> => {
  await globalThis.fetch(sinkUrl, { method: "DELETE" })
  const accessToken = await tokenFor(database, organizationId)
  const path = `/v1/intent/audiences/${audienceId}/destinations/${destinationId}/sync`
  const at = Date.now()
  const answer = await fetch(
    new Request(baseUrl + path, {
      method: "POST",
      headers: { authorization: `Bearer ${accessToken}`, "content-type": "application/json" },
      body: "{}",
    }),
  )
  if (answer.status !== 202) throw new Error(await answer.text())
  for (;;) {
    const [row] = (await query(
      database,
      `select status, sent_count, extract(epoch from completed_at - started_sent_at) as seconds
       from delivery where destination_id = $1`,
      [destinationId],
    )) as ReadonlyArray<{ status: string; sent_count: number; seconds: string }>
    if (row?.status === "completed") {
      const { firstContactAt } = (await (await globalThis.fetch(sinkUrl)).json()) as {
        readonly firstContactAt: number
      }
      return {
        perSecond: row.sent_count / Number(row.seconds),
        firstContactMs: firstContactAt - at,
      }
    }
    if (row?.status !== "queued" && row?.status !== "processing") throw new Error(row?.status)
    await sleep(pollMs)
  }
}

const tokenFor = async (database: string, organizationId: string): Promise<string> => {
  const userId = randomUUID()
  const email = `${userId}@bench.example`
  await query(database, "insert into user_account (id, email) values ($1, $2)", [userId, email])
  await query(
    database,
    "insert into member (organization_id, user_id, role) values ($1, $2, 'member')",
    [organizationId, userId],
  )
  const { accessToken } = await AccessTokens.pipe(
    Effect.flatMap((tokens) => tokens.issue({ userId, organizationId, role: "member" })),
    Effect.provide(Layer.provide(AccessTokens.layer, Layer.mock(ExternalKeys, {}))),
    Effect.provide(
      Layer.merge(
        Secrets.layer([Redacted.make(secretText)]),
        Layer.succeed(AccessConfig, { baseUrl, externalIssuer: undefined, hasConsole: true }),
      ),
    ),
    Effect.runPromise,
  )
  return Redacted.value(accessToken)
}

/** Seconds to select who changed between two runs, and the number of contacts selected. */
const diff = async (database: string): Promise<{ seconds: number; selected: number }> => {
  const fixture = await makeDeliveryFixture(database, { people, url: sinkUrl })
  const hash = webhookContentHash(fixtureTopics)
  const { destinationId, organizationId, runIds } = fixture
  return Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql.withTransaction(
      Effect.andThen(
        sql`set local statement_timeout = 0`,
        sql`
          insert into destination_contact (organization_id, destination_id, hashed_email, content_hash)
          select organization_id, ${destinationId}, hashed_email, ${fragmentOf(hash)}
          from run_result as result
          where organization_id = ${organizationId} and run_id = ${runIds[0]}`,
      ),
    )
    yield* sql`analyze run_result, destination_contact`
    const begin = performance.now()
    const planned = yield* sql.withTransaction(
      planning(sql)(
        {
          organizationId,
          deliveryId: randomUUID(),
          destinationId,
          sourceRunId: runIds[1],
          baselineRunId: runIds[0],
          mode: "incremental",
          retryOfDeliveryId: null,
        },
        { hash, listId: null, leaving: "tell" },
      ),
    )
    return { seconds: (performance.now() - begin) / 1000, selected: planned.sourceCount }
  }).pipe(Effect.provide(PgClient.layer({ url: Redacted.make(database) })), Effect.runPromise)
}

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)]!

export const deliveries = async (postgres: BenchPostgres): Promise<ReadonlyArray<Row>> => {
  const sink = start([new URL("deliveries-sink.ts", import.meta.url).pathname, String(port)], {})
  try {
    await ready(port, performance.now(), "/")
    const database = await postgres.database("deliveries")
    const inRounds = await alternating(database)
    const floor = median(inRounds.map((one) => one.floorPerSecond))
    const perSecond = median(inRounds.map((one) => one.perSecond))
    const firstContactMs = median(inRounds.map((one) => one.firstContactMs))
    await postgres.drop("deliveries")
    const { seconds, selected } = await diff(await postgres.database("delivery_diff"))
    await postgres.drop("delivery_diff")
    return [
      {
        name: `delivery of ${contacts} contacts`,
        floor: `${Math.round(floor)}/s`,
        ours: `${Math.round(perSecond)}/s`,
        ratio: perSecond / floor,
        bar: { atLeast: 0.7 },
      },
      {
        name: "sync to first contact",
        floor: "-",
        ours: `${Math.round(firstContactMs)} ms`,
        ratio: firstContactMs / 1000,
        bar: { atMost: 1 },
      },
      {
        name: `${selected} of ${people} people changed`,
        floor: "-",
        ours: `${seconds.toFixed(1)} s`,
        ratio: seconds,
        bar: { atMost: 30 },
      },
    ]
  } finally {
    await stop(sink)
  }
}
