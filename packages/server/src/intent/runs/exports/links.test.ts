// A signed link has one spelling, because a second one would be another address of the same file, and an end.
import { assert, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { AccessConfig } from "../../../access/access-config.ts"
import { Secrets } from "../../../platform/secrets/secrets.ts"
import { ExportLinks, linkLifetimeSeconds } from "./links.ts"

const links = ExportLinks.layer.pipe(
  Layer.provide([
    Layer.succeed(AccessConfig, {
      baseUrl: "https://footfall.example",
      externalIssuer: undefined,
      hasConsole: false,
    }),
    Secrets.layer([Redacted.make("a-secret-of-the-tests-of-links-0123456789")]),
  ]),
)

const exportId = "018f3a52-7c1e-7b7d-9d5a-2f4c6b8e0a13"

it.effect("only the spelling of a signature that the link contains is accepted", () =>
  Effect.gen(function* () {
    const { check, make } = yield* ExportLinks
    const query = new URL((yield* make(exportId)).url).searchParams
    const expires = query.get("expires")!
    const signature = query.get("signature")!
    yield* check({ exportId, expires, signature })

    const bytes = Buffer.from(signature, "base64url")
    const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    // The last digit has two bits that no byte of the signature uses.
    const last = digits[digits.indexOf(signature.at(-1)!) + 1]!
    const spellings = [
      `${signature.slice(0, -1)}${last}`,
      `${signature}=`,
      `${signature.slice(0, 9)} ${signature.slice(9)}`,
      `${signature}.`,
    ]
    const reasons = yield* Effect.forEach(spellings, (other) => {
      assert.deepStrictEqual(Buffer.from(other, "base64url"), bytes)
      return check({ exportId, expires, signature: other }).pipe(
        Effect.as("accepted"),
        Effect.catch(({ reason }) => Effect.succeed(reason)),
      )
    })
    assert.deepStrictEqual(
      reasons,
      spellings.map(() => "signature"),
    )
  }).pipe(Effect.provide(links)),
)

it.effect(
  "a link works until the time at which it says that it expires, and not at that time",
  () =>
    Effect.gen(function* () {
      const { check, make } = yield* ExportLinks
      const query = new URL((yield* make(exportId)).url).searchParams
      const link = { exportId, expires: query.get("expires")!, signature: query.get("signature")! }

      yield* TestClock.adjust(linkLifetimeSeconds * 1000 - 1)
      yield* check(link)
      yield* TestClock.adjust(1)

      assert.strictEqual((yield* Effect.flip(check(link))).reason, "expired")
    }).pipe(Effect.provide(links)),
)
