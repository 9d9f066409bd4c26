// The collect service on a separate database, and batches, pixels and requests for the tests of collecting and
// identification.
import { randomUUID } from "node:crypto"
import { Effect, Layer, Redacted } from "effect"
import { RateLimitsEnabled } from "../../src/platform/http/rate-limit.ts"
import { Arrivals } from "../../src/collect/visits/arrivals.ts"
import { Collect, type CollectInput } from "../../src/collect/visits/collect.ts"
import { CollectConfig } from "../../src/collect/visits/collect-config.ts"
import type { CollectPixel } from "../../src/collect/visits/collect-pixel.ts"
import { VisitsStore } from "../../src/collect/visits/store.ts"
import { TestDatabase } from "../support/database.ts"

/** 2026-03-11T08:42:12.000Z, the time of the example in spec 12.1. */
export const receivedAt = Date.parse("2026-03-11T08:42:12.000Z")

export const makePixel = (change: Partial<CollectPixel> = {}): CollectPixel => ({
  organizationId: "3a4938b4-a270-4a2a-969a-f5c8cc7f2e2f",
  party: "3a4938b4-a270-4a2a-969a-f5c8cc7f2e2f",
  id: "cdd19037-47fb-4e21-a054-2da787925aea",
  domain: "tidewater.example",
  isActive: true,
  excludedPaths: null,
  includedPaths: null,
  settings: {},
  excludedIps: [],
  ...change,
})

export type Wire = Readonly<Record<string, unknown>>

export const makeEvent = (change: Wire = {}): Wire => ({
  id: randomUUID(),
  type: "page",
  time: "2026-03-11T08:41:02.000Z",
  url: "https://www.tidewater.example/",
  referrer: null,
  title: "Tidewater",
  ...change,
})

export const makeBatch = (change: Wire = {}): Wire => ({
  v: 1,
  sentAt: "2026-03-11T08:42:12.000Z",
  anonymousId: "88ac470a-224f-4bdb-a28b-577d65372edd",
  consent: "granted",
  gpc: false,
  dnt: false,
  timeZone: "America/Los_Angeles",
  events: [makeEvent()],
  ...change,
})

export const encode = (batch: unknown): Uint8Array =>
  new TextEncoder().encode(JSON.stringify(batch))

export const makeInput = (
  batch: unknown = makeBatch(),
  change: Partial<CollectInput> = {},
): CollectInput => ({
  pixel: makePixel(),
  body: encode(batch),
  userAgent: "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 Chrome/145.0",
  secGpc: undefined,
  hasOptedOut: false,
  clientAddress: "203.0.113.77",
  country: "US",
  receivedAt,
  ...change,
})

type Config = CollectConfig["Service"]

const configOf = (change: Partial<Config> = {}) =>
  Layer.succeed(CollectConfig, {
    gpcMode: "honour",
    storeIp: "truncated",
    addressKey: Redacted.make(new Uint8Array(32)),
    linkTokenKeys: [],
    keepsUserAgent: false,
    ...change,
  })

export const configLayer = configOf()

const collectLayerOf = (config: typeof configLayer) =>
  Collect.layer.pipe(Layer.provideMerge(Layer.mergeAll(VisitsStore.layer, Arrivals.layer, config)))

/** All services of visits/ on the given store and database. */
export const collectLayer = collectLayerOf(configLayer)

export const collectTestLayer = collectLayer.pipe(Layer.provideMerge(TestDatabase.layer))

/** With other settings of the operator. */
export const collectTestLayerWith = (change: Partial<Config>) =>
  collectLayerOf(configOf(change)).pipe(Layer.provideMerge(TestDatabase.layer))

export const withoutLimits = Layer.succeed(RateLimitsEnabled, false)

export const collectOne = (input: CollectInput) =>
  Effect.flatMap(Collect, (collect) => Effect.promise(() => collect.collect(input)))
