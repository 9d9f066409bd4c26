import { Readable } from "node:stream"
import { buffer } from "node:stream/consumers"
import { gzipSync } from "node:zlib"
import { expect, it } from "vitest"
import { unpacked } from "./unpacked.ts"

const text = "domain\nacme.example\n"
const read = async (chunks: ReadonlyArray<Uint8Array>) =>
  (await buffer(unpacked(Readable.from(chunks, { objectMode: true })))).toString()

it.each([
  ["plain text", Buffer.from(text)],
  ["gzip", gzipSync(text)],
])("reads %s, however it is cut", async (_, bytes) => {
  for (let at = 0; at <= bytes.length; at++) {
    expect(await read([bytes.subarray(0, at), bytes.subarray(at)])).toBe(text)
  }
})

it("reads an empty stream as an empty file", async () => {
  expect(await read([])).toBe("")
})
