// Every reason for dropping a batch (spec 6.1, 6.3 to 6.6): nothing is stored, and the operator's counter shows the
// reason.
import { assert, layer } from "@effect/vitest"
import { Effect, Metric } from "effect"
import { SqlClient } from "effect/sql"
import type { CollectInput } from "../../src/collect/visits/collect.ts"
import type { DropReason } from "../../src/collect/visits/collected-event.ts"
import {
  collectOne,
  collectTestLayer,
  collectTestLayerWith,
  makeBatch,
  makeEvent,
  makeInput,
  makePixel,
} from "./collect-layer.ts"

const at = (url: string, more = {}) => makeBatch({ events: [makeEvent({ url })], ...more })
const own = "https://tidewater.example/"
const paths = (change: Parameters<typeof makePixel>[0]) => ({ pixel: makePixel(change) })
const settings = (change: object) => ({ pixel: makePixel({ settings: change }) })

type Case = readonly [
  what: string,
  reason: DropReason,
  batch: unknown,
  change: Partial<CollectInput>,
]

const cases: ReadonlyArray<Case> = [
  ["an unknown or deleted pixel", "pixel_unknown", makeBatch(), { pixel: undefined }],
  ["a paused pixel", "pixel_inactive", makeBatch(), { pixel: makePixel({ isActive: false }) }],
  ["an invalid batch", "unreadable", { v: 2 }, {}],
  ["the opt-out cookie", "opted_out", makeBatch(), { hasOptedOut: true }],
  ["a crawler", "bot", makeBatch(), { userAgent: "Mozilla/5.0 (compatible; Googlebot/2.1)" }],
  ["a headless browser", "bot", makeBatch(), { userAgent: "Mozilla/5.0 HeadlessChrome/145.0" }],
  [
    "an excluded address",
    "address_excluded",
    makeBatch(),
    { pixel: makePixel({ excludedIps: ["203.0.113.0/24"] }) },
  ],
  ["consent denied", "consent", makeBatch(), settings({ consent: "denied" })],
  [
    "implied consent where consent is required",
    "consent",
    makeBatch({ consent: "implied" }),
    settings({ consent: "required" }),
  ],
  [
    "implied consent in the consent region",
    "consent",
    makeBatch({ consent: "implied" }),
    { country: "DE" },
  ],
  ...["EU", "UK"].map((country): Case => [
    `implied consent from ${country}`,
    "consent",
    makeBatch({ consent: "implied" }),
    { country },
  ]),
  [
    "the same, from a proxy that sends lower case",
    "consent",
    makeBatch({ consent: "implied" }),
    { country: " de" },
  ],
  [
    "an identification under Global Privacy Control",
    "consent",
    makeBatch({ events: [makeEvent({ type: "identify", email: "jane@harbor.example" })] }),
    { secGpc: "1" },
  ],
  [
    "an identification without an id",
    "consent",
    makeBatch({
      anonymousId: null,
      events: [makeEvent({ type: "identify", email: "jane@harbor.example" })],
    }),
    {},
  ],
  [
    "an address from a form if capture is off",
    "consent",
    makeBatch({ events: [makeEvent({ type: "capture", email: "jane@harbor.example" })] }),
    settings({ emailCapture: "off" }),
  ],
  ["a foreign host", "domain_mismatch", at("https://copy.example/"), {}],
  ["a host with the same ending", "domain_mismatch", at("https://nottidewater.example/"), {}],
  ["localhost without data-debug", "domain_mismatch", at("http://localhost:3000/"), {}],
  ["127.0.0.1 without data-debug", "domain_mismatch", at("http://127.0.0.1/"), {}],
  ["[::1] without data-debug", "domain_mismatch", at("http://[::1]/"), {}],
  ["an excluded path", "path_excluded", at(`${own}app/x`), paths({ excludedPaths: ["/app"] })],
  ["a path that is not included", "path_excluded", at(own), paths({ includedPaths: ["/shop"] })],
  ["an address that is not a page", "no_valid_event", at("ftp://tidewater.example/"), {}],
  ["no valid event", "no_valid_event", makeBatch({ events: [{}] }), {}],
]

const inbox = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql<{ anonymousId: string | null; payload: Readonly<Record<string, unknown>> }>`
    select anonymous_id as "anonymousId", payload from event_inbox`,
)

const empty = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`delete from event_inbox`)

/** Dropped batches so far, by reason. */
const counts = Effect.map(Metric.snapshot, (metrics) => {
  const dropped = metrics.filter(({ id }) => id === "footfall_collect_dropped_batches")
  return (reason: string): number =>
    dropped.reduce(
      (sum, { attributes, state }) =>
        attributes?.["reason"] === reason && "count" in state ? sum + Number(state.count) : sum,
      0,
    )
})

layer(collectTestLayer)("dropped", (it) => {
  it.effect.each(cases)("%s: %s", ([, reason, batch, change]) =>
    Effect.gen(function* () {
      yield* empty
      const before = (yield* counts)(reason)

      const outcome = yield* collectOne(makeInput(batch, change))

      assert.deepStrictEqual(outcome, { outcome: "dropped", reason })
      assert.deepStrictEqual(yield* inbox, [])
      assert.strictEqual((yield* counts)(reason), before + 1)
    }),
  )
})

layer(collectTestLayer)("stored without an id", (it) => {
  it.effect.each([
    ["localhost with data-debug", at("http://localhost:3000/", { debug: true }), {}],
    ["Do Not Track, respected", makeBatch({ dnt: true }), settings({ respectDnt: true })],
    ["a privacy signal from the script", makeBatch({ gpc: true }), {}],
    ["an anonymous batch", makeBatch({ consent: "anonymous" }), {}],
  ] as const)("%s", ([, batch, change]) =>
    Effect.gen(function* () {
      yield* empty
      yield* collectOne(makeInput(batch, change))

      const rows = yield* inbox
      assert.deepStrictEqual(
        rows.map(({ anonymousId }) => anonymousId),
        [null],
      )
      assert.notProperty(rows[0]?.payload, "i")
    }),
  )
})

layer(collectTestLayerWith({ gpcMode: "ignore", storeIp: "full" }))(
  "with GPC_MODE=ignore and STORE_IP=full",
  (it) => {
    it.effect("a browser is identified in spite of Sec-GPC, and its whole address is stored", () =>
      Effect.gen(function* () {
        const batch = makeBatch({ gpc: true })
        yield* collectOne(makeInput(batch, { secGpc: "1" }))

        const rows = yield* inbox
        assert.deepStrictEqual(
          rows.map(({ anonymousId, payload }) => [anonymousId, payload["i"]]),
          [[batch["anonymousId"], "203.0.113.77"]],
        )
      }),
    )
  },
)

layer(collectTestLayer)("kept", (it) => {
  it.effect.each([
    ["an address from a form if the tag may request it", settings({})],
    ["an address from a form if capture is on", settings({ emailCapture: "forms" })],
  ] as const)("%s", ([, change]) =>
    Effect.gen(function* () {
      const events = [makeEvent({ type: "capture", email: "jane@harbor.example" })]

      yield* empty
      yield* collectOne(makeInput(makeBatch({ events }), change))

      assert.lengthOf(yield* inbox, 1)
    }),
  )
})
