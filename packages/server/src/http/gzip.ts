// Compresses a response while it is sent, if the client accepts gzip (RFC 9110, 12.5.3). Uses the fast level, because a
// stream must not wait for the compressor.
import { Stream } from "effect"
import { Readable } from "node:stream"
import { createGzip } from "node:zlib"

const level = 1

/** Whether the header accepts gzip, by name or by `*`, with a weight above zero. */
export const acceptsGzip = (acceptEncoding: string | undefined): boolean => {
  const weights = new Map(
    (acceptEncoding ?? "").split(",").map((item) => {
      const [coding = "", ...parameters] = item.split(";").map((part) => part.trim().toLowerCase())
      const weight = parameters.find((parameter) => parameter.startsWith("q="))
      return [coding, weight === undefined ? 1 : Number(weight.slice(2))] as const
    }),
  )
  return (weights.get("gzip") ?? weights.get("x-gzip") ?? weights.get("*") ?? 0) > 0
}

/** Cancelling it cancels the source. Errors: those of the source. */
export const gzipped = <E>(source: Stream.Stream<Uint8Array, E>): Stream.Stream<Uint8Array, E> =>
  Stream.suspend(() => {
    const pieces = Readable.from(Stream.toAsyncIterable(source), { objectMode: true })
    const gzip = createGzip({ level })
    // A failure of the source ends the compressor, which passes it on.
    pieces.on("error", (error) => gzip.destroy(error)).pipe(gzip)
    gzip.on("close", () => pieces.destroy())
    return Stream.fromAsyncIterable<Uint8Array, E>(gzip, (error) => error as E)
  })
