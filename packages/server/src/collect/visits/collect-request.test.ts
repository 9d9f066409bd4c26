// What the collect route takes from a request: whether its pixel collects, the visitor's address and country.
import { Effect, Layer, Option } from "effect"
import { expect, it } from "vitest"
import { TrustedProxies } from "../../platform/http/answer.ts"
import { parseNetwork } from "../../platform/http/client-address.ts"
import { ForeignEvents } from "../pixels/foreign-events.ts"
import { Pixels } from "../pixels/pixels.ts"
import type { HostedPixelRow } from "../pixels/store.ts"
import { Collect, type CollectInput } from "./collect.ts"
import { GeoCountryHeader } from "./collect-config.ts"
import { makeCollectRequest } from "./collect-request.ts"

/** The input that a request from this peer becomes. */
const inputOf = async (peer: string, change: Partial<HostedPixelRow> = {}) => {
  const inputs: Array<CollectInput> = []
  // Only these columns are read.
  const row = {
    status: "active",
    organizationStatus: "active",
    ...change,
  } as unknown as HostedPixelRow
  const layer = Layer.mergeAll(
    Layer.succeed(Pixels, {
      remembered: () => undefined,
      hosted: () => Effect.succeed(Option.some(row)),
    } as unknown as Pixels["Service"]),
    Layer.succeed(ForeignEvents, { record: () => undefined }),
    Layer.succeed(Collect, {
      collect: (input: CollectInput) => {
        inputs.push(input)
        return Promise.resolve({ outcome: "stored" as const })
      },
    } as unknown as Collect["Service"]),
    Layer.succeed(TrustedProxies, [parseNetwork("10.0.0.0/8")]),
    Layer.succeed(GeoCountryHeader, "cf-ipcountry"),
  )
  const take = await Effect.runPromise(Effect.provide(makeCollectRequest, layer))
  const headers = { "cf-ipcountry": "DE", "x-forwarded-for": "203.0.113.7" }
  await take({ pixelId: "p", peer, headers, body: new Uint8Array() })
  return inputs[0]!
}

it("the country and address that a header names count from a trusted proxy only", async () => {
  expect(await inputOf("10.0.0.1")).toMatchObject({ country: "DE", clientAddress: "203.0.113.7" })
  const direct = await inputOf("192.0.2.1")
  expect([direct.country, direct.clientAddress]).toEqual([undefined, "192.0.2.1"])
})

it.each([
  [{}, true],
  [{ organizationStatus: "trial" }, true],
  [{ organizationStatus: "suspended" }, false],
  [{ organizationStatus: "expired" }, false],
  [{ status: "paused" }, false],
] as const)("a pixel with %j collects: %s", async (change, isActive) => {
  const { pixel } = await inputOf("192.0.2.1", change as Partial<HostedPixelRow>)
  expect(pixel?.isActive).toBe(isActive)
})
