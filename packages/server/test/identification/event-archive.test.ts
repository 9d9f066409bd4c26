// Old events in ClickHouse (spec 18.3): what moves, that nothing is lost or doubled wherever a move is interrupted, that
// erased and expired events are deleted there too, and that look-ups read them.
import { assert, layer } from "@effect/vitest"
import { Cause, Deferred, Effect, Exit, Fiber, Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { Partitions } from "../../src/platform/database/partitions.ts"
import { EventArchive, EventArchiveDays } from "../../src/people/archive/event-archive.ts"
import { EventArchiveStore } from "../../src/people/archive/store.ts"
import { ErasureStore } from "../../src/people/erasure/store.ts"
import { SessionEvents } from "../../src/people/events/session-events.ts"
import { SessionEventStore } from "../../src/people/events/store.ts"
import { Origins } from "../../src/people/identification/origins/origins.ts"
import { Pixels } from "../../src/collect/pixels/pixels.ts"
import { PixelStore } from "../../src/collect/pixels/store.ts"
import { RuleTurns } from "../../src/people/visitors/query/rule-turns.ts"
import { sessionIdOf } from "../../src/people/visitors/sessions/session-id.ts"
import { Retention } from "../../src/people/retention/retention.ts"
import { RetentionStore } from "../../src/people/retention/store.ts"
import {
  type ClickHouse,
  clickHouseAt,
  OperatorClickHouse,
  type ProvidedClickHouse,
} from "../../src/platform/outbound/clickhouse/clickhouse-store.ts"
import { Secrets } from "../../src/platform/secrets/secrets.ts"
import { RowBinary } from "../../src/platform/outbound/clickhouse/row-binary.ts"
import { hashEmail } from "../../src/collect/visits/email-address.ts"
import { clickHouseCluster, clickHouseDatabase } from "../support/clickhouse.ts"
import { linesInClickHouse, linesInPostgres } from "./event-lines.ts"
import {
  arrive,
  drain,
  event,
  type EventChange,
  identify,
  minute,
  testLayer,
} from "./identification-layer.ts"

const limit = 60_000
const day = 24 * 60 * minute
const now = Date.now()
const archiveDays = 100

/** An event of the past, received when it happened. */
const ago = (days: number, change: EventChange): EventChange => ({
  ...change,
  occurredAt: now - days * day,
  receivedAt: now - days * day,
})
const visit = (days: number, change: EventChange) => event(0, ago(days, change))
const visitOf = (days: number, email: string, change: EventChange) =>
  identify(0, email, ago(days, change))
const browser = () => ({ anonymousId: randomUUID() })
const hash = (email: string) => hashEmail(email).sha256

const ClickHouseOfTests = Layer.effect(
  OperatorClickHouse,
  Effect.gen(function* () {
    const client = clickHouseAt(yield* Effect.promise(clickHouseDatabase))
    yield* Effect.addFinalizer(() => client.close)
    return { ...client, cluster: clickHouseCluster }
  }),
)

const secretsLayer = Secrets.layer([Redacted.make("a secret of at least 32 characters")])

const archiveLayer = Layer.mergeAll(Origins.layer, Retention.layer, SessionEvents.layer).pipe(
  Layer.provideMerge(EventArchive.layer),
  Layer.provideMerge(Layer.provide(Pixels.layer, PixelStore.layer)),
  Layer.provideMerge(Layer.mergeAll(SessionEventStore.layer, RuleTurns.layer, secretsLayer)),
  Layer.provideMerge(
    Layer.mergeAll(ErasureStore.layer, EventArchiveStore.layer, RetentionStore.layer),
  ),
  Layer.provideMerge(Layer.succeed(EventArchiveDays, archiveDays)),
  Layer.provideMerge(ClickHouseOfTests),
  Layer.provideMerge(testLayer),
)

const clickHouse = Effect.map(OperatorClickHouse, (client) => client!)
const move = Effect.flatMap(EventArchive, (archive) => archive.move)
const forget = Effect.flatMap(EventArchive, (archive) => archive.forget)
const expire = Effect.flatMap(EventArchive, (archive) => archive.expire)

const tenant = Effect.fnUntraced(function* (retentionDays: number | null = null) {
  const sql = yield* SqlClient.SqlClient
  const organizationId = randomUUID()
  yield* sql`
    insert into organization (id, name, slug, retention_days)
    values (${organizationId}, 'Tidewater', ${organizationId}, ${retentionDays})`
  return { organizationId }
})

/** The organization's events in Postgres, one line each. */
const inPostgres = ({ organizationId }: { readonly organizationId: string }) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(sql.unsafe<{ readonly line: string }>(linesInPostgres(organizationId)), (rows) =>
      rows.map(({ line }) => line),
    ),
  )

