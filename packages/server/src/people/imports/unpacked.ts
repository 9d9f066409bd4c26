// A stream of bytes, unzipped if its first two bytes say gzip.
import { pipeline, Readable } from "node:stream"
import { createGunzip } from "node:zlib"

export async function* unpacked(input: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const chunks = input[Symbol.asyncIterator]()
  let first: Uint8Array = new Uint8Array()
  while (first.length < 2) {
    const next = await chunks.next()
    if (next.done === true) break
    first = Buffer.concat([first, next.value])
  }
  const all = Readable.from(following(first, chunks))
  if (first[0] !== 0x1f || first[1] !== 0x8b) return yield* all
  const gunzip = createGunzip()
  // Errors on the way are thrown where the unzipped bytes are read.
  pipeline(all, gunzip, () => undefined)
  yield* gunzip
}

async function* following(first: Uint8Array, rest: AsyncIterator<Uint8Array>) {
  yield first
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value
}
