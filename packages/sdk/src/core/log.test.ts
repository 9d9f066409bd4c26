// What is redacted from external text, and what is too short to be a credential (spec 5.12).

import { expect, it } from "vitest"
import { redact } from "./log.ts"

it("a secret is redacted wherever it appears, also in its JSON-escaped form", () => {
  const secret = 'say "friend"'
  const text = `${secret} ${JSON.stringify({ secret })} ${secret}`

  expect(redact(text, [secret])).toBe('[redacted] {"secret":"[redacted]"} [redacted]')
})

it.each([
  ["9 characters", "battery-9", "battery-9 stays"],
  ["nothing", "", "battery-9 stays"],
])("%s are not redacted", (_name, secret, text) => {
  expect(redact(text, [secret])).toBe(text)
})

it("10 characters, the shortest password, are redacted", () => {
  expect(redact("battery-10 goes", ["battery-10"])).toBe("[redacted] goes")
})
