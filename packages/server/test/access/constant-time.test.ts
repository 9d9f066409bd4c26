// Secrets are compared in constant time: a static search for other comparisons, and a t-test of the time when the first
// or the last byte differs.
import { Context, Effect, Layer, Redacted } from "effect"
import { readdirSync, readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { Secrets } from "../../src/platform/secrets/secrets.ts"

const source = new URL("../../src/", import.meta.url)
const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter(
  (name) => name.endsWith(".ts") && !name.endsWith(".test.ts"),
)
/** Whether the name ends like that of a secret. */
const isSecret = (side: string) =>
  /(?:digest|signature|secret|password|hmac|mac|token)(?:hash|hex)?$/i.test(side)
const isNothing = (side: string) => /^(?:undefined|null|"|'|true|false)/.test(side)

describe("in the source of the server", () => {
  it("nothing with a secret's name is compared with === or ==, except with nothing", () => {
    const found = files.flatMap((name) =>
      [
        ...readFileSync(new URL(name, source), "utf8").matchAll(
          /([\w.?!\])"]+)\s*[!=]==?\s*([\w.("']+)/g,
        ),
      ].flatMap(([text, left = "", right = ""]) =>
        (isSecret(left) || isSecret(right)) && !isNothing(left) && !isNothing(right)
          ? [`${name}: ${text}`]
          : [],
      ),
    )

    expect(found).toEqual([])
  })

  it("nothing is compared with Buffer.equals or Buffer.compare where secrets are", () => {
    const rooms = /^(?:access|activation|platform\/(?:http|outbound))\//
    const found = files
      .filter((name) => rooms.test(name))
      .filter((name) =>
        /\.equals\(|Buffer\.compare\(/.test(readFileSync(new URL(name, source), "utf8")),
      )

    expect(found).toEqual([])
  })
})

/** Welch's t of two samples, each without its slowest tenth, which the machine's scheduler caused. */
const tOf = (first: ReadonlyArray<number>, last: ReadonlyArray<number>): number => {
  const [a, b] = [first, last].map((sample) => {
    const kept = sample.toSorted((x, y) => x - y).slice(0, Math.floor(sample.length * 0.9))
    const mean = kept.reduce((sum, x) => sum + x, 0) / kept.length
    const variance = kept.reduce((sum, x) => sum + (x - mean) ** 2, 0) / (kept.length - 1)
    return { mean, error: variance / kept.length }
  })
  return (a!.mean - b!.mean) / Math.sqrt(a!.error + b!.error)
}

/** How the time of a check depends on the position of the first wrong byte. */
const leakOf = (check: (signature: Uint8Array) => unknown, right: Uint8Array): number => {
  const [first, last] = [Buffer.from(right), Buffer.from(right)]
  first[0]! ^= 1
  last[right.length - 1]! ^= 1
  const times: [Array<number>, Array<number>] = [[], []]
  for (let sample = 0; sample < 100_000; sample++) {
    // The order changes, because caches would learn it.
    const which = (sample ^ (sample >> 3)) & 1
    const began = process.hrtime.bigint()
    check(which === 0 ? first : last)
    times[which]!.push(Number(process.hrtime.bigint() - began))
  }
  return tOf(times[0], times[1])
}

it("the time of a check does not reveal where a signature is wrong", async () => {
  const secrets = await Effect.runPromise(
    Effect.map(
      Effect.scoped(Layer.build(Secrets.layer([Redacted.make("a secret of the test".repeat(2))]))),
      (context) => Context.get(context, Secrets),
    ),
  )
  const right = secrets.sign("cursor", "text")

  // A busy machine can cause a difference once. A leaking comparison causes it every time.
  const leaks = [1, 2, 3].map(() =>
    Math.abs(leakOf((signature) => secrets.verify("cursor", "text", signature), right)),
  )

  expect(Math.min(...leaks)).toBeLessThan(5)
})
