// The declarations of the packages as their users read them.
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { citationsOf, declarationFaults } from "../../../../scripts/declarations.ts"
import { temporaryFolder } from "../../../../scripts/test-run/temporary-folder.ts"

it("a declaration that states the value itself passes", () => {
  expect(citationsOf("/** Seconds, 1 to 60. */\nexport declare const wait: number")).toEqual([])
})

it.each([
  "/** Longest wait, spec 8.4. */",
  "/**\n * Longest wait, see spec\n * 8.4.1.\n */",
  "/** As decisions.md says. */",
])("a declaration that cites something its reader does not have fails: %j", (comment) => {
  expect(citationsOf(`${comment}\nexport declare const wait: number`)).toHaveLength(1)
})

it("the fault names the source file, and a declaration without its source is not checked", () => {
  const packages = temporaryFolder("packages")
  for (const folder of ["sdk/dist", "sdk/src"])
    mkdirSync(join(packages, folder), { recursive: true })
  writeFileSync(join(packages, "sdk/src/page.ts"), "")
  writeFileSync(join(packages, "sdk/dist/page.d.ts"), "/** spec 1.6. */\nexport {}")
  writeFileSync(join(packages, "sdk/dist/removed.d.ts"), "/** spec 1.6. */\nexport {}")

  expect(declarationFaults(packages)).toEqual([
    expect.stringMatching(/sdk\/src\/page\.ts: .*spec 1\.6/),
  ])
})