/** Those in ClickHouse in the same form, as often as they are there. */
const inClickHouse = ({ organizationId }: { readonly organizationId: string }) =>
  Effect.flatMap(clickHouse, ({ query }) =>
    Effect.map(query(linesInClickHouse(organizationId)), (bytes) => {
      const lines: Array<string> = []
      for (const rows = new RowBinary(bytes); rows.hasMore;) lines.push(rows.utf8())
      return lines.toSorted()
    }),
  )

/** As the route does, without the parts of other rooms. Returns the visitor's id. */
const erase = (organizationId: string, email: string) =>
  Effect.gen(function* () {
    const store = yield* ErasureStore
    const emailHash = hash(email)
    yield* store.transaction(
      Effect.gen(function* () {
        yield* store.begin
        yield* store.waitForTurn(organizationId)
        const visitorId = (yield* store.find(organizationId, emailHash))!
        const addresses = [{ emailHash, email }]
        yield* store.erase({ organizationId, visitorId, addresses })
      }),
    )
  })

const later = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`update event_gone set erased_at = erased_at - interval '31 minutes'`,
)

const gone = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`select session_id from event_gone`)

/** Moves with a ClickHouse that differs from the real one. */
const moveWith = (change: (client: ClickHouse) => Partial<ClickHouse>) =>
  Effect.flatMap(clickHouse, (client) =>
    move.pipe(
      Effect.provide(Layer.fresh(EventArchive.layer)),
      Effect.provideService(OperatorClickHouse, { ...client, ...change(client) }),
    ),
  )

