import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { isTooDeep, jsonDepthMax } from "./json-checks.ts"

const bytes = (text: string) => new TextEncoder().encode(text)
const lists = (depth: number) => bytes("[".repeat(depth) + "]".repeat(depth))
const objects = (depth: number) => bytes('{"a":'.repeat(depth) + "1" + "}".repeat(depth))

/** The depth of a parsed value, found recursively, to compare the scan with. */
const depthOf = (value: unknown): number =>
  typeof value === "object" && value !== null
    ? 1 + Math.max(0, ...Object.values(value).map(depthOf))
    : 0

describe("nesting of a JSON body (spec 1.4)", () => {
  it.each([lists, objects])("64 levels pass, and 65 are too deep", (nested) => {
    expect(jsonDepthMax).toBe(64)
    expect(isTooDeep(nested(63))).toBe(false)
    expect(isTooDeep(nested(64))).toBe(false)
    expect(isTooDeep(nested(65))).toBe(true)
  })

  it("a million levels are too deep, without a stack overflow", () => {
    expect(isTooDeep(lists(1_000_000))).toBe(true)
    expect(isTooDeep(bytes("[".repeat(1_000_000)))).toBe(true)
  })

  it("many values side by side are not deep", () => {
    expect(isTooDeep(bytes(`[${"[],".repeat(1000)}[]]`))).toBe(false)
  })

  it("brackets inside strings do not count, an escaped quote does not end a string", () => {
    expect(isTooDeep(bytes(JSON.stringify("[".repeat(100))))).toBe(false)
    expect(isTooDeep(bytes(JSON.stringify(`"${"{".repeat(100)}`)))).toBe(false)
    expect(isTooDeep(bytes(`["\\\\",${"[".repeat(64)}`))).toBe(true)
  })

  it("matches the depth of the parsed text", () => {
    const json = fc.json({ maxDepth: 6, depthSize: "large" })
    fc.assert(
      fc.property(json, fc.integer({ min: 0, max: 7 }), (text, depthMax) => {
        expect(isTooDeep(bytes(text), depthMax)).toBe(depthOf(JSON.parse(text)) > depthMax)
      }),
    )
  })
})
