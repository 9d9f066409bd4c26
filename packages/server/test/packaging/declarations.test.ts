// The declarations of the packages as their users read them.
import { globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { isBuiltin } from "node:module"
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

/** The names of packages, in statements and in types. */
const imported =
  /^(?:import|export)\b[^"'\n]* from ["']([^."'][^"']*)["']|\bimport\(["']([^."'][^"']*)["']\)/gm

it.each(["cli", "pixel", "sdk", "server"])(
  "the declarations of %s import only what is installed with it",
  (name) => {
    const folder = join(import.meta.dirname, "../../../", name)
    const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
    const installed = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies })
    // No entry leads to the command's own.
    const declarations = globSync("dist/**/*.d.ts", {
      cwd: folder,
      exclude: ["dist/app/commands/**"],
    })
    const foreign = declarations.flatMap((file) =>
      [...readFileSync(join(folder, file), "utf8").matchAll(imported)]
        .map(([, statement, type]) => /^(?:@[^/]+\/)?[^/]+/.exec(statement ?? type ?? "")![0])
        .filter((found) => !isBuiltin(found) && !installed.includes(found))
        .map((found) => `${file}: ${found}`),
    )

    expect(foreign).toEqual([])
  },
)
