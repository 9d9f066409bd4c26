// The external issuer's keys when it changes them, is slow or unreachable, or returns garbage (spec 7). The test
// controls the clock; the requests are real.
import { Effect, Fiber, Layer, Logger } from "effect"
import { TestClock } from "effect/testing"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { AccessConfig } from "../../src/access/access-config.ts"
import { ExternalKeys } from "../../src/access/tokens/external-keys.ts"
import { type Issuer, jwkOf, makeKey, startIssuer } from "./issuer.ts"

const [first, second] = [makeKey("ES256", "first"), makeKey("ES256", "second")]
let issuer: Issuer
/** How many warnings said that the keys could not be read. */
let warnings: number
beforeEach(async () => {
  warnings = 0
  issuer = await startIssuer([first])
})
afterEach(() => issuer.close())

type Keys = ExternalKeys["Service"]

const run = <A, E>(test: (keys: Keys) => Effect.Effect<A, E>, url = issuer.url) =>
  Effect.flatMap(ExternalKeys, test).pipe(
    Effect.provide(ExternalKeys.layer),
    Effect.provide(
      Layer.mergeAll(
        TestClock.layer(),
        Logger.layer([Logger.make(() => void warnings++)]),
        Layer.sync(AccessConfig, () => ({
          baseUrl: "http://localhost",
          externalIssuer: { issuer: url, audience: "footfall", client: undefined },
          hasConsole: true,
        })),
      ),
    ),
    Effect.runPromise,
  )

const wanted = (kid: string) => ({ algorithm: "ES256", keyId: kid })
/** The number of matching keys, or the tag of the failure. */
const ask = (keys: Keys, kid: string) =>
  keys.keysFor(wanted(kid)).pipe(
    Effect.map(({ length }) => length),
    Effect.catchTag("KeysUnavailable", ({ _tag }) => Effect.succeed(_tag)),
  )
/** Waits for background work. */
const until = (holds: () => boolean) =>
  Effect.promise(async () => {
    while (!holds()) await new Promise((resolve) => setImmediate(resolve))
  })

describe("the key set", () => {
  it("is read once per 10 minutes, and a request whose key is cached does not wait for it", () =>
    run((keys) =>
      Effect.gen(function* () {
        expect(yield* ask(keys, "first")).toBe(1)
        yield* TestClock.adjust("599 seconds")
        expect(yield* ask(keys, "first")).toBe(1)
        expect(issuer.fetches).toBe(1)

        yield* TestClock.adjust("2 seconds")
        expect(yield* ask(keys, "first")).toBe(1)
        yield* until(() => issuer.fetches === 2)
      }),
    ))

  it("is read again when a token names an unknown key, at the earliest 30 seconds after the last time", () =>
    run((keys) =>
      Effect.gen(function* () {
        expect(yield* ask(keys, "first")).toBe(1)
        issuer.serve([second])

        yield* TestClock.adjust("29 seconds")
        expect(yield* ask(keys, "second")).toBe(0)
        expect(issuer.fetches).toBe(1)
        yield* TestClock.adjust("1 second")
        expect(yield* ask(keys, "second")).toBe(1)
        expect(yield* ask(keys, "first")).toBe(0)
      }),
    ))

  it("is requested at most twice for 10,000 tokens with unknown keys within a minute", () =>
    run((keys) =>
      Effect.gen(function* () {
        yield* ask(keys, "first")
        for (const moment of ["29 seconds", "2 seconds"] as const) {
          yield* TestClock.adjust(moment)
          const answers = yield* Effect.forEach(
            Array.from({ length: 5000 }),
            (_, n) => ask(keys, `unknown-${n}`),
            { concurrency: 100 },
          )
          expect(new Set(answers)).toEqual(new Set([0]))
        }

        expect(issuer.fetches).toBe(2)
      }),
    ))

  it.each([
    ["is away", "down"],
    ["answers 500", "500"],
    ["answers HTML", "html"],
    ["answers 10 MB", "large"],
    ["returns an empty set", "nothing"],
    ["redirects", "redirect"],
  ])("stays valid for an hour while the issuer %s, and is missing after it", (_, fault) =>
    run((keys) =>
      Effect.gen(function* () {
        expect(yield* ask(keys, "first")).toBe(1)
        if (fault === "down") yield* Effect.promise(() => issuer.close())
        issuer.serve((response) => {
          if (fault === "500") response.writeHead(500).end("{}")
          else if (fault === "html") response.end("<html>Sign in</html>")
          else if (fault === "large") response.end(JSON.stringify({ keys: [], x: "x".repeat(1e7) }))
          else if (fault === "redirect") response.writeHead(302, { location: issuer.url }).end()
          else response.end("{}")
        })

        for (let tries = 1; tries <= 6; tries++) {
          yield* TestClock.adjust(tries === 6 ? "9 minutes" : "10 minutes")
          expect(yield* ask(keys, "first")).toBe(1)
          yield* until(() => warnings === tries)
        }
        yield* TestClock.adjust("2 minutes")
        expect(yield* ask(keys, "first")).toBe("KeysUnavailable")
      }),
    ),
  )

  it("is abandoned if it does not arrive within 5 seconds", () =>
    run((keys) =>
      Effect.gen(function* () {
        let asked = false
        issuer.serve(() => {
          asked = true
        })
        const asking = yield* Effect.forkChild(ask(keys, "first"), { startImmediately: true })
        yield* until(() => asked)
        yield* TestClock.adjust("5 seconds")
        expect(yield* Fiber.join(asking)).toBe("KeysUnavailable")

        issuer.serve([first])
        yield* TestClock.adjust("24 seconds")
        expect(yield* ask(keys, "first")).toBe("KeysUnavailable")
        yield* TestClock.adjust("1 second")
        expect(yield* ask(keys, "first")).toBe(1)
      }),
    ))

  it("is rejected if its address names another issuer", async () => {
    const other = await startIssuer([first])
    const claimed = `${issuer.url}/tenant`
    other.claim(claimed)
    await run(
      (keys) =>
        Effect.gen(function* () {
          expect(yield* ask(keys, "first")).toBe("KeysUnavailable")
          expect(other.fetches).toBe(0)
        }),
      other.url,
    )
    await other.close()
  })

  it("provides no key for another use, of another kind, or that could sign", () =>
    run((keys) =>
      Effect.gen(function* () {
        const { privateKey } = second
        issuer.serve((response) => {
          response.end(
            JSON.stringify({
              keys: [
                { ...jwkOf(first), kid: "for encryption", use: "enc" },
                { ...privateKey.export({ format: "jwk" }), kid: "private", alg: "ES256" },
                { kty: "oct", kid: "secret", k: "AAAA", alg: "HS256" },
                { ...jwkOf(first), kid: "other algorithm", alg: "ES384" },
              ],
            }),
          )
        })
        for (const kid of ["for encryption", "private", "secret", "other algorithm"]) {
          expect(yield* ask(keys, kid)).toBe(0)
        }
      }),
    ))
})
