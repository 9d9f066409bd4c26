import fc from "fast-check"
import { expect, it } from "vitest"
import { hasRepeatedMember } from "./signed-token.ts"

it.each([
  ['{"a":1,"a":2}', true],
  ['{"a":1,"b":2}', false],
  ['{"a":1,"\\u0061":2}', true],
  ['{"a":{"b":1},"c":{"b":1}}', false],
  ['{"a":[{"b":1},{"b":2}],"a":1}', true],
  ['{"a":"\\"a\\":","b":"{","c":"a"}', false],
  ['{"a":"a","b":"a"}', false],
  ['{ "a" : 1 , "a" : 1 }', true],
  ['{"a\\"":1,"a":1}', false],
  ["{}", false],
  ['[{"a":1},{"a":1}]', false],
])("%s repeats a member: %j", (text, isRepeated) => {
  expect(hasRepeatedMember(text)).toBe(isRepeated)
})

it("JSON.stringify never repeats a member; appending one of its members does", () => {
  const object = fc.dictionary(fc.string({ unit: "grapheme" }), fc.jsonValue(), { minKeys: 1 })
  fc.assert(
    fc.property(object, fc.boolean(), (value, isSpaced) => {
      const text = JSON.stringify(value, null, isSpaced ? 2 : undefined)
      const [first] = Object.keys(JSON.parse(text) as object)

      expect(hasRepeatedMember(text)).toBe(false)
      const again = text.replace("{", () => `{${JSON.stringify(first)}:0,`)
      expect(hasRepeatedMember(again)).toBe(true)
    }),
  )
})
