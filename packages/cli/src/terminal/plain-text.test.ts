// Untrusted text cannot control the terminal.

import fc from "fast-check"
import { expect, test } from "vitest"
import { plainText } from "./terminal.ts"

test.each([
  ["\u001B[31mred\u001B[0m", "red"],
  ["\u001B]0;title\u0007text", "text"],
  ["\u009B2Jtext", "text"],
  ["two\r\nlines\tand a tab", "two lines and a tab"],
  ["\u202Etxet", "txet"],
  ["back\bspace\u0000", "backspace"],
  ["Otávio 海峡 👩‍💻", "Otávio 海峡 👩‍💻"],
])("%j becomes %j", (text, safe) => {
  expect(plainText(text)).toBe(safe)
})

test("removes everything that controls a terminal from any text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(plainText(text)).not.toMatch(/[\p{Cc}\u2028-\u202E\u2066-\u2069]/u)
    }),
  )
})
