// Mail link tokens (spec 5.1, 6.7): whom they identify, in which organization, and for how long.
import { createSecretKey } from "node:crypto"
import { describe, expect, it } from "vitest"
import { makeLinkToken, readLinkToken } from "./link-token.ts"

const organizationId = "3a4938b4-a270-4a2a-969a-f5c8cc7f2e2f"
const emailHash = "ab".repeat(32)
const expiresAt = 1_773_219_901
const [key, oldKey, otherKey] = [1, 2, 3].map((byte) => createSecretKey(Buffer.alloc(32, byte)))
const person = { organizationId, emailHash, expiresAt }
const expected = { organizationId, now: expiresAt * 1_000 - 1 }

describe("a link token", () => {
  it("identifies its person until it expires, not a millisecond longer", () => {
    const token = makeLinkToken(person, key!)
    expect(readLinkToken(token, expected, [key!])).toBe(emailHash)
    expect(readLinkToken(token, { ...expected, now: expiresAt * 1_000 }, [key!])).toBeUndefined()
  })

  it("is valid if it was created with either value of the secret", () => {
    const token = makeLinkToken(person, oldKey!)
    expect(readLinkToken(token, expected, [key!, oldKey!])).toBe(emailHash)
    expect(readLinkToken(token, expected, [key!, otherKey!])).toBeUndefined()
  })

  it("identifies no one in another organization", () => {
    const token = makeLinkToken(person, key!)
    const other = { ...expected, organizationId: "99999999-9999-4999-8999-999999999999" }
    expect(readLinkToken(token, other, [key!])).toBeUndefined()
  })

  it("identifies no one and reveals nothing if any character changes", () => {
    const token = makeLinkToken(person, key!)
    for (let place = 0; place < token.length; place++) {
      const changed =
        token.slice(0, place) + (token[place] === "A" ? "Q" : "A") + token.slice(place + 1)
      expect(readLinkToken(changed, expected, [key!])).toBeUndefined()
    }
    expect(Buffer.from(token, "base64url").toString("hex")).not.toContain(emailHash)
    expect(makeLinkToken(person, key!)).not.toBe(token)
  })

  it.each(["", "x", "A".repeat(107), "A".repeat(2_048), "é".repeat(107)])(
    "%j is not valid",
    (text) => {
      expect(readLinkToken(text, expected, [key!])).toBeUndefined()
    },
  )
})
