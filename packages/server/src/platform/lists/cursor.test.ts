import { Context, DateTime, Effect, Layer, Redacted } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  cursorExpiry,
  type CursorScope,
  cursorLifetimeSeconds,
  decodeCursor,
  encodeCursor,
  ListCursor,
} from "./cursor.ts"
import { Secrets } from "../secrets/secrets.ts"

const secretsOf = (...values: ReadonlyArray<string>) =>
  Effect.runSync(
    Effect.scoped(
      Effect.map(Layer.build(Secrets.layer(values.map((value) => Redacted.make(value)))), (built) =>
        Context.get(built, Secrets),
      ),
    ),
  )

const secrets = secretsOf("the newer value of FOOTFALL_SECRET")
const now = DateTime.makeUnsafe("2026-03-11T08:42:12.000Z")
const cursor: ListCursor = {
  o: "3a4938b4-a270-4a2a-969a-f5c8cc7f2e2f",
  r: "GET /v1/data",
  f: "n1ZrZc0m9g0",
  a: "2026-03-11T08:42:12.000Z",
  k: ["2026-03-11T08:41:02.000Z", "0a69c7a6"],
  n: 50,
  c: 120,
  exp: cursorExpiry(now),
}
const scope: CursorScope = { o: cursor.o, r: cursor.r, f: cursor.f }

const decode = (
  text: string,
  change: { readonly scope?: CursorScope; readonly now?: DateTime.Utc } = {},
  by = secrets,
) => {
  const { f, o, r } = change.scope ?? scope
  const isInScope = (found: ListCursor) => found.o === o && found.r === r && found.f === f
  return Effect.runSync(
    Effect.result(decodeCursor(ListCursor)(by, text, { isInScope, now: change.now ?? now })),
  )
}

const reasonOf = (result: ReturnType<typeof decode>) =>
  result._tag === "Failure" ? result.failure.reason : "accepted"

describe("a list cursor (spec 1.6)", () => {
  it("returns the values it was created from", () => {
    fc.assert(
      fc.property(fc.record({ k: fc.array(fc.string()), n: fc.nat(), c: fc.nat() }), (position) => {
        const made = { ...cursor, ...position }
        expect(decode(encodeCursor(secrets, made))).toMatchObject({ success: made })
      }),
    )
  })

  it("contains only characters that need no escape in a URL, and stays short", () => {
    const text = encodeCursor(secrets, cursor)

    expect(text).toMatch(/^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]{43}$/)
    expect(encodeURIComponent(text)).toBe(text)
    expect(text.length).toBeLessThan(512)
  })

  it("is rejected with any single bit flipped", () => {
    const bytes = Buffer.from(encodeCursor(secrets, cursor))

    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const flipped = Buffer.from(bytes)
      flipped[bit >> 3]! ^= 1 << (bit & 7)
      expect(reasonOf(decode(flipped.toString("latin1"))), `bit ${bit}`).toMatch(
        /^(?:malformed|signature)$/,
      )
    }
  })

  it("is rejected if it is cut anywhere or followed by anything", () => {
    const text = encodeCursor(secrets, cursor)

    for (let length = 0; length < text.length; length++) {
      expect(reasonOf(decode(text.slice(0, length))), `length ${length}`).toMatch(
        /^(?:malformed|signature)$/,
      )
    }
    for (const more of [".", "=", "A", " ", ".x"]) {
      expect(reasonOf(decode(text + more))).toMatch(/^(?:malformed|signature)$/)
    }
  })

  it("is malformed if it is not a cursor", () => {
    for (const text of [
      "",
      "a.b.c",
      "%",
      "x".repeat(5000),
      `${"x".repeat(3000)}.${"x".repeat(43)}`,
    ]) {
      expect(reasonOf(decode(text))).toBe("malformed")
    }
  })

  it("of another kind, signed by us, is rejected for its scope", () => {
    const payload = Buffer.from(JSON.stringify({ ...cursor, n: "fifty" })).toString("base64url")
    const signature = secrets.sign("cursor", payload).toString("base64url")

    expect(reasonOf(decode(`${payload}.${signature}`))).toBe("scope")
  })

  it("of another organization, route or filter is rejected for its scope", () => {
    const text = encodeCursor(secrets, cursor)

    for (const member of ["o", "r", "f"] as const) {
      expect(reasonOf(decode(text, { scope: { ...scope, [member]: "another" } }))).toBe("scope")
    }
  })

  it("is valid for 24 hours: accepted in the last second, expired in the next", () => {
    const text = encodeCursor(secrets, cursor)

    expect(cursorLifetimeSeconds).toBe(86_400)
    const inSeconds = (seconds: number) => ({ now: DateTime.add(now, { seconds }) })
    expect(reasonOf(decode(text, inSeconds(86_399)))).toBe("accepted")
    expect(reasonOf(decode(text, inSeconds(86_400)))).toBe("expired")
    expect(reasonOf(decode(text, inSeconds(86_401)))).toBe("expired")
  })

  it("signed with the older of two secrets is accepted, with an unknown one rejected", () => {
    const older = secretsOf("the older value of FOOTFALL_SECRET")
    const rotated = secretsOf(
      "the newer value of FOOTFALL_SECRET",
      "the older value of FOOTFALL_SECRET",
    )
    const text = encodeCursor(older, cursor)

    expect(reasonOf(decode(text, {}, rotated))).toBe("accepted")
    expect(reasonOf(decode(text, {}, secrets))).toBe("signature")
  })

  it("signed for another purpose is rejected", () => {
    const payload = Buffer.from(JSON.stringify(cursor)).toString("base64url")
    const signature = secrets.sign("session-id", payload).toString("base64url")

    expect(reasonOf(decode(`${payload}.${signature}`))).toBe("signature")
  })
})
