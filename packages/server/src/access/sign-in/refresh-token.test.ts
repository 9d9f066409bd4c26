import { Redacted } from "effect"
import fc from "fast-check"
import { expect, it } from "vitest"
import { makeRefreshToken, readRefreshToken } from "./refresh-token.ts"

it("a refresh token contains its chain, and is never the same twice", () => {
  fc.assert(
    fc.property(fc.uuid(), (chainId) => {
      const [one, other] = [makeRefreshToken(chainId), makeRefreshToken(chainId)]

      expect(Redacted.value(one)).toMatch(/^rt_[A-Za-z0-9_-]{64}$/)
      expect(readRefreshToken(one)).toMatchObject({ chainId })
      expect(readRefreshToken(one)).toEqual(readRefreshToken(one))
      expect(readRefreshToken(other)!.digest).not.toEqual(readRefreshToken(one)!.digest)
    }),
  )
})

it.each([
  "",
  "rt_",
  `rt_${"A".repeat(63)}`,
  `rt_${"A".repeat(65)}`,
  `rt_${"=".repeat(64)}`,
  "A".repeat(67),
])("%j is not valid", (text) => {
  expect(readRefreshToken(Redacted.make(text))).toBeUndefined()
})

it("changing any character makes it a different token", () => {
  const token = Redacted.value(makeRefreshToken("3a4938b4-a270-4a2a-969a-f5c8cc7f2e2f"))
  const digest = readRefreshToken(Redacted.make(token))!.digest
  for (let at = 3; at < token.length; at++) {
    const changed = token.slice(0, at) + (token[at] === "A" ? "B" : "A") + token.slice(at + 1)
    expect(readRefreshToken(Redacted.make(changed))?.digest).not.toEqual(digest)
  }
})