layer(archiveLayer, { excludeTestServices: true, timeout: 240_000 })(
  "the archive of events",
  (it) => {
    it.effect(
      "gets every event that is old enough exactly as it was, and none that is newer, has click ids or was set aside",
      () =>
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const of = yield* tenant()
          const odd = {
            t: 'Zoë\'s "quay"\t\\ \n 港 \u{1f6a2}',
            o: { price: 12.5, name: "ß" },
          } as const
          yield* arrive(
            visit(101, {
              ...of,
              ...browser(),
              payload: odd,
              url: "https://tidewater.example/港/ö",
            }),
            visit(101, { ...of, anonymousId: null, type: "track", payload: { n: "sold" } }),
            visitOf(102, "jane@acme.example", { ...of, ...browser() }),
            visit(400, { ...of, ...browser(), url: "" }),
            visit(99, { ...of, ...browser() }),
            visit(150, { ...of, ...browser(), payload: { c: { gclid: "click" } } }),
            visit(151, { ...of, ...browser(), payload: { t: "set aside" } }),
          )
          yield* drain
          yield* sql`
          update event set session_id = null
          where organization_id = ${of.organizationId} and payload ->> 't' = 'set aside'`
          yield* sql`
          update event set url = null
          where organization_id = ${of.organizationId} and url = ''`
          const before = yield* inPostgres(of)
          assert.lengthOf(before, 7)
          const stays = (line: string) =>
            line.includes("gclid") || line.includes("set aside") || line.startsWith(dayAgo(99))

          yield* move

          assert.deepStrictEqual(yield* inPostgres(of), before.filter(stays))
          assert.deepStrictEqual(
            yield* inClickHouse(of),
            before.filter((line) => !stays(line)),
          )
          yield* move
          assert.lengthOf(yield* inClickHouse(of), 4)
        }),
      limit,
    )

    it.effect(
      "loses and doubles nothing when a process is killed after writing and before deleting",
      () =>
        Effect.gen(function* () {
          const of = yield* tenant()
          yield* arrive(
            ...Array.from({ length: 5 }, (_, n) => visit(120 + n, { ...of, ...browser() })),
            ...Array.from({ length: 1_100 }, () => visit(130, { ...of, ...browser() })),
          )
          yield* drain
          const before = yield* inPostgres(of)
          const store = yield* EventArchiveStore
          let batches = 0
          const killed = yield* move.pipe(
            Effect.provide(Layer.fresh(EventArchive.layer)),
            Effect.provideService(EventArchiveStore, {
              ...store,
              // The second one comes after the day's first 1,000 events were moved as a whole.
              remove: (...of) => (++batches === 2 ? Effect.interrupt : store.remove(...of)),
            }),
            Effect.exit,
          )
          assert.isTrue(Exit.isFailure(killed) && Cause.hasInterruptsOnly(killed.cause))
          assert.isAbove((yield* inClickHouse(of)).length, 1_000)
          const left = yield* inPostgres(of)
          assert.isNotEmpty(left)

          yield* move

          assert.deepStrictEqual(yield* inPostgres(of), [])
          assert.deepStrictEqual(yield* inClickHouse(of), before)
        }),
      limit,
    )

    it.effect(
      "leaves events in Postgres if ClickHouse has others than were sent, or does not answer",
      () =>
        Effect.gen(function* () {
          const of = yield* tenant()
          yield* arrive(visitOf(110, "jane@acme.example", { ...of, ...browser() }))
          yield* drain
          const before = yield* inPostgres(of)

          const differs = yield* Effect.flip(
            moveWith(({ insert }) => ({
              insert: (statement, rows) =>
                insert(
                  statement,
                  [...rows].map((bytes) =>
                    Buffer.from(
                      Buffer.from(bytes).toString("latin1").replace("jane@", "jame@"),
                      "latin1",
                    ),
                  ),
                ),
            })),
          )
          assert.include(differs.message, `have 1 events of ${dayAgo(110)} as they were sent`)
          assert.deepStrictEqual(yield* inPostgres(of), before)

          const lacks = yield* Effect.flip(moveWith(() => ({ insert: () => Effect.void })))
          assert.strictEqual(lacks._tag, "ArchiveDiffers")
          assert.deepStrictEqual(yield* inPostgres(of), before)

          const away = { ...clickHouseAt("http://127.0.0.1:9/none"), cluster: undefined }
          const unreachable = yield* Effect.flip(moveWith(() => away))
          assert.strictEqual(unreachable._tag, "SqlError")
          yield* away.close
          assert.deepStrictEqual(yield* inPostgres(of), before)

          yield* move
          assert.deepStrictEqual(yield* inPostgres(of), [])
          assert.deepStrictEqual(yield* inClickHouse(of), before)
        }),
      limit,
    )

    it.effect(
      "is written by one process at a time, and by another after five minutes",
      () =>
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const of = yield* tenant()
          yield* arrive(visit(110, { ...of, ...browser() }))
          yield* drain
          const store = yield* EventArchiveStore
          assert.isDefined(yield* store.take(randomUUID(), dayAgo(200)))

          yield* move
          assert.lengthOf(yield* inPostgres(of), 1)

          yield* sql`update event_archive set lease_ends_at = lease_ends_at - interval '5 minutes'`
          yield* move
          assert.lengthOf(yield* inPostgres(of), 0)
        }),
      limit,
    )

    it.effect(
      "takes no batch that arrives after its lease has ended",
      () =>
        Effect.gen(function* () {
          const of = yield* tenant()
          yield* arrive(visit(110, { ...of, ...browser() }))
          yield* drain

          const late = yield* Effect.flip(
            moveWith(({ insert }) => ({
              insert: (statement, rows) =>
                insert(
                  statement.replace(
                    /(< )(\d+)/,
                    (_, sign: string, endsAt: string) => sign + (Number(endsAt) - 301),
                  ),
                  rows,
                ),
            })),
          )

          assert.strictEqual(late._tag, "ArchiveDiffers")
          assert.deepStrictEqual(yield* inClickHouse(of), [])
          assert.lengthOf(yield* inPostgres(of), 1)
          yield* move
        }),
      limit,
    )

    it.effect(
      "loses an erased person's events, and keeps those of others in the same browser",
      () =>
        Effect.gen(function* () {
          const of = yield* tenant()
          const shared = browser()
          yield* arrive(
            visit(120.01, { ...of, ...shared, payload: { t: "of Jane" } }),
            visitOf(120, "jane@acme.example", { ...of, ...shared }),
            visitOf(119, "tom@acme.example", { ...of, ...shared }),
            visit(118, { ...of, ...shared, payload: { t: "of Tom" } }),
            visitOf(105, "jane@acme.example", { ...of, ...browser() }),
          )
          yield* drain
          const toms = (yield* inPostgres(of)).filter((line) => /tom@|of Tom/.test(line))
          assert.lengthOf(toms, 2)
          yield* move
          assert.lengthOf(yield* inClickHouse(of), 5)

          yield* erase(of.organizationId, "jane@acme.example")
          assert.lengthOf(yield* gone, 2)
          yield* forget

          assert.deepStrictEqual(yield* inClickHouse(of), toms)
          // The same browser again, and the same person: a person who was erased may come back.
          const again = visitOf(104, "ann@acme.example", { ...of, ...shared })
          yield* arrive(again)
          yield* drain
          yield* move
          yield* later
          yield* forget
          assert.lengthOf(yield* inClickHouse(of), 3)
          assert.deepStrictEqual(yield* gone, [])
        }),
      limit,
    )

    it.effect(
      "loses an erased person's events that were on their way during the erasure",
      () =>
        Effect.gen(function* () {
          const of = yield* tenant()
          yield* arrive(
            visitOf(120, "jane@acme.example", { ...of, ...browser() }),
            visitOf(120, "tom@acme.example", { ...of, ...browser() }),
          )
          yield* drain
          const toms = (yield* inPostgres(of)).filter((line) => line.includes("tom@"))
          const context = yield* Effect.context<ErasureStore | EventArchive>()

          yield* moveWith(({ insert }) => ({
            insert: (statement, rows) =>
              // Erased, and even deleted from ClickHouse, before the batch arrives there.
              erase(of.organizationId, "jane@acme.example").pipe(
                Effect.andThen(forget),
                Effect.provideContext(context),
                Effect.orDie,
                Effect.andThen(insert(statement, rows)),
              ),
          }))

          assert.deepStrictEqual(yield* inPostgres(of), [])
          assert.lengthOf(yield* inClickHouse(of), 2)
          yield* forget
          assert.lengthOf(yield* gone, 1)
          yield* later
          yield* forget
          assert.deepStrictEqual(yield* inClickHouse(of), toms)
          assert.deepStrictEqual(yield* gone, [])
        }),
      limit,
    )

    it.effect(
      "gets no event that an erasure is deleting, so that every erasure that could miss one records it",
      () =>
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const of = yield* tenant()
          yield* arrive(visitOf(120, "jane@acme.example", { ...of, ...browser() }))
          yield* drain
          // As on a database from which no event was ever moved.
          yield* sql`delete from event_archive`
          const [deleted, moved] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
          const store = yield* ErasureStore
          const erasing = yield* Effect.forkChild(
            store.transaction(
              Effect.gen(function* () {
                const emailHash = hash("jane@acme.example")
                const visitorId = (yield* store.find(of.organizationId, emailHash))!
                yield* store.erase({ ...of, visitorId, addresses: [{ emailHash, email: null }] })
                yield* Deferred.succeed(deleted, undefined)
                yield* Deferred.await(moved)
              }),
            ),
          )
          yield* Deferred.await(deleted)

          yield* move
          yield* Deferred.succeed(moved, undefined)
          yield* Fiber.join(erasing)

          assert.deepStrictEqual(yield* gone, [])
          assert.deepStrictEqual(yield* inPostgres(of), [])
          assert.deepStrictEqual(yield* inClickHouse(of), [])
        }),
      limit,
    )

    it.effect(
      "loses the events past an organization's retention, to the day",
      () =>
        Effect.gen(function* () {
          const of = yield* tenant(110)
          const other = yield* tenant()
          yield* arrive(
            visit(111, { ...of, ...browser() }),
            visit(109, { ...of, ...browser() }),
            visit(111, { ...other, ...browser() }),
          )
          yield* drain
          yield* move
          assert.lengthOf(yield* inClickHouse(of), 2)

          yield* expire

          assert.deepStrictEqual(
            (yield* inClickHouse(of)).map((line) => line.slice(0, 10)),
            [dayAgo(109)],
          )
          assert.lengthOf(yield* inClickHouse(other), 1)
        }),
      limit,
    )

    it.effect(
      "says how an address was learned, as Postgres did, and fails if it does not answer",
      () =>
        Effect.gen(function* () {
          const of = yield* tenant()
          const jane = { ...of, ...browser() }
          yield* arrive(
            visitOf(130, "jane@acme.example", { ...jane, type: "capture" }),
            visitOf(129, "jane@gmail.com", { ...of, ...browser() }),
            visit(129, { ...jane, payload: { h: hash("jane@acme.example") } }),
          )
          yield* drain
          const origins = Effect.flatMap(Origins, ({ of: find }) =>
            find(of.organizationId, hash("jane@acme.example")),
          )
          const before = yield* origins
          assert.deepStrictEqual(
            before!.addresses.map(({ way }) => way),
            ["form"],
          )

          yield* move
          assert.deepStrictEqual(yield* inPostgres(of), [])
          assert.deepStrictEqual(yield* origins, before)

          const withClickHouse = (client: ProvidedClickHouse | undefined) =>
            origins.pipe(
              Effect.provide(Layer.fresh(Layer.provide(Origins.layer, EventArchive.layer))),
              Effect.provideService(OperatorClickHouse, client),
              Effect.exit,
            )
          const away = { ...clickHouseAt("http://127.0.0.1:9/none"), cluster: undefined }
          assert.include(reasonOf(yield* withClickHouse(away)), "ConnectionError")
          yield* away.close
          assert.include(reasonOf(yield* withClickHouse(undefined)), "CLICKHOUSE_URL is not set")
        }),
      limit,
    )

    it.effect(
      "gives the events of a session as Postgres did, wherever each of them is, and fails if it does not answer",
      () =>
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const of = { ...(yield* tenant()), ...browser() }
          const url = (path: string) => `https://tidewater.example${path}`
          const beat = (s: number): EventChange => ({
            type: "heartbeat",
            url: url("/docs"),
            payload: { s },
          })
          const at = (seconds: number, change: EventChange): EventChange => ({
            ...change,
            occurredAt: now - 101 * day + seconds * 1_000,
          })
          const received = (days: number) => ({ ...of, receivedAt: now - days * day })
          // Received in time, or days later, so that only some of them move.
          yield* arrive(
            event(0, {
              ...received(101),
              ...at(0, { url: url("/"), payload: { t: "Größe 📏" } }),
            }),
            event(0, { ...received(98), ...at(5, { url: url("/docs") }) }),
            event(0, { ...received(101), ...at(35, beat(30)) }),
            event(0, { ...received(98), ...at(65, beat(20)) }),
            event(0, {
              ...received(101),
              ...at(90, {
                type: "track",
                url: url("/docs"),
                payload: { n: "Copied", o: { lines: 3 } },
              }),
            }),
            event(0, { ...received(98), ...at(90, { url: url("/") }) }),
            identify(0, "jane@acme.example", { ...received(101), ...at(91, { url: url("/") }) }),
          )
          yield* drain
          const [session] = yield* sql<{ id: string; pixelId: string }>`
            select id, pixel_id as "pixelId" from session where organization_id = ${of.organizationId}`
          const sessionId = sessionIdOf(session!, yield* Secrets)
          const read = Effect.fnUntraced(function* (limit: number) {
            const { page } = yield* SessionEvents
            const all: Array<unknown> = []
            let cursor: string | undefined
            do {
              const found = yield* page({
                organizationId: of.organizationId,
                owner: { emailHash: hash("jane@acme.example") },
                sessionId,
                limit,
                cursor,
              })
              all.push(...found.events)
              cursor = found.nextCursor ?? undefined
            } while (cursor !== undefined)
            return all
          })
          const before = yield* read(100)
          assert.deepStrictEqual(
            before.map((one) => (one as { secondsVisible: number | null }).secondsVisible),
            [5, 50, null, null],
          )

          yield* sql`
            create table kept_event as
            select * from event where organization_id = ${of.organizationId}`
          yield* move
          assert.lengthOf(yield* inPostgres(of), 3)
          for (const limit of [1, 2, 100]) assert.deepStrictEqual(yield* read(limit), before)
          // A move that is interrupted leaves events in both.
          yield* sql`
            insert into event select * from kept_event k
            where not exists (select from event e where e.id = k.id)`
          assert.lengthOf(yield* inPostgres(of), 7)
          for (const limit of [1, 100]) assert.deepStrictEqual(yield* read(limit), before)

          const withClickHouse = (client: ProvidedClickHouse | undefined) =>
            read(100).pipe(
              Effect.provide(Layer.fresh(Layer.provide(SessionEvents.layer, EventArchive.layer))),
              Effect.provideService(OperatorClickHouse, client),
              Effect.exit,
            )
          const away = { ...clickHouseAt("http://127.0.0.1:9/none"), cluster: undefined }
          assert.include(reasonOf(yield* withClickHouse(away)), "ConnectionError")
          yield* away.close
          assert.include(reasonOf(yield* withClickHouse(undefined)), "CLICKHOUSE_URL is not set")
        }),
      limit,
    )

    it.effect(
      "is not asked for what Postgres has",
      () =>
        Effect.gen(function* () {
          const of = yield* tenant()
          yield* arrive(
            visitOf(120, "ann@acme.example", { ...of, ...browser() }),
            visitOf(3, "jane@acme.example", { ...of, ...browser() }),
          )
          yield* drain
          yield* move
          const away = { ...clickHouseAt("http://127.0.0.1:9/none"), cluster: undefined }

          const found = yield* Effect.flatMap(Origins, ({ of: find }) =>
            find(of.organizationId, hash("jane@acme.example")),
          ).pipe(
            Effect.provide(Layer.fresh(Layer.provide(Origins.layer, EventArchive.layer))),
            Effect.provideService(OperatorClickHouse, away),
          )

          assert.strictEqual(found!.addresses[0]!.way, "identify")
          yield* away.close
        }),
      limit,
    )

    it.effect(
      "is not waited for longer than five seconds, however many addresses a visitor has",
      () =>
        Effect.gen(function* () {
          const asked = yield* Deferred.make<void>()
          const slow: typeof OperatorClickHouse.Service = {
            cluster: undefined,
            database: "default",
            query: () =>
              Deferred.succeed(asked, undefined).pipe(
                Effect.andThen(Effect.sleep("3 seconds")),
                Effect.as(Buffer.alloc(0)),
              ),
            run: () => Effect.void,
            insert: () => Effect.void,
          }
          const [first, second] = ["jane@acme.example", "j@acme.example"].map((email) => ({
            emailHash: hash(email),
            email,
            firstSeenAt: now,
            sessionIds: [randomUUID()],
          }))
          const layer = Layer.fresh(EventArchive.layer).pipe(
            Layer.provide(
              Layer.mock(EventArchiveStore, {
                sessionsOf: () => Effect.succeed([first!, second!]),
              }),
            ),
            Layer.provide(Layer.succeed(OperatorClickHouse, slow)),
            Layer.provide(Layer.mock(Partitions, {})),
          )
          const visitor = { id: randomUUID(), organizationId: randomUUID() }
          const waiting = yield* Effect.forkChild(
            Effect.flatMap(EventArchive, ({ naming }) => naming(visitor, [])).pipe(
              Effect.provide(layer),
            ),
          )
          yield* Deferred.await(asked)
          yield* TestClock.adjust("5 seconds")

          assert.include(reasonOf(yield* Fiber.await(waiting)), "did not answer within 5 seconds")
        }).pipe(Effect.provide(TestClock.layer())),
      limit,
    )
  },
)

const dayAgo = (days: number) => new Date(now - days * day).toISOString().slice(0, 10)

const reasonOf = <A, E>(exit: Exit.Exit<A, E>): string =>
  Exit.isFailure(exit) ? Cause.pretty(exit.cause) : ""
