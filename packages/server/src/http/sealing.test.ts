import { Effect, Exit, Layer, Redacted } from "effect"
import { describe, expect, it } from "vitest"
import { seal, type Sealing, unseal } from "./sealing.ts"
import { Secrets } from "./secrets.ts"

const secretsOf = (...values: ReadonlyArray<string>) =>
  Effect.runSync(
    Effect.provide(
      Effect.map(Secrets, (secrets) => secrets),
      Layer.fresh(Secrets.layer(values.map((value) => Redacted.make(value)))),
    ),
  )

const sealing: Sealing = { purpose: "webhook-secret", owner: "organization.destination" }
const secrets = secretsOf("one secret of the server, long enough")
const opened = (with_: typeof secrets, how: Sealing, sealed: Uint8Array) =>
  Effect.runSyncExit(unseal(with_, how, sealed))

describe("what is encrypted at rest", () => {
  it("opens again, and never looks the same twice", () => {
    const one = seal(secrets, sealing, "whsec_ä")
    const other = seal(secrets, sealing, "whsec_ä")

    expect(Buffer.from(one)).not.toEqual(Buffer.from(other))
    expect(Buffer.from(one).toString("latin1")).not.toContain("whsec")
    expect(opened(secrets, sealing, one)).toEqual(Exit.succeed("whsec_ä"))
  })

  it("opens after the key was changed, while the old one is the second value", () => {
    const sealed = seal(secrets, sealing, "text")
    const changed = "another secret of the server, long enough"

    expect(
      opened(secretsOf(changed, "one secret of the server, long enough"), sealing, sealed),
    ).toEqual(Exit.succeed("text"))
    expect(Exit.isFailure(opened(secretsOf(changed), sealing, sealed))).toBe(true)
  })

  it("does not open for another owner, for another purpose, or when a bit is another", () => {
    const sealed = seal(secrets, sealing, "text")

    expect(Exit.isFailure(opened(secrets, { ...sealing, owner: "somebody else" }, sealed))).toBe(
      true,
    )
    expect(
      Exit.isFailure(opened(secrets, { ...sealing, purpose: "account-credentials" }, sealed)),
    ).toBe(true)
    for (let byte = 0; byte < sealed.length; byte++) {
      const bent = Uint8Array.from(sealed, (value, at) => (at === byte ? value ^ 1 : value))
      expect(Exit.isFailure(opened(secrets, sealing, bent))).toBe(true)
    }
    expect(Exit.isFailure(opened(secrets, sealing, sealed.subarray(0, 10)))).toBe(true)
  })
})
