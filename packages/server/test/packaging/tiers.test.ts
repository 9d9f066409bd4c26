// Which tests `npm test` leaves to `npm run test:all`, and that the two together run every test file.
import { execFile } from "node:child_process"
import { mkdir, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { promisify } from "node:util"
import { expect, it } from "vitest"
import { temporaryFolder } from "../../../../scripts/test-run/temporary-folder.ts"
import { type Tier, tierNames, tierOf } from "../../../../scripts/test-run/tiers.ts"

const run = promisify(execFile)
const root = join(import.meta.dirname, "../../../..")

/** The tier of a test file in a package that has these files, the test file first. */
const tierAmong = async (files: Readonly<Record<string, string>>): Promise<Tier> => {
  const folder = join(temporaryFolder("tiers"), "packages")
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  return tierOf(join(folder, Object.keys(files)[0]!))
}

const newTest = "server/test/people/new.test.ts"

it.each<[Tier, string]>([
  ["browsers", 'import { chromium } from "playwright-core"'],
  ["browsers", 'const { launch } = await import("puppeteer-core")'],
  ["processes", 'import { execFile } from "node:child_process"\nexecFile("npm", ["pack"])'],
  ["processes", 'import {\n  spawn,\n  type ChildProcess,\n} from "child_process"'],
  ["processes", 'const { spawn } = require("child_process")'],
  ["processes", 'import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"'],
  ["processes", 'it("reads", needs("less"), () => {})'],
  ["fast", 'import type { Page } from "playwright-core"\nimport { it } from "vitest"'],
  ["fast", 'import { startServer } from "../support/server.ts"'],
])("a new test file is one of %s if it contains: %s", async (tier, text) => {
  expect(await tierAmong({ [newTest]: text })).toBe(tier)
})

it.each(['import "../support/program.ts"', 'await import("../support/program.ts")'])(
  "a test file that starts a program through a helper isn't fast: %s",
  async (text) => {
    const program = 'import { spawn } from "node:child_process"'
    const files = { "server/test/support/program.ts": program }

    expect(await tierAmong({ [newTest]: text, ...files })).toBe("processes")
    expect(await tierAmong({ "server/test/crash/new.test.ts": text, ...files })).toBe("kills")
    expect(await tierAmong({ "server/test/packaging/new.test.ts": text, ...files })).toBe(
      "packaging",
    )
    expect(await tierAmong({ "server/test/docs/new.test.ts": text, ...files })).toBe("guides")
    expect(await tierAmong({ "server/test/examples/new.test.ts": text, ...files })).toBe("examples")
  },
)

it("the command line's tests are fast, although they start the command line, unless they need a program that may be missing", async () => {
  const starting = 'import { spawn } from "node:child_process"'

  expect(await tierAmong({ "cli/test/new.test.ts": starting })).toBe("fast")
  expect(await tierAmong({ "cli/test/new.test.ts": `${starting}\nneeds("fish")` })).toBe(
    "processes",
  )
})

it("the tiers together run every test file of the repository once", async () => {
  const list = async (tiers: string) => {
    const { stdout } = await run(
      process.execPath,
      [join(root, "node_modules/vitest/vitest.mjs"), "list", "--filesOnly", "--json"],
      { cwd: root, env: { ...process.env, TEST_TIERS: tiers, TEST_BUILD: "skip" } },
    )
    const files: ReadonlyArray<{ readonly file: string }> = JSON.parse(stdout)
    return files.map(({ file }) => file.slice(root.length + 1))
  }
  const { stdout } = await run("git", ["ls-files", "-co", "--exclude-standard", "*.test.ts*"], {
    cwd: root,
  })

  const [fast, others] = await Promise.all([
    list("fast"),
    list(tierNames.filter((name) => name !== "fast").join(",")),
  ])

  expect(fast.length).toBeGreaterThan(500)
  expect(others.length).toBeGreaterThan(100)
  expect([...fast, ...others].toSorted()).toEqual(stdout.trim().split("\n").toSorted())
})

it("a run of a tier that doesn't exist fails and names the tiers", async () => {
  const listed = run(
    process.execPath,
    [join(root, "node_modules/vitest/vitest.mjs"), "list", "--filesOnly"],
    { cwd: root, env: { ...process.env, TEST_TIERS: "quick", TEST_BUILD: "skip" } },
  )

  await expect(listed).rejects.toMatchObject({
    stderr: expect.stringContaining("no tier is named quick. There are browsers, packaging,"),
  })
})
