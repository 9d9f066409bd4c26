// A DigestSet contains the texts that were added, and no others.

import fc from "fast-check"
import { expect, test } from "vitest"
import { DigestSet } from "./digest-set.ts"

test("reports for each text whether it is new, like a Set", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 3 }), { maxLength: 500 }), (texts) => {
      const [digests, known] = [new DigestSet(), new Set<string>()]
      for (const text of texts) {
        expect(digests.has(text)).toBe(known.has(text))
        expect(digests.add(text)).toBe(!known.has(text))
        known.add(text)
      }
    }),
  )
})

test("contains 300,000 texts after growing, and no others", () => {
  const digests = new DigestSet()
  const texts = Array.from({ length: 300_000 }, (_, index) => `email person${index}@acme.example`)

  expect(texts.every((text) => digests.add(text))).toBe(true)
  expect(texts.every((text) => digests.has(text))).toBe(true)
  expect(texts.some((text) => digests.has(`${text}.`))).toBe(false)
})

test("reports an overflow when it could not store a text, and not before", () => {
  const digests = new DigestSet(2 ** 8)
  const added: Array<string> = []
  for (let index = 0; !digests.hasOverflowed; index += 1) {
    expect(digests.has(added.at(-1) ?? "")).toBe(index > 0)
    const text = `email person${index}@acme.example`
    digests.add(text)
    added.push(text)
  }

  expect(digests.has(added.at(-1) ?? "")).toBe(false)
  expect(added.length).toBeGreaterThan(16 * 2 ** 7)
})
