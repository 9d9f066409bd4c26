import { Redacted } from "effect"
import { scryptSync } from "node:crypto"
import { describe, expect, it } from "vitest"
import { hashPassword, isPassword, makePassword } from "./password.ts"

/** What a sign-in will do with a stored hash: everything it needs stands in it. */
const fits = (password: string, stored: string): boolean => {
  const [name, N, r, p, salt = "", hash] = stored.split("$")
  const cost = { N: Number(N), r: Number(r), p: Number(p), maxmem: 64 * 1024 * 1024 }
  const derived = scryptSync(password, Buffer.from(salt, "base64url"), 32, cost)
  return name === "scrypt" && derived.toString("base64url") === hash
}

describe("a stored password (decisions.md 5.12)", () => {
  it("is scrypt with its parameters, salted anew each time", async () => {
    const password = Redacted.make("correct horse battery staple")
    const [one, two] = await Promise.all([hashPassword(password), hashPassword(password)])

    expect(one).toMatch(/^scrypt\$32768\$8\$1\$[A-Za-z0-9_-]{22}\$[A-Za-z0-9_-]{43}$/)
    expect(one).not.toBe(two)
    expect(fits("correct horse battery staple", one)).toBe(true)
    expect(fits("correct horse battery stapl", one)).toBe(false)
  })

  it("is the same whichever way an accent was typed", async () => {
    const stored = await hashPassword(Redacted.make("cafe\u0301 au lait"))

    expect(fits("caf\u00e9 au lait".normalize("NFKC"), stored)).toBe(true)
  })
})

it("a password that is made has 120 random bits and does not show when printed", () => {
  const password = makePassword()

  expect(Redacted.value(password)).toMatch(/^[A-Za-z0-9_-]{20}$/)
  expect(Redacted.value(makePassword())).not.toBe(Redacted.value(password))
  expect(String(password)).toBe("<redacted>")
})

it("a password has 10 to 200 characters, whatever they are made of", () => {
  const fits = [9, 10, 11, 199, 200, 201].map((length) =>
    isPassword(Redacted.make("😀".repeat(length))),
  )

  expect(fits).toEqual([false, true, true, true, true, false])
})
