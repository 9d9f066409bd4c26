// `npm test` runs every test, four files at a time. Arguments after `--` go to vitest. Failed files run once more, one
// at a time, because a test may only have been too slow next to three others. A test that fails twice fails the run. A
// test that passes alone is listed at the end: it needs fixing, but isn't evidence against the change.
import { spawnSync } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { resultVariable, type RunResult } from "./summary-reporter.ts"

/** More failures than that aren't caused by load. */
const repeatedFilesMax = 10

const vitest = fileURLToPath(new URL("../node_modules/vitest/vitest.mjs", import.meta.url))
const folder = mkdtempSync(join(tmpdir(), "footfall-results-"))
process.once("exit", () => rmSync(folder, { recursive: true, force: true }))

/** Undefined if vitest exited without a result, or failed without a failed test. It has printed why. */
const run = (name: string, args: ReadonlyArray<string>): RunResult | undefined => {
  const file = join(folder, `${name}.json`)
  const { status } = spawnSync(process.execPath, [vitest, "run", ...args], {
    stdio: "inherit",
    env: { ...process.env, [resultVariable]: file },
  })
  if (!existsSync(file)) return undefined
  const result: RunResult = JSON.parse(readFileSync(file, "utf8"))
  return status === 0 || result.failed > 0 ? result : undefined
}

const end = (passed: number, failed: number): never => {
  process.stdout.write(`\n${passed} passed, ${failed} failed\n`)
  process.exit(failed === 0 ? 0 : 1)
}

const first = run("first", process.argv.slice(2))
if (first === undefined) process.exit(1)
const { failedFiles } = first
if (first.failed === 0 || first.elsewhere > 0 || failedFiles.length > repeatedFilesMax)
  end(first.passed, first.failed)

const paths = failedFiles.map(({ path }) => path)
process.stdout.write(`\nRunning again, one at a time: ${paths.join(", ")}\n`)
const again = run("again", ["--maxWorkers=1", ...paths])
if (again === undefined) process.exit(1)

const failing = new Set(again.failedFiles.flatMap(({ failures }) => failures))
const passedAlone = failedFiles
  .flatMap(({ failures }) => failures)
  .filter((name) => !failing.has(name))
if (passedAlone.length > 0)
  process.stdout.write(
    `\nFailed next to other files but passed alone. Fix these tests:\n  ${passedAlone.join("\n  ")}\n`,
  )
const passedBefore = failedFiles.reduce((sum, { passed }) => sum + passed, 0)
end(first.passed - passedBefore + again.passed, again.failed)
