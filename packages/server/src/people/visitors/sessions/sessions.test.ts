// The cursor of a person's sessions, as defined in spec 1.6 and shown in the example of 12.4.
import { Context, DateTime, Effect, Layer, Redacted } from "effect"
import { describe, expect, it } from "vitest"
import { cursorExpiry, encodeCursor } from "../../../platform/lists/cursor.ts"
import { Secrets } from "../../../platform/secrets/secrets.ts"
import {
  cursorKeyOf,
  matchesScope,
  openSessionCursor,
  type SessionCursor,
  sessionKeyOf,
} from "./sessions.ts"

const secrets = Context.get(
  Effect.runSync(
    Effect.scoped(Layer.build(Secrets.layer([Redacted.make("a secret of at least 32 letters")]))),
  ),
  Secrets,
)
const now = DateTime.makeUnsafe("2026-03-11T09:00:20.000Z")
const last = {
  startTime: "2026-03-11T08:41:02.000Z",
  pixelId: "cdd19037-47fb-4e21-a054-2da787925aea",
  id: "2f18c3a8-cc0f-4ff2-ba96-fb557b7f6ec4",
}
/** The fields of the example, in its order. */
const example: SessionCursor = {
  o: "3a4938b4-a270-4a2a-969a-f5c8cc7f2e2f",
  v: "930ddda806d63038cb481e4c43e2c0a5a0d3aa0698d51b2aab83dd91808dd0f9",
  t: "30d",
  p: "cdd19037-47fb-4e21-a054-2da787925aea",
  a: "2026-03-11T09:00:20.000Z",
  k: cursorKeyOf(last),
  exp: cursorExpiry(now),
}

const open = (text: string, scope: Parameters<typeof matchesScope>[0] = example) => {
  const opened = openSessionCursor(secrets, text, { now, isInScope: matchesScope(scope) })
  const result = Effect.runSync(Effect.result(opened))
  return result._tag === "Failure" ? result.failure.reason : result.success
}

describe("a session cursor", () => {
  it("with the example's members has the bytes of the example (12.4)", () => {
    expect(encodeCursor(secrets, example).split(".")[0]).toBe(
      "eyJvIjoiM2E0OTM4YjQtYTI3MC00YTJhLTk2OWEtZjVjOGNjN2YyZTJmIiwidiI6IjkzMGRkZGE4MDZkNjMwMzhjYjQ4MWU0YzQzZTJjMGE1YTBkM2FhMDY5OGQ1MWIyYWFiODNkZDkxODA4ZGQwZjkiLCJ0IjoiMzBkIiwicCI6ImNkZDE5MDM3LTQ3ZmItNGUyMS1hMDU0LTJkYTc4NzkyNWFlYSIsImEiOiIyMDI2LTAzLTExVDA5OjAwOjIwLjAwMFoiLCJrIjpbIjIwMjYtMDMtMTFUMDg6NDE6MDIuMDAwWiIsImNkZDE5MDM3LTQ3ZmItNGUyMS1hMDU0LTJkYTc4NzkyNWFlYToyZjE4YzNhOC1jYzBmLTRmZjItYmE5Ni1mYjU1N2I3ZjZlYzQiXSwiZXhwIjoxNzczMzA2MDIwfQ",
    )
  })

  it("decodes to its members and the key of the last session", () => {
    const opened = open(encodeCursor(secrets, example))

    expect(opened).toEqual(example)
    expect(sessionKeyOf(example)).toEqual(last)
  })

  it.each([
    { o: "5a4938b4-a270-4a2a-969a-f5c8cc7f2e2f" },
    { v: "a".repeat(64) },
    { t: "all" as const },
    { p: null },
    { p: last.id },
  ])("is refused for its scope if the request has %j", (change) => {
    expect(open(encodeCursor(secrets, example), { ...example, ...change })).toBe("scope")
  })

  it("is refused after any single bit flip (J1)", () => {
    const cursors = [example, { ...example, p: null }, { ...example, t: "all" as const }]

    for (const cursor of cursors) {
      const bytes = Buffer.from(encodeCursor(secrets, cursor))
      for (let bit = 0; bit < bytes.length * 8; bit++) {
        const flipped = Buffer.from(bytes)
        flipped[bit >> 3]! ^= 1 << (bit & 7)
        expect(open(flipped.toString("latin1")), `bit ${bit}`).toMatch(/^(?:malformed|signature)$/)
      }
    }
  })

  it("with a valid signature but no session key, or from another list, is refused for its scope", () => {
    const { p: _, ...withoutScope } = example

    for (const other of [
      withoutScope,
      { ...example, k: [last.startTime, "no key"] },
      { ...example, k: [last.startTime] },
      {
        o: example.o,
        r: "GET /v1/data",
        f: "x",
        a: example.a,
        k: [],
        n: 1,
        c: 1,
        exp: example.exp,
      },
    ]) {
      expect(open(encodeCursor(secrets, other))).toBe("scope")
    }
  })
})
