import { Redacted } from "effect"
import type * as Crypto from "node:crypto"
import { scryptSync } from "node:crypto"
import { describe, expect, it, vi } from "vitest"
import { hashPassword, isPassword, isSamePassword, makePassword } from "./password.ts"

const { derived } = vi.hoisted(() => ({ derived: { count: 0 } }))
vi.mock("node:crypto", async (original) => {
  const crypto = await original<typeof Crypto>()
  const scrypt: typeof crypto.scrypt = (...args: ReadonlyArray<unknown>) => {
    derived.count++
    // the arguments are those the function was called with
    return Reflect.apply(crypto.scrypt, undefined, args) as undefined
  }
  return { ...crypto, scrypt }
})

/** Whether a sign-in can check a stored hash: it contains everything needed. */
const matchesStored = (password: string, stored: string): boolean => {
  const [name, N, r, p, salt = "", hash] = stored.split("$")
  const cost = { N: Number(N), r: Number(r), p: Number(p), maxmem: 64 * 1024 * 1024 }
  const derived = scryptSync(password, Buffer.from(salt, "base64url"), 32, cost)
  return name === "scrypt" && derived.toString("base64url") === hash
}

describe("a stored password (spec 5.12)", () => {
  it("is scrypt with its parameters and a new salt each time", async () => {
    const password = Redacted.make("correct horse battery staple")
    const [one, two] = await Promise.all([hashPassword(password), hashPassword(password)])

    expect(one).toMatch(/^scrypt\$32768\$8\$1\$[A-Za-z0-9_-]{22}\$[A-Za-z0-9_-]{43}$/)
    expect(one).not.toBe(two)
    expect(matchesStored("correct horse battery staple", one)).toBe(true)
    expect(matchesStored("correct horse battery stapl", one)).toBe(false)
  })

  it("is the same whichever way an accent was typed", async () => {
    const stored = await hashPassword(Redacted.make("cafe\u0301 au lait"))

    expect(matchesStored("caf\u00e9 au lait".normalize("NFKC"), stored)).toBe(true)
  })
})

it("a generated password has 120 random bits and is not shown when printed", () => {
  const password = makePassword()

  expect(Redacted.value(password)).toMatch(/^[A-Za-z0-9_-]{20}$/)
  expect(Redacted.value(makePassword())).not.toBe(Redacted.value(password))
  expect(String(password)).toBe("<redacted>")
})

it("a password has 10 to 200 characters of any kind", () => {
  const matchesStored = [9, 10, 11, 199, 200, 201].map((length) =>
    isPassword(Redacted.make("😀".repeat(length))),
  )

  expect(matchesStored).toEqual([false, true, true, true, true, false])
})

describe("comparing a password", () => {
  it("accepts the stored one in either spelling and nothing else", async () => {
    const stored = await hashPassword(Redacted.make("cafe\u0301 au lait"))
    const isSame = (text: string) => isSamePassword(Redacted.make(text), stored)

    expect(await isSame("caf\u00e9 au lait")).toBe(true)
    for (const text of ["cafe au lait", "caf\u00e9 au lai", " caf\u00e9 au lait", ""]) {
      expect(await isSame(text)).toBe(false)
    }
  })

  it("uses the stored parameters", async () => {
    const [salt, cost] = [Buffer.alloc(16, 7), { N: 1024, r: 4, p: 2 }]
    const hash = scryptSync("an older password", salt, 32, cost).toString("base64url")
    const stored = `scrypt$1024$4$2$${salt.toString("base64url")}$${hash}`

    expect(await isSamePassword(Redacted.make("an older password"), stored)).toBe(true)
  })

  it("does the same work if nothing is stored, and never matches", async () => {
    const before = derived.count
    const isSame = await isSamePassword(Redacted.make("correct horse battery staple"), null)

    expect(isSame).toBe(false)
    expect(derived.count).toBe(before + 1)
  })
})
