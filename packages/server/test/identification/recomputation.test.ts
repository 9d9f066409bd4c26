// Identification in batches gives the same result as a slow recomputation of all events, over several batches and with
// two competing processes: 10,000 events of 500 browsers, and 4,000 of 40 browsers on a single day, with adjacent
// sessions and late identifications.
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { Identification } from "../../src/people/identification/identification.ts"
import {
  arrive,
  contradictions,
  pixelVisits,
  sessions,
  testLayer,
  visitors,
} from "./identification-layer.ts"
import { recompute, traffic } from "./simulation.ts"

describe("recomputation", () => {
  it.live.each([
    { seed: 7, events: 10_000, browsers: 500, days: 10 },
    { seed: 8, events: 4_000, browsers: 40, days: 1 },
  ])(
    "sessions and visitors equal those recomputed from every event: $events over $browsers browsers",
    (size) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const identification = yield* Identification
        const events = traffic(size)
        const expected = recompute(events)

        const part = size.events / 4
        for (let sent = 0; sent < events.length; sent += part) {
          yield* arrive(...events.slice(sent, sent + part))
          const rivals = yield* Effect.forEach([1, 2], () => Effect.forkChild(identification.drain))
          yield* Effect.forEach(rivals, Fiber.join)
        }

        assert.deepStrictEqual(yield* contradictions, [])
        const stored = yield* sql`select count(*)::int as n from event`
        assert.deepStrictEqual(stored, [{ n: size.events }])
        assert.deepStrictEqual(
          (yield* sessions).map((row) => ({ ...row })).toSorted(byKey),
          expected.sessions.toSorted(byKey),
        )
        const seen = yield* visitors
        assert.deepStrictEqual(
          seen
            .map((row) => [`${row.organizationId} ${row.email}`, row.firstSeen, row.lastSeen])
            .toSorted(),
          [...expected.visitors]
            .map(([person, { first, last }]) => [person, first, last])
            .toSorted(),
        )
        const attributed = (yield* pixelVisits).flatMap(
          ({ organizationId, email, pixelId, attribution }) =>
            Object.entries(attribution).map(
              ([key, [value, at]]) => `${organizationId} ${email} ${pixelId} ${key} ${value} ${at}`,
            ),
        )
        assert.deepStrictEqual(
          attributed.toSorted(),
          [...expected.visitors]
            .flatMap(([person, { attribution: words }]) => words.map((word) => `${person} ${word}`))
            .toSorted(),
        )
      }).pipe(Effect.provide(testLayer)),
  )
})

const byKey = (a: object, b: object): number => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)
