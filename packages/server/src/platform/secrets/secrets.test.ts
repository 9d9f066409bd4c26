import { Context, Effect, Layer, Redacted } from "effect"
import { createHmac, hkdfSync } from "node:crypto"
import { describe, expect, it } from "vitest"
import { Secrets, type SigningPurpose } from "./secrets.ts"

const purposes: ReadonlyArray<SigningPurpose> = ["token", "cursor", "session-id"]
const older = "the older value of FOOTFALL_SECRET"
const newer = "the newer value of FOOTFALL_SECRET"

const secretsOf = (...values: ReadonlyArray<string>) =>
  Effect.runSync(
    Effect.scoped(
      Effect.map(Layer.build(Secrets.layer(values.map((value) => Redacted.make(value)))), (built) =>
        Context.get(built, Secrets),
      ),
    ),
  )

describe("sub-keys of FOOTFALL_SECRET (spec 1.2, rule 4)", () => {
  it("are HKDF-SHA-256 of the secret with the purpose as label", () => {
    const key = Buffer.from(hkdfSync("sha256", newer, "", "footfall/cursor/v1", 32))

    expect(secretsOf(newer).sign("cursor", "text")).toEqual(
      createHmac("sha256", key).update("text").digest(),
    )
    expect(
      secretsOf(newer)
        .keys("cursor")
        .map((each) => each.export()),
    ).toEqual([key])
  })

  it("differ for every purpose: a signature for one never passes for another", () => {
    const secrets = secretsOf(newer)

    for (const signed of purposes) {
      const signature = secrets.sign(signed, "text")
      for (const purpose of purposes) {
        expect(secrets.verify(purpose, "text", signature)).toBe(purpose === signed)
      }
    }
  })

  it("with two values, the first signs and both verify", () => {
    const rotated = secretsOf(newer, older)

    expect(rotated.sign("cursor", "text")).toEqual(secretsOf(newer).sign("cursor", "text"))
    expect(rotated.keys("token")[0]!.equals(secretsOf(newer).keys("token")[0]!)).toBe(true)
    expect(rotated.verify("cursor", "text", secretsOf(older).sign("cursor", "text"))).toBe(true)
    expect(secretsOf(older).verify("cursor", "text", rotated.sign("cursor", "text"))).toBe(false)
  })

  it("a signature of another length is rejected without an exception", () => {
    const secrets = secretsOf(newer)

    expect(secrets.verify("cursor", "text", new Uint8Array())).toBe(false)
    expect(secrets.verify("cursor", "text", secrets.sign("cursor", "text").subarray(0, 31))).toBe(
      false,
    )
  })

  it("are not shown when printed", () => {
    expect(JSON.stringify(secretsOf(newer).keys("cursor"))).toBe("[{}]")
  })
})
