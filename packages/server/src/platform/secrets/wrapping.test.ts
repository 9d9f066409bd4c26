import { createSecretKey } from "node:crypto"
import { describe, expect, it } from "vitest"
import { newDataKey, unwrap, wrap } from "./wrapping.ts"

const name = { purpose: "tombstone", number: 0 } as const
const wrapping = createSecretKey(Buffer.alloc(32, 1))
const other = createSecretKey(Buffer.alloc(32, 2))

describe("a wrapped data key", () => {
  it("opens with the key that wrapped it, and with no other", () => {
    const key = newDataKey()
    const wrapped = wrap(wrapping, name, key)

    expect(unwrap(wrapping, name, wrapped)?.equals(key)).toBe(true)
    expect(unwrap(other, name, wrapped)).toBeUndefined()
    expect(Buffer.from(wrapped).includes(key.export())).toBe(false)
  })

  it("never looks the same twice, and neither do two keys", () => {
    const key = newDataKey()

    expect(wrap(wrapping, name, key)).not.toEqual(wrap(wrapping, name, key))
    expect(newDataKey().equals(key)).toBe(false)
  })

  it("does not open for another purpose or number, or with a changed bit", () => {
    const wrapped = wrap(wrapping, name, newDataKey())

    expect(unwrap(wrapping, { ...name, purpose: "address" }, wrapped)).toBeUndefined()
    expect(unwrap(wrapping, { ...name, number: 1 }, wrapped)).toBeUndefined()
    for (let byte = 0; byte < wrapped.length; byte++) {
      const bent = Uint8Array.from(wrapped, (value, at) => (at === byte ? value ^ 1 : value))
      expect(unwrap(wrapping, name, bent)).toBeUndefined()
    }
    expect(unwrap(wrapping, name, wrapped.subarray(0, 12))).toBeUndefined()
  })
})
