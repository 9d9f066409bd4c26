// When a list is marked partial, because not all data of its window was considered (spec 2.1).
import { assert, describe, it, layer } from "@effect/vitest"
import { DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { randomUUID } from "node:crypto"
import { Coverages } from "../../../src/people/visitors/coverages/coverages.ts"
import { CoverageStore } from "../../../src/people/visitors/coverages/store.ts"
import { TestDatabase } from "../../support/database.ts"

const organizationId = randomUUID()
const asOf = DateTime.makeUnsafe("2026-03-11T09:00:00.000Z")
const daysBack = (days: number) => DateTime.subtract(asOf, { days })

const withBehind = (behind: Effect.Effect<ReadonlyArray<string>>) =>
  Layer.provide(Coverages.layer, Layer.mock(CoverageStore, { behind }))

describe("retention", () => {
  for (const { days, from, partial, retentionDays } of [
    { days: 30, retentionDays: null, partial: false, from: "2026-02-09T09:00:00.000Z" },
    { days: undefined, retentionDays: null, partial: false, from: null },
    { days: 30, retentionDays: 31, partial: false, from: "2026-02-09T09:00:00.000Z" },
    { days: 30, retentionDays: 30, partial: false, from: "2026-02-09T09:00:00.000Z" },
    { days: 90, retentionDays: 89, partial: true, from: "2025-12-12T09:00:00.000Z" },
    { days: undefined, retentionDays: 3650, partial: true, from: "2016-03-13T09:00:00.000Z" },
  ]) {
    it.effect(`of ${retentionDays} days and a window of ${days}: partial ${partial}`, () =>
      Effect.gen(function* () {
        const window = days === undefined ? undefined : daysBack(days)

        const coverage = yield* Effect.flatMap(Coverages, (coverages) =>
          coverages.find({ organizationId, asOf, from: window }, retentionDays),
        )

        assert.deepStrictEqual(coverage, { partial, from })
      }).pipe(Effect.provide(withBehind(Effect.succeed([])))),
    )
  }
})

describe("events that wait", () => {
  it.effect("make a window partial for their organization, and for no other", () =>
    Effect.gen(function* () {
      const coverages = yield* Coverages
      const from = daysBack(7)

      const ours = yield* coverages.find({ organizationId, asOf, from }, null)
      const theirs = yield* coverages.find({ organizationId: randomUUID(), asOf, from }, null)

      assert.deepStrictEqual([ours.partial, theirs.partial], [true, false])
      assert.strictEqual(ours.from, "2026-03-04T09:00:00.000Z")
    }).pipe(Effect.provide(withBehind(Effect.succeed([organizationId])))),
  )

  it.effect("are queried once in five seconds, no matter how many lists are read", () => {
    let asked = 0
    return Effect.gen(function* () {
      const coverages = yield* Coverages
      const read = coverages.find({ organizationId, asOf, from: undefined }, null)
      const counts: Array<number> = []

      for (const wait of ["0 seconds", "4999 millis", "1 millis", "1 second"] as const) {
        yield* TestClock.adjust(wait)
        yield* Effect.all([read, read, read], { concurrency: "unbounded" })
        counts.push(asked)
      }

      assert.deepStrictEqual(counts, [1, 1, 2, 2])
    }).pipe(Effect.provide(withBehind(Effect.sync(() => ((asked += 1), [])))))
  })
})

layer(Layer.provideMerge(CoverageStore.layer, TestDatabase.layer), { excludeTestServices: true })(
  "who is behind",
  (it) => {
    const wait = Effect.fnUntraced(function* (organization: string, seconds: number) {
      const sql = yield* SqlClient.SqlClient
      yield* sql`
        insert into event_inbox
          (organization_id, pixel_id, id, received_at, type, occurred_at, payload)
        values (${organization}, ${randomUUID()}, ${randomUUID()},
          now() - make_interval(secs => ${seconds}), 'page', now(), '{}')`
    })
    const behind = Effect.flatMap(CoverageStore, (store) => store.behind)

    it.effect("no one until the oldest event has waited for a minute, then everyone waiting", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const [one = "", two = "", three = ""] = Array.from({ length: 3 }, () =>
          randomUUID(),
        ).toSorted()

        const none = yield* behind
        yield* wait(two, 58)
        yield* wait(one, 1)
        yield* wait(one, 0)
        const soon = yield* behind
        yield* sql`update event_inbox set received_at = now() - interval '61 seconds'
          where organization_id = ${two}`
        yield* wait(three, 0)
        const lagging = yield* behind
        yield* sql`delete from event_inbox where organization_id = ${two}`
        const caughtUp = yield* behind

        assert.deepStrictEqual([none, soon, caughtUp], [[], [], []])
        assert.deepStrictEqual(lagging, [one, two, three])
      }),
    )
  },
)
