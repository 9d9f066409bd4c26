// The list and the lookup compared with a naive recomputation from the events, in every window, scope and filter:
// two pixels, 70 browsers, 40 people who share them, 130 days (spec 2.1, 2.2, 5.1).
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { Timeframe } from "../../src/people/visitors/timeframe.ts"
import { type VisitorFilter, Visitors } from "../../src/people/visitors/visitors.ts"
import { arrive, drain, identificationLayer } from "../identification/identification-layer.ts"
import { journeyOf, peopleOf, type Question, traffic, visitsOf } from "./model.ts"
import { at, day, makePixel, makeTenant, now, visitorsLayer } from "./visitors-layer.ts"

const windows: ReadonlyArray<readonly [Timeframe, number | undefined]> = [
  ["24h", 1],
  ["7d", 7],
  ["14d", 14],
  ["30d", 30],
  ["90d", 90],
  ["all", undefined],
]

const testLayer = identificationLayer.pipe(Layer.provideMerge(visitorsLayer))

const everyPage = Effect.fnUntraced(function* (filter: VisitorFilter) {
  const visitors = yield* Visitors
  const first = yield* visitors.list(filter, { page: 1 })
  const all = [...first.visitors]
  for (let cursor = first.nextCursor; cursor !== null;) {
    const next = yield* visitors.list(filter, { cursor })
    all.push(...next.visitors)
    cursor = next.nextCursor
  }
  assert.strictEqual(first.total, all.length)
  return all
})

describe("recomputation", () => {
  it.live.each([1, 2, 3])(
    "list and lookup equal those recomputed from every event: seed %i",
    (seed) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const visitors = yield* Visitors
        const { organizationId, pixelId } = yield* makeTenant
        const other = yield* makePixel(organizationId, "other.example")
        const events = traffic(seed, { organizationId, pixelIds: [pixelId, other], now })
        yield* arrive(...events)
        yield* drain
        const suppressed = yield* sql<{ readonly email: string }>`
          update visitor set suppressed = true
          where organization_id = ${organizationId} and email_hash < '5' returning email`
        const isSuppressed = new Set(suppressed.map(({ email }) => email))
        const visits = visitsOf(events)
        const scopes = [
          { filter: {}, pixelId: undefined },
          { filter: { pixelId }, pixelId },
          { filter: { domain: "other.example" }, pixelId: other },
        ]

        for (const [timeframe, days] of windows) {
          for (const scope of scopes) {
            const question: Question = { pixelId: scope.pixelId, days, now }
            const people = peopleOf(visits, question)
            for (const filter of ["include", "exclude", "only"] as const) {
              const asked = { organizationId, timeframe, suppressed: filter, ...scope.filter }
              const expected = people.filter(
                ({ email }) =>
                  filter === "include" || isSuppressed.has(email) === (filter === "only"),
              )

              const listed = yield* everyPage(asked).pipe(at(now))

              const label = `${timeframe} ${scope.pixelId} ${filter}`
              assert.deepStrictEqual(listed.map(picked(expected)), expected, label)
              for (const { email } of expected.slice(0, 5)) {
                const found = yield* visitors.find(asked, email).pipe(at(now))
                const journey = journeyOf(visits, email, question)
                assert.deepStrictEqual(
                  found.sessions.map((session) => ({
                    ...Object.fromEntries(
                      Object.keys(journey[0]!).map((key) => [
                        key,
                        session[key as keyof typeof session],
                      ]),
                    ),
                    clickIdNames: session.clickIdNames.toSorted(),
                  })),
                  journey,
                  label,
                )
                assert.deepStrictEqual(
                  [found.visitor].map(picked(expected)),
                  expected.filter((one) => one.email === email),
                )
              }
            }
          }
        }
        assert.isAbove(peopleOf(visits, { pixelId: undefined, days: undefined, now }).length, 30)
      }).pipe(Effect.provide(testLayer)),
    120_000,
  )

  it.live("a session counts in a window as a whole if its last event is in it", () =>
    Effect.gen(function* () {
      const visitors = yield* Visitors
      const { organizationId, pixelId } = yield* makeTenant
      const edge = now - day
      const [sample] = traffic(1, { organizationId, pixelIds: [pixelId, pixelId], now })
      const moments = [
        { id: "a", at: edge - 60_000, path: "/pricing" },
        { id: "b", at: edge, path: "/demo" },
      ]
      yield* arrive(
        ...moments.map(({ at: occurredAt, id, path }) => ({
          ...sample!,
          id: `00000000-0000-4000-9000-00000000000${id}`,
          occurredAt,
          type: "page" as const,
          url: `https://tidewater.example${path}`,
          payload: { k: "granted" as const, d: "desktop" as const },
        })),
        {
          ...sample!,
          id: "00000000-0000-4000-9000-00000000000c",
          occurredAt: edge - 30_000,
          type: "identify" as const,
          payload: { k: "granted" as const, d: "desktop" as const, e: "jane@acme.example" },
        },
      )
      yield* drain
      const asked = { organizationId, timeframe: "24h", suppressed: "include" } as const

      const inside = yield* visitors.list(asked, { page: 1 }).pipe(at(now))
      const after = yield* visitors.list(asked, { page: 1 }).pipe(at(now + 1))

      assert.deepStrictEqual(
        inside.visitors.map(({ landingPage, pageviews, sessions }) => [
          sessions,
          pageviews,
          landingPage,
        ]),
        [[1, 2, "https://tidewater.example/pricing"]],
      )
      assert.deepStrictEqual([after.visitors, after.total], [[], 0])
      assert.strictEqual(inside.coverage.from, DateTime.formatIso(DateTime.makeUnsafe(edge)))
    }).pipe(Effect.provide(testLayer)),
  )
})

/** Picks the members that the recomputation has. */
const picked =
  (expected: ReadonlyArray<object>) =>
  (row: object): object =>
    Object.fromEntries(
      Object.keys(expected[0] ?? {}).map((key) => [key, row[key as keyof typeof row]]),
    )
