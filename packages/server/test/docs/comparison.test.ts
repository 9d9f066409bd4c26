// The comparison with other tools: every Yes names a test, every named test exists, and nothing else names one.
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, it } from "vitest"
import { repository } from "./snippets.ts"

const page = await readFile(join(repository, "docs/explanation/comparison.md"), "utf8")
const rows = page
  .split("\n")
  .filter((line) => line.startsWith("| ") && !/^\| (Feature|---)/.test(line))
  .map((line) => line.split(" | ").map((cell) => cell.replace(/^\| | \|$/g, "").trim()))
  .map(([feature = "", answer = "", tests = ""]) => [feature, answer, tests] as const)

/** `file › name; file › name`, where a name may contain a semicolon. */
const named = (tests: string): ReadonlyArray<readonly [string, string]> =>
  tests
    .split(/; (?=`packages\/)/)
    .map((each) => /^`(packages\/[^`]+\.test\.tsx?)` › (.+)$/.exec(each))
    .map((found) => [found?.[1] ?? "", found?.[2] ?? ""] as const)

it("has a row for every feature, with Yes, No or By design not", () => {
  expect(rows.length).toBeGreaterThan(40)
  for (const [feature, answer] of rows) {
    expect(answer, feature).toMatch(/^\*\*(Yes|No|By design not)\*\*/)
  }
})

it.each(rows.filter(([, answer]) => answer.startsWith("**Yes**")))(
  "the Yes of %s names tests that exist",
  async (_feature, _answer, tests) => {
    for (const [file, name] of named(tests)) {
      const text = await readFile(join(repository, file), "utf8")
      const titles = [...text.matchAll(/\(\s*(["`])(.+?)\1\s*,/g)].map(([, , title]) => title)
      expect(titles).toContain(name)
    }
  },
)

it("names no test for a missing feature", () => {
  const others = rows.filter(([, answer]) => !answer.startsWith("**Yes**"))

  expect(others.filter(([, , tests]) => tests !== "")).toEqual([])
})
