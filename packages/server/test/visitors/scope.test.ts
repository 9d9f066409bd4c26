// Who is in a visitor list: window, pixel scope, suppression and organization, and what coverage the list reports
// (spec 1.5, 2.1, 5.1).
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { Timeframe } from "../../src/people/visitors/timeframe.ts"
import {
  crowd,
  day,
  emailsOf,
  everyone,
  list,
  makePixel,
  makeTenant,
  now,
  put,
  scene,
  visitorsLayer,
} from "./visitors-layer.ts"

layer(visitorsLayer, { excludeTestServices: true })("window, scope and filter of a list", (it) => {
  const windows: ReadonlyArray<readonly [Timeframe, number | undefined]> = [
    ["24h", 1],
    ["7d", 7],
    ["14d", 14],
    ["30d", 30],
    ["90d", 90],
    ["all", undefined],
  ]
  for (const [timeframe, days] of windows) {
    it.effect(`the window ${timeframe} begins n × 24 hours before the request, inclusive`, () =>
      Effect.gen(function* () {
        const edge = now - (days ?? 400) * day
        const tenant = yield* scene([
          { email: "before@acme.example", at: edge - 1 },
          { email: "at@acme.example", at: edge },
          { email: "after@acme.example", at: edge + 1 },
        ])

        const page = yield* list(everyone(tenant, { timeframe }))

        assert.deepStrictEqual(
          emailsOf(page),
          ["after@acme.example", "at@acme.example", "before@acme.example"].slice(
            0,
            days === undefined ? 3 : 2,
          ),
        )
        assert.deepStrictEqual(page.coverage, {
          partial: false,
          from: days === undefined ? null : new Date(edge).toISOString(),
        })
      }),
    )
  }

  it.effect("suppressed visitors are included, excluded, or the only ones", () =>
    Effect.gen(function* () {
      const tenant = yield* scene([
        { email: "a@acme.example", at: now - 1 },
        { email: "b@acme.example", at: now - 2, suppressed: true },
        { email: "c@acme.example", at: now - 3 },
      ])

      for (const scope of [{}, { pixelId: tenant.pixelId }]) {
        const found = yield* Effect.forEach(["include", "exclude", "only"] as const, (suppressed) =>
          list(everyone(tenant, { suppressed, ...scope })),
        )

        assert.deepStrictEqual(
          found.map(({ total, visitors }) => [
            total,
            visitors.map(({ email, suppressed }) => [email?.slice(0, 1), suppressed]),
          ]),
          [
            [
              3,
              [
                ["a", false],
                ["b", true],
                ["c", false],
              ],
            ],
            [
              2,
              [
                ["a", false],
                ["c", false],
              ],
            ],
            [1, [["b", true]]],
          ],
        )
      }
    }),
  )

  it.effect("a pixel scope contains only people seen there, by id or by domain", () =>
    Effect.gen(function* () {
      const tenant = yield* scene([{ email: "a@acme.example", at: now - 1 }])
      const { organizationId } = tenant
      const pixelId = yield* makePixel(organizationId, "other.example")
      yield* put({ organizationId, pixelId }, [{ email: "b@acme.example", at: now - 2 }])

      const both = yield* list(everyone(tenant))
      const first = yield* list(everyone(tenant, { pixelId: tenant.pixelId }))
      const other = yield* list(everyone(tenant, { domain: "other.example" }))

      assert.deepStrictEqual([both, first, other].map(emailsOf), [
        ["a@acme.example", "b@acme.example"],
        ["a@acme.example"],
        ["b@acme.example"],
      ])
      assert.deepStrictEqual(
        [both, first, other].map(({ scope }) => [scope.pixels, scope.activePixels]),
        [
          [2, 2],
          [1, 1],
          [1, 1],
        ],
      )
    }),
  )

  it.effect("a paused pixel counts in scope.pixels and not in scope.activePixels", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenant = yield* scene([])
      yield* makePixel(tenant.organizationId, "other.example")
      yield* sql`
        update pixel set status = 'paused', paused_reason = 'manual', last_event_at = ${new Date(now)}
        where id = ${tenant.pixelId}`

      const { scope } = yield* list(everyone(tenant))

      assert.deepStrictEqual(
        [scope.pixels, scope.activePixels, scope.lastEventAt],
        [2, 1, new Date(now).toISOString()],
      )
    }),
  )

  it.effect("an unknown domain gives an empty list with scope.pixels 0, on every page", () =>
    Effect.gen(function* () {
      const tenant = yield* scene(crowd(120))
      yield* list(everyone(tenant))

      for (const page of [1, 2, 3]) {
        const found = yield* list(everyone(tenant, { domain: "unknown.example" }), { page })

        assert.deepStrictEqual(
          [found.visitors, found.total, found.hasMore, found.nextCursor, found.scope.pixels],
          [[], 0, false, null, 0],
        )
      }
    }),
  )

  it.effect("an unknown or deleted pixelId is not found", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenant = yield* scene([{ email: "a@acme.example", at: now }])
      yield* sql`update pixel set deleted_at = now() where id = ${tenant.pixelId}`
      const unknown = "00000000-0000-4000-8000-000000000000"

      const errors = yield* Effect.forEach([tenant.pixelId, unknown], (pixelId) =>
        Effect.flip(list(everyone(tenant, { pixelId }))),
      )

      assert.deepStrictEqual(
        errors.map(({ _tag }) => _tag),
        ["PixelNotFound", "PixelNotFound"],
      )
    }),
  )

  it.effect("an organization sees only its own people and pixels", () =>
    Effect.gen(function* () {
      const ours = yield* scene([{ email: "a@acme.example", at: now - 1 }])
      const theirs = yield* makeTenant
      yield* put(theirs, [
        { email: "a@acme.example", at: now - 2 },
        { email: "b@acme.example", at: now - 3 },
      ])

      const page = yield* list(everyone(ours))
      const byDomain = yield* list(everyone(ours, { domain: "tidewater.example" }))
      const error = yield* Effect.flip(list(everyone(ours, { pixelId: theirs.pixelId })))

      assert.deepStrictEqual([page, byDomain].map(emailsOf), [
        ["a@acme.example"],
        ["a@acme.example"],
      ])
      assert.strictEqual(page.visitors[0]?.sessions, 1)
      assert.strictEqual(error._tag, "PixelNotFound")
    }),
  )

  for (const { days, timeframe, partial } of [
    { days: 30, timeframe: "7d", partial: false },
    { days: 30, timeframe: "30d", partial: false },
    { days: 30, timeframe: "90d", partial: true },
    { days: 90, timeframe: "90d", partial: false },
    { days: 3650, timeframe: "all", partial: true },
    { days: null, timeframe: "all", partial: false },
  ] as const) {
    it.effect(`coverage with data kept for ${days} days and window ${timeframe}: ${partial}`, () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const tenant = yield* scene([])
        yield* sql`
          update organization set retention_days = ${days} where id = ${tenant.organizationId}`

        const { coverage } = yield* list(everyone(tenant, { timeframe }))

        assert.strictEqual(coverage.partial, partial)
        if (partial) assert.strictEqual(coverage.from, new Date(now - days * day).toISOString())
      }),
    )
  }
})
