// The grammar of paths, and that they read own properties alone (spec 15.3.6).
import { describe, expect, it } from "vitest"
import { readPath, valueAt, valuesAt } from "./path.ts"

const read = (root: unknown, text: string) => {
  const path = readPath(text)
  if (typeof path === "string") throw new Error(path)
  return valueAt(root, path)
}

describe("a path", () => {
  const root = JSON.parse(
    '{"a":{"b":[{"Business Email":"x@y.example"}]},"__proto__":{"own":1},"it\'s":2,"n":null}',
  )

  it.each([
    ["$", root],
    [`$.a.b[0]["Business Email"]`, "x@y.example"],
    [`$["it's"]`, 2],
    ["$.__proto__.own", 1],
    ["$.n", null],
    ["$.a.missing.deeper", undefined],
    ["$.a.b[7]", undefined],
    ["$.a[0]", undefined],
    ["$.a.b.length", undefined],
  ])("%s reads its value", (text, value) => {
    expect(read(root, text)).toEqual(value)
  })

  it.each(["$.constructor", "$.toString", "$.a.hasOwnProperty", "$.a.__proto__", "$.a.b.map"])(
    "%s reads nothing that is inherited",
    (text) => {
      expect(read(root, text)).toBeUndefined()
    },
  )

  it.each([
    ["a.b", "begins with $"],
    ["$a", "Expected . or ["],
    ["$.", "a name after the dot"],
    ["$..a", "a name after the dot"],
    ["$.a b", "a name after the dot"],
    ['$["a', 'Expected "]'],
    ["$[a]", "a number"],
    ["$[-1]", "a number"],
    ["$[9999999]", "a number"],
    ["$[", "a number"],
    [`$${".a".repeat(33)}`, "at most 32 steps"],
    ["$[*][*][*][*]", "at most 3 times"],
    [`$.${"a".repeat(400)}`, "at most 300 characters"],
  ])("%s is refused with the reason", (text, reason) => {
    expect(readPath(text)).toContain(reason)
  })

  it("finds every element of nested arrays, and stops at the limit", () => {
    const path = readPath("$.rows[*].people[*]")
    if (typeof path === "string") throw new Error(path)
    const rows = [{ people: [1, 2] }, {}, { people: "x" }, { people: [3] }]
    expect(valuesAt({ rows }, path, 10)).toEqual([1, 2, 3])
    expect(valuesAt({ rows }, path, 2)).toEqual([1, 2])
  })

  it("reads the longest hostile texts in one pass", () => {
    for (const part of ["[", ".", '["', "[*]", "['", "$"]) {
      expect(typeof readPath(`$${part.repeat(299)}`.slice(0, 300))).toBe("string")
    }
  })
})
