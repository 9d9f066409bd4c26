// The reporter of every run, in a real vitest: what it counts as a failure. A failure that it misses would let a broken
// test pass.
import { execFile } from "node:child_process"
import { symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { temporaryFolder } from "../../../../scripts/test-run/temporary-folder.ts"

const root = new URL("../../../../", import.meta.url).pathname

const vitest = join(root, "node_modules/vitest/vitest.mjs")
const reporters = [join(root, "scripts/summary-reporter.ts")]
// One process for all files, because each one takes half a second to start.
const config = { test: { reporters, isolate: false, maxWorkers: 1 } }

/** Runs test files with only this reporter, and returns what it prints. */
const runOf = async (files: Readonly<Record<string, string>>) => {
  const folder = temporaryFolder("reporter")
  await symlink(join(root, "node_modules"), join(folder, "node_modules"))
  await writeFile(join(folder, "vitest.config.mjs"), `export default ${JSON.stringify(config)}`)
  for (const [name, text] of Object.entries(files)) {
    await writeFile(
      join(folder, `${name}.test.ts`),
      `import { afterAll, beforeAll, describe, it } from "vitest"\n${text}`,
    )
  }
  const environment = { PATH: process.env["PATH"], TMPDIR: folder }
  return new Promise<{ readonly code: unknown; readonly lines: ReadonlyArray<string> }>((resolve) =>
    execFile(
      process.execPath,
      [vitest, "run"],
      { cwd: folder, env: environment },
      (error, stdout) => resolve({ code: error?.code ?? 0, lines: stdout.trim().split("\n") }),
    ),
  )
}

const passing = `it("passes", () => {})`
const fail = `() => { throw new Error("no") }`

describe("the line at the end of a run", () => {
  it("counts each failed test, hook and file as one failure, and the run fails", async () => {
    const { code, lines } = await runOf({
      before: `describe("a", () => { beforeAll(${fail}); ${passing} })`,
      after: `describe("a", () => { afterAll(${fail}); ${passing} })`,
      beforeFile: `beforeAll(${fail}); ${passing}`,
      afterFile: `afterAll(${fail}); ${passing}`,
      tests: `${passing}; it("fails", ${fail})`,
      unreadable: `it("passes", () => {`,
    })

    expect(lines).toContain("2 skipped for lack of: a hook that passes, or a stated reason")
    expect(lines.at(-1)).toBe("3 passed, 6 failed")
    expect(code).toBe(1)
  })

  it("counts skipped tests by what they need", async () => {
    const { code, lines } = await runOf({
      browser: `describe("a", { skip: true, meta: { lacks: "chromium" } }, () => { ${passing}; it("b", () => {}) })`,
      shell: `it("fish", { skip: true, meta: { lacks: "fish" } }, () => {}); ${passing}`,
      itself: `it("mounts", ({ skip }) => skip("the right to mount"))`,
    })

    expect(lines).toEqual([
      "2 skipped for lack of: chromium",
      "1 skipped for lack of: fish",
      "1 skipped for lack of: the right to mount",
      "1 passed, 0 failed",
    ])
    expect(code).toBe(0)
  })

  it("a run without a failure passes", async () => {
    expect(await runOf({ tests: passing })).toEqual({ code: 0, lines: ["1 passed, 0 failed"] })
  })
})
