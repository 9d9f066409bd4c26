import { Effect, Exit, Redacted } from "effect"
import { describe, expect, it } from "vitest"
import { type DataKeys, dataKeysOf } from "./data-keys.ts"
import { seal, type Sealing, unseal } from "./sealing.ts"
import { secretKeysOf } from "./secrets.ts"

/** Keys of an installation with one data key per value. */
const keysOf = (...values: ReadonlyArray<string>) => {
  const secrets = secretKeysOf(values.map((value) => Redacted.make(value)))
  return dataKeysOf((purpose) => secrets.formerKeys(purpose))
}

const sealing: Sealing = { purpose: "webhook-secret", owner: "organization.destination" }
const keys = keysOf("one secret of the server, long enough")
const opened = (with_: DataKeys["Service"], how: Sealing, sealed: Uint8Array) =>
  Effect.runSyncExit(unseal(with_, how, sealed))

describe("a sealed value", () => {
  it("opens again, and never looks the same twice", () => {
    const one = seal(keys, sealing, "whsec_ä")
    const other = seal(keys, sealing, "whsec_ä")

    expect(Buffer.from(one)).not.toEqual(Buffer.from(other))
    expect(Buffer.from(one).toString("latin1")).not.toContain("whsec")
    expect(opened(keys, sealing, one)).toEqual(Exit.succeed("whsec_ä"))
  })

  it("opens under every data key of the installation, and is sealed under the first", () => {
    const sealed = seal(keys, sealing, "text")
    const changed = "another secret of the server, long enough"

    expect(
      opened(keysOf(changed, "one secret of the server, long enough"), sealing, sealed),
    ).toEqual(Exit.succeed("text"))
    expect(Exit.isFailure(opened(keysOf(changed), sealing, sealed))).toBe(true)
  })

  it("does not open for another owner, for another purpose, or with a changed bit", () => {
    const sealed = seal(keys, sealing, "text")

    expect(Exit.isFailure(opened(keys, { ...sealing, owner: "someone else" }, sealed))).toBe(true)
    expect(
      Exit.isFailure(opened(keys, { ...sealing, purpose: "account-credentials" }, sealed)),
    ).toBe(true)
    for (let byte = 0; byte < sealed.length; byte++) {
      const bent = Uint8Array.from(sealed, (value, at) => (at === byte ? value ^ 1 : value))
      expect(Exit.isFailure(opened(keys, sealing, bent))).toBe(true)
    }
    expect(Exit.isFailure(opened(keys, sealing, sealed.subarray(0, 10)))).toBe(true)
  })
})
