// `npm test` runs the tests that start no other programs but the command line, four files at a time. `--all` runs the
// other tiers after them (test-run/tiers.ts), `--tiers=a,b` only these. Other arguments go to vitest. Failed files run
// once more, one at a time, because a test may only have been too slow next to three others. A test that fails twice
// fails the run. A test that passes alone is listed at the end: it needs fixing, but isn't evidence against the change.
import { spawnSync } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { resultVariable, type RunResult } from "./summary-reporter.ts"
import { tierNames, tiersVariable } from "./test-run/tiers.ts"

/** More failures than that aren't caused by load. */
const repeatedFilesMax = 10

const vitest = fileURLToPath(new URL("../node_modules/vitest/vitest.mjs", import.meta.url))
const folder = mkdtempSync(join(tmpdir(), "footfall-results-"))
process.once("exit", () => rmSync(folder, { recursive: true, force: true }))

/** Undefined if vitest exited without a result, or failed without a failed test. It has printed why. */
const run = (name: string, tiers: string, args: ReadonlyArray<string>): RunResult | undefined => {
  const file = join(folder, `${tiers}-${name}.json`)
  const { status } = spawnSync(process.execPath, [vitest, "run", "--passWithNoTests", ...args], {
    stdio: "inherit",
    env: { ...process.env, [resultVariable]: file, [tiersVariable]: tiers },
  })
  if (!existsSync(file)) return undefined
  const result: RunResult = JSON.parse(readFileSync(file, "utf8"))
  return status === 0 || result.failed > 0 ? result : undefined
}

interface Count {
  readonly passed: number
  readonly failed: number
}

const brokenRun: Count = { passed: 0, failed: 1 }

/** Runs the tests of these tiers, and those that fail once more. */
const testsOf = (tiers: string, args: ReadonlyArray<string>): Count => {
  const first = run("first", tiers, args)
  if (first === undefined) return brokenRun
  const { failedFiles } = first
  if (first.failed === 0 || first.elsewhere > 0 || failedFiles.length > repeatedFilesMax)
    return first

  const paths = failedFiles.map(({ path }) => path)
  process.stdout.write(`\nRunning again, one at a time: ${paths.join(", ")}\n`)
  const again = run("again", tiers, ["--maxWorkers=1", ...paths])
  if (again === undefined) return brokenRun

  const failing = new Set(again.failedFiles.flatMap(({ failures }) => failures))
  const passedAlone = failedFiles
    .flatMap(({ failures }) => failures)
    .filter((name) => !failing.has(name))
  if (passedAlone.length > 0)
    process.stdout.write(
      `\nFailed next to other files but passed alone. Fix these tests:\n  ${passedAlone.join("\n  ")}\n`,
    )
  const passedBefore = failedFiles.reduce((sum, { passed }) => sum + passed, 0)
  return { passed: first.passed - passedBefore + again.passed, failed: again.failed }
}

const tiersOption = "--tiers="
const given = process.argv.slice(2)
const args = given.filter((each) => each !== "--all" && !each.startsWith(tiersOption))
const chosen = given.find((each) => each.startsWith(tiersOption))?.slice(tiersOption.length)
const parts = given.includes("--all")
  ? ["fast", tierNames.filter((name) => name !== "fast").join(",")]
  : [chosen ?? "fast"]

const counts = parts.map((tiers) => testsOf(tiers, args))
const sum = (key: keyof Count) => counts.reduce((total, count) => total + count[key], 0)
const [passed, failed] = [sum("passed"), sum("failed")]
if (passed + failed === 0) process.stdout.write("\nNo test of these tiers matches.\n")
process.stdout.write(`\n${passed} passed, ${failed} failed\n`)
process.exitCode = passed > 0 && failed === 0 ? 0 : 1
