// The cursor of the visitor list: bound to organization, scope, window and filter, valid for 24 hours, signed, and
// without personal data (spec 1.6).
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Visitors } from "../../src/people/visitors/visitors.ts"
import {
  at,
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
  secretOf,
  serviceLayer,
  visitorsLayer,
} from "./visitors-layer.ts"

const refusal = (...question: Parameters<typeof list>) =>
  Effect.flip(list(...question)).pipe(
    Effect.map((error) => (error._tag === "CursorRefused" ? error.reason : error._tag)),
  )

const secondCursor = 1_000 // Milliseconds after the first, so that the two differ.

layer(visitorsLayer, { excludeTestServices: true })("the cursor of the visitor list", (it) => {
  it.effect("is rejected for another window, filter, pixel, domain or organization", () =>
    Effect.gen(function* () {
      const tenant = yield* scene(crowd(120))
      const { organizationId, pixelId } = tenant
      const otherPixel = yield* makePixel(organizationId, "other.example")
      const stranger = yield* makeTenant
      yield* put(stranger, crowd(120))
      const { nextCursor } = yield* list(everyone(tenant))
      const cursor = nextCursor!

      const reasons = yield* Effect.forEach(
        [
          everyone(tenant, { timeframe: "90d" }),
          everyone(tenant, { timeframe: "7d" }),
          everyone(tenant, { suppressed: "exclude" }),
          everyone(tenant, { suppressed: "only" }),
          everyone(tenant, { pixelId }),
          everyone(tenant, { pixelId: otherPixel }),
          everyone(tenant, { domain: "tidewater.example" }),
          everyone(tenant, { domain: "unknown.example" }),
          everyone(stranger),
        ],
        (filter) => refusal(filter, { cursor }),
      )

      assert.deepStrictEqual(new Set(reasons), new Set(["scope"]))
      const allowed = yield* list(everyone(tenant), { cursor })
      assert.strictEqual(allowed.page, 2)
    }),
  )

  it.effect("a pixel's cursor works with the pixel's domain, which is the same scope", () =>
    Effect.gen(function* () {
      const tenant = yield* scene(crowd(60))
      const first = yield* list(everyone(tenant, { pixelId: tenant.pixelId }))

      const byDomain = yield* list(everyone(tenant, { domain: "tidewater.example" }), {
        cursor: first.nextCursor!,
      })

      assert.strictEqual(byDomain.visitors.length, 10)
      assert.strictEqual(yield* refusal(everyone(tenant), { cursor: first.nextCursor! }), "scope")
    }),
  )

  it.effect("is valid for 24 hours less a second, and rejected from then on", () =>
    Effect.gen(function* () {
      const tenant = yield* scene(crowd(60))
      const { nextCursor } = yield* list(everyone(tenant))
      const cursor = nextCursor!

      const before = yield* list(everyone(tenant), { cursor }, now + day - 1_000)
      const then = yield* refusal(everyone(tenant), { cursor }, now + day)

      assert.strictEqual(before.visitors.length, 10)
      assert.strictEqual(then, "expired")
    }),
  )

  it.effect("every page returns a cursor that is valid for another 24 hours", () =>
    Effect.gen(function* () {
      const tenant = yield* scene(crowd(160))
      const first = yield* list(everyone(tenant))
      const later = now + day - 1_000

      const second = yield* list(everyone(tenant), { cursor: first.nextCursor! }, later)
      const third = yield* list(
        everyone(tenant),
        { cursor: second.nextCursor! },
        later + day - 1_000,
      )

      assert.strictEqual(third.page, 3)
    }),
  )

  it.effect("is rejected with a flipped bit, cut, with swapped halves, or as any other text", () =>
    Effect.gen(function* () {
      const tenant = yield* scene(crowd(160))
      const cursor = (yield* list(everyone(tenant))).nextCursor!
      const other = (yield* list(everyone(tenant), { page: 1 }, now + secondCursor)).nextCursor!
      const [payload = "", signature = ""] = cursor.split(".")
      // lists/cursor tests flip every bit of a cursor; here one bit of each character.
      const flipped = Array.from(
        cursor,
        (_, place) =>
          cursor.slice(0, place) +
          String.fromCharCode(cursor.charCodeAt(place) ^ (1 << (place % 7))) +
          cursor.slice(place + 1),
      )
      const texts = [
        ...flipped,
        ...Array.from(cursor, (_, length) => cursor.slice(0, length)),
        `${payload}.${other.split(".")[1]}`,
        `${other.split(".")[0]}.${signature}`,
        `${cursor}.`,
        `${cursor}=`,
        `${cursor}A`,
        payload,
        "null",
        `${Buffer.from("{}").toString("base64url")}.${signature}`,
        "x".repeat(10_000),
      ]
      assert.notStrictEqual(cursor, other)

      const reasons = yield* Effect.forEach(texts, (text) =>
        refusal(everyone(tenant), { cursor: text }),
      )

      assert.isTrue(
        reasons.every((reason) => reason === "signature" || reason === "malformed"),
        [...new Set(reasons)].join(),
      )
    }),
  )

  it.effect("contains no address, name or URL", () =>
    Effect.gen(function* () {
      const tenant = yield* scene(crowd(60))
      const { nextCursor, visitors } = yield* list(
        everyone(tenant, { domain: "tidewater.example" }),
      )

      const [payload = ""] = nextCursor!.split(".")
      const text = Buffer.from(payload, "base64url").toString()
      const cursor = JSON.parse(text) as Record<string, unknown> // its members are compared next

      assert.deepStrictEqual(Object.keys(cursor), ["o", "r", "f", "a", "k", "n", "c", "exp"])
      const last = visitors.at(-1)
      assert.deepStrictEqual(cursor["k"], [last?.lastSeenAt, last?.emailHash])
      assert.notMatch(text, /@|acme|tidewater|https?:/)
    }),
  )

  it.effect(
    "is accepted with either value of the secret, and rejected once its own is removed",
    () =>
      Effect.gen(function* () {
        const tenant = yield* scene(crowd(160))
        const cursor = (yield* list(everyone(tenant))).nextCursor!
        const under = (...secrets: ReadonlyArray<ReturnType<typeof secretOf>>) =>
          Effect.flatMap(Visitors, (visitors) => visitors.list(everyone(tenant), { cursor })).pipe(
            at(now),
            Effect.provide(serviceLayer(...secrets)),
          )

        const rotated = yield* under(secretOf("second"), secretOf("first"))
        const error = yield* Effect.flip(under(secretOf("second"), secretOf("third")))

        const direct = yield* list(everyone(tenant), { cursor })
        assert.deepStrictEqual(emailsOf(rotated), emailsOf(direct))
        assert.notStrictEqual(rotated.nextCursor, direct.nextCursor)
        assert.strictEqual(error._tag === "CursorRefused" && error.reason, "signature")
      }),
  )
})
