// Prints test progress and results besides the failures: progress after every tenth of the files, and a last line `N
// passed, N failed` for all packages. It lists skipped tests with their count, so that a skip is never silent. A run
// fails if it leaves something in the repository.
import { writeFileSync } from "node:fs"
import { relative } from "node:path"
import type { Reporter, TestCase, TestModule } from "vitest/node"
import "./test-run/programs.ts"
import { untrackedPaths } from "./test-run/repository.ts"

/** Names the file from which `scripts/test.ts` reads the result. */
export const resultVariable = "TEST_RESULT_FILE"

export interface RunResult {
  readonly passed: number
  /** Failed tests, files and anything else. */
  readonly failed: number
  /** Failures that belong to no file. */
  readonly elsewhere: number
  readonly failedFiles: ReadonlyArray<{
    readonly path: string
    readonly passed: number
    readonly failures: ReadonlyArray<string>
  }>
}

const steps = 10

export default class SummaryReporter implements Reporter {
  #files = 0
  #done = 0
  #before: ReadonlySet<string> | undefined

  onTestRunStart(files: ReadonlyArray<unknown>): void {
    this.#files = files.length
    this.#done = 0
  }

  /** Stale packages are built by the time the first file is queued. */
  onTestModuleQueued(): void {
    this.#before ??= untrackedPaths()
  }

  onTestModuleEnd(): void {
    const stepBefore = Math.floor((this.#done * steps) / this.#files)
    this.#done += 1
    const step = Math.floor((this.#done * steps) / this.#files)
    if (this.#files > steps && step > stepBefore && step < steps)
      process.stdout.write(`${this.#done} of ${this.#files} files\n`)
  }

  onTestRunEnd(modules: ReadonlyArray<TestModule>, errors: ReadonlyArray<unknown>): void {
    const results = modules.map(resultOf)
    const failedFiles = results.filter(({ failures }) => failures.length > 0)
    const before = this.#before
    const left =
      before === undefined ? [] : [...untrackedPaths()].filter((path) => !before.has(path))
    if (left.length > 0) {
      process.exitCode = 1
      process.stdout.write(`\nThe run left files in the repository: ${left.join(", ")}\n`)
    }
    const elsewhere = errors.length + left.length
    const passed = results.reduce((sum, file) => sum + file.passed, 0)
    const failed = failedFiles.reduce((sum, { failures }) => sum + failures.length, elsewhere)
    process.stdout.write(`${skippedLines(results.flatMap(({ lacks }) => lacks))}\n`)
    const file = process.env[resultVariable]
    const result: RunResult = { passed, failed, elsewhere, failedFiles }
    if (file === undefined) process.stdout.write(`${passed} passed, ${failed} failed\n`)
    else writeFileSync(file, JSON.stringify(result))
  }
}

/** Says of skipped tests how many need what. */
const skippedLines = (lacks: ReadonlyArray<string>): string =>
  [...Map.groupBy(lacks, (each) => each)]
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(([need, { length }]) => `\n${length} skipped for lack of: ${need}`)
    .join("")

/**
 * A file that fails to load, or leaves something behind, counts as a failure without a test. So does a group of tests
 * whose `beforeAll` or `afterAll` fails: vitest reports its tests as skipped.
 */
const resultOf = (module: TestModule) => {
  const tests = [...module.children.allTests()]
  const of = (state: "passed" | "failed" | "skipped") =>
    tests.filter((test) => test.result().state === state)
  const path = relative(process.cwd(), module.moduleId)
  return {
    path,
    passed: of("passed").length,
    lacks: of("skipped").map((test) => test.meta().lacks ?? reasonOf(test)),
    failures: [
      ...of("failed").map(({ fullName }) => `${path} > ${fullName}`),
      ...[...module.children.allSuites()].flatMap((suite) =>
        suite.errors().map(() => `${path} > ${suite.fullName}`),
      ),
      ...module.errors().map(() => path),
    ],
  }
}

/** A test skips itself with a reason. Those whose hook failed have none. */
const reasonOf = (test: TestCase): string => {
  const result = test.result()
  return (result.state === "skipped" && result.note) || "a hook that passes, or a stated reason"
}
