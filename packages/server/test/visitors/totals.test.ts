// The total of a list is summed up from counts that triggers keep for each day (people_per_day). It equals the
// naive count of everyone after any writes: visits, merges, suppression, people held back, erasure, by concurrent
// writers, and wherever in a day the window begins (spec 1.6.10, 2.1.12). The same counts find the day of a page
// that is requested by number, which contains the same people as in the naive list (spec 1.6.9).
import { assert, layer } from "@effect/vitest"
import { DateTime, Deferred, Effect, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { statements } from "../../src/platform/database/migrations/0064-people-per-day.ts"
import { VisitorStore } from "../../src/people/visitors/store.ts"
import { type Timeframe, boundsOf } from "../../src/people/visitors/timeframe.ts"
import {
  arrive,
  drain,
  identificationLayer,
  minute,
} from "../identification/identification-layer.ts"
import { random } from "../identification/simulation.ts"
import { isSoak } from "../soak/size.ts"
import { traffic } from "./model.ts"
import {
  crowd,
  day,
  everyone,
  hour,
  list,
  makePixel,
  makeTenant,
  now,
  put,
  scene,
  scopeOf,
  type Tenant,
  visitorsLayer,
} from "./visitors-layer.ts"

const windows: Readonly<Record<Timeframe, number>> = {
  "24h": 1,
  "7d": 7,
  "14d": 14,
  "30d": 30,
  "90d": 90,
  all: Infinity,
}
const timeframes = Object.keys(windows) as ReadonlyArray<Timeframe>
const edges = Object.values(windows).filter(Number.isFinite)

interface Question {
  readonly timeframe: Timeframe
  readonly suppressed: "include" | "exclude" | "only"
  /** Undefined for the whole organization. */
  readonly pixelId: string | undefined
  readonly moment: number
}

/** The hashes of everyone listed, in order, selected and sorted in the test's own process. */
const naive = Effect.fnUntraced(function* (
  organizationId: string,
  { moment, pixelId, suppressed, timeframe }: Question,
) {
  const sql = yield* SqlClient.SqlClient
  const people = yield* sql<{
    readonly lastSeenAt: Date
    readonly suppressed: boolean
    readonly isHeldBack: boolean
    readonly emailHash: string
  }>`
    select visitor.suppressed, visitor.email_hash as "emailHash", seen.last_seen_at as "lastSeenAt", seen.held_back as "isHeldBack"
    from visitor join (
      select id as visitor_id, null::uuid as pixel_id, last_seen_at, held_back
      from visitor where organization_id = ${organizationId}
      union all
      select visitor_id, pixel_id, last_seen_at, held_back
      from visitor_pixel where organization_id = ${organizationId}
    ) as seen on visitor_id = visitor.id
    where organization_id = ${organizationId} and pixel_id is not distinct from ${pixelId ?? null}`
  return people
    .filter(
      (person) =>
        !person.isHeldBack &&
        person.lastSeenAt.getTime() >= moment - windows[timeframe] * day &&
        (suppressed === "include" || person.suppressed === (suppressed === "only")),
    )
    .sort(
      (one, other) =>
        other.lastSeenAt.getTime() - one.lastSeenAt.getTime() ||
        (one.emailHash < other.emailHash ? -1 : 1),
    )
    .map(({ emailHash }) => emailHash)
})

const totalOf = (tenant: Tenant, { moment, pixelId, suppressed, timeframe }: Question) =>
  Effect.map(
    list(
      everyone(tenant, {
        timeframe,
        suppressed,
        ...(pixelId === undefined ? {} : { pixelId }),
      }),
      { page: 1 },
      moment,
    ),
    ({ total }) => total,
  )

/** The people after the given number of others. */
const peopleAfter = (
  offset: number,
  limit: number,
  tenant: Tenant,
  { moment, pixelId, suppressed, timeframe }: Question,
) => {
  const asOf = DateTime.makeUnsafe(moment)
  const from = boundsOf(timeframe, "UTC", asOf).from
  const scope = { ...scopeOf(tenant), pixelId, suppressed, timeframe, asOf, from }
  return Effect.flatMap(VisitorStore, (store) => store.list(scope, { offset }, limit)).pipe(
    Effect.map((rows) => rows.map(({ emailHash }) => emailHash)),
  )
}

/** Writes and queries per seed. */
const steps = isSoak ? 60 : 30

const testLayer = identificationLayer.pipe(Layer.provideMerge(visitorsLayer))

layer(testLayer, { excludeTestServices: true })("the total of a list", (it) => {
  it.effect.each([1, 2])(
    "and a page by number equal the naive ones after any write and at any time of day: seed %i",
    (seed) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const below = random(seed)
        const tenant = yield* makeTenant
        const { organizationId, pixelId } = tenant
        const other = yield* makePixel(organizationId, "other.example")
        const events = [...traffic(seed, { organizationId, pixelIds: [pixelId, other], now })]
        // Someone leaves each window every quarter of an hour.
        yield* put(
          tenant,
          edges.flatMap((days) =>
            Array.from({ length: 100 }, (_, index) => ({
              email: `edge${days}.${index}@acme.example`,
              at: now - days * day + index * 15 * minute,
              suppressed: below(2) === 0,
            })),
          ),
        )
        const digit = () => below(16).toString(16)

        const writes = [
          // Merges are among them: browsers have several people, and people several browsers.
          Effect.suspend(() => arrive(...events.splice(0, 150))).pipe(Effect.andThen(drain)),
          Effect.suspend(
            () => sql`update visitor set suppressed = not suppressed
              where organization_id = ${organizationId} and email_hash < ${digit()}`,
          ),
          Effect.suspend(() => {
            const hashes = `${digit()}%`
            return Effect.forEach(
              ["visitor", "visitor_pixel"],
              (table) => sql`update ${sql(table)} set held_back = not held_back
                where organization_id = ${organizationId} and email_hash like ${hashes}`,
            )
          }),
          Effect.suspend(() => {
            const hashes = `${digit()}${digit()}%`
            return Effect.forEach(
              ["visitor_pixel", "visitor"],
              (table) => sql`delete from ${sql(table)}
                where organization_id = ${organizationId} and email_hash like ${hashes}`,
            )
          }),
          Effect.suspend(
            () => sql`update visitor set last_seen_at = last_seen_at - interval '1 day'
              where organization_id = ${organizationId} and email_hash like ${`${digit()}%`}`,
          ),
        ]
        yield* writes[0]!

        let moment = now
        for (let step = 0; step < steps; step++) {
          if (below(3) === 0) yield* writes[below(writes.length)]!
          moment += below(hour)
          const question: Question = {
            timeframe: timeframes[below(timeframes.length)]!,
            suppressed: (["include", "exclude", "only"] as const)[below(3)]!,
            pixelId: [undefined, pixelId, other][below(3)],
            moment,
          }

          const message = `step ${step}: ${JSON.stringify(question)}`

          const people = yield* naive(organizationId, question)
          assert.strictEqual(yield* totalOf(tenant, question), people.length, message)
          const offset = below(people.length + 20)
          assert.deepStrictEqual(
            yield* peopleAfter(offset, 7, tenant, question),
            people.slice(offset, offset + 7),
            `after ${offset}, ${message}`,
          )
        }
      }),
    120_000,
  )

  it.effect("concurrent writers neither wait for each other nor lose a count", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenant = yield* scene(crowd(40))
      const total = totalOf(tenant, {
        timeframe: "all",
        suppressed: "exclude",
        pixelId: undefined,
        moment: now,
      })
      const suppress = (person: number) => sql`
        update visitor set suppressed = true
        where organization_id = ${tenant.organizationId} and email = ${`p${person}@acme.example`}`
      const isHeld = yield* Deferred.make<void>()
      const mayEnd = yield* Deferred.make<void>()
      const slow = yield* Effect.forkChild(
        suppress(0).pipe(
          Effect.andThen(Deferred.succeed(isHeld, undefined)),
          Effect.andThen(Deferred.await(mayEnd)),
          sql.withTransaction,
        ),
      )
      yield* Deferred.await(isHeld)

      yield* Effect.forEach([1, 2, 3], suppress, { concurrency: "unbounded" })
      yield* Effect.ignore(sql.withTransaction(Effect.andThen(suppress(4), Effect.fail("no"))))

      assert.strictEqual(yield* total, 37)
      yield* Deferred.succeed(mayEnd, undefined)
      yield* Fiber.join(slow)
      assert.strictEqual(yield* total, 36)
    }),
  )

  it.effect("many writers of the same people leave an exact count", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenant = yield* scene(crowd(60))
      const below = random(7)
      const writes = Array.from({ length: 80 }, () => ({
        email: `p${below(60)}@acme.example`,
        back: below(40),
        isKept: below(4) > 0,
      }))

      yield* Effect.forEach(
        writes,
        ({ back, email, isKept }) =>
          sql`
            update visitor
            set last_seen_at = ${new Date(now - back * day)}, suppressed = not suppressed
            where organization_id = ${tenant.organizationId} and email = ${email}`.pipe(
            Effect.andThen(isKept ? Effect.void : Effect.fail("rolled back")),
            sql.withTransaction,
            Effect.ignore,
          ),
        { concurrency: 8 },
      )

      for (const suppressed of ["include", "exclude", "only"] as const) {
        for (const timeframe of timeframes) {
          const question = { timeframe, suppressed, pixelId: undefined, moment: now }
          assert.strictEqual(
            yield* totalOf(tenant, question),
            (yield* naive(tenant.organizationId, question)).length,
            JSON.stringify(question),
          )
        }
      }
    }),
  )

  it.effect("counts people who existed before the counts did", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenant = yield* scene(crowd(25))
      const question: Question = {
        timeframe: "30d",
        suppressed: "include",
        pixelId: tenant.pixelId,
        moment: now,
      }
      const functions = ["visitor", "visitor_pixel"].flatMap((table) =>
        ["insert", "update", "delete"].map((event) => `count_${table}_${event}`),
      )
      yield* sql.unsafe("drop table people_per_day")
      yield* sql.unsafe(`drop function ${functions.join()} cascade`)

      yield* Effect.forEach(statements, (statement) => sql.unsafe(statement))

      assert.strictEqual(yield* totalOf(tenant, question), 25)
      assert.strictEqual(yield* totalOf(tenant, { ...question, pixelId: undefined }), 25)
    }),
  )
})
