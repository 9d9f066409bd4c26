// Which coding a response gets (RFC 9110, 12.5.3), and which paths get none (spec 1.3.8, 1.3.9).
import { expect, it } from "vitest"
import { acceptsGzip, codingFor, mayHoldSecret } from "./compression.ts"

it.each([
  ["gzip, deflate, br, zstd", "br"],
  ["gzip", "gzip"],
  ["x-gzip", "gzip"],
  ["GZIP;Q=0.5", "gzip"],
  ["*", "br"],
  ["br;q=0, *", "gzip"],
  ["br;q=0.5, gzip;q=0.8", "gzip"],
  ["gzip;q=0.8, br;q=0.9, identity;q=0.1", "br"],
  ["gzip ; q=1.000 , br ; q=0.999", "gzip"],
  ["gzip;q=0.001", "gzip"],
  ["identity;q=0, gzip;q=0", undefined],
  ["identity, gzip;q=0.5", undefined],
  ["gzip;q=0", undefined],
  ["gzip;q=2", undefined],
  ["gzip;q=-1", undefined],
  ["gzip;q=x", undefined],
  ["gzipped, brotli", undefined],
  ["deflate, zstd", undefined],
  ["", undefined],
  [undefined, undefined],
])("Accept-Encoding %j selects %s", (header, coding) => {
  expect(codingFor(header)).toBe(coding)
})

it.each([
  ["br, gzip;q=0.5", true],
  ["gzip;q=0, *", false],
  ["br", false],
])("a file that the build compressed is sent for %j: %s", (header, isSent) => {
  expect(acceptsGzip(header)).toBe(isSent)
})

it("a path in another spelling that the router decodes holds secrets too, and so does an undecodable one", () => {
  expect(mayHoldSecret("/v1/api%2dkeys")).toBe(true)
  expect(mayHoldSecret("/v1/%61pi-keys")).toBe(true)
  expect(mayHoldSecret("/v1/data/%")).toBe(true)
  expect(mayHoldSecret("/v1/data/pixels")).toBe(false)
})
