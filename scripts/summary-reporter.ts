// What is said of a run of tests beside its failures: how far it is, every tenth of the files, and a last line
// `N passed, N failed` over every package. Tests that were skipped are named with their number, so that a skip is
// never silent. A run that leaves something in the repository fails.
import type { Reporter, TestModule } from "vitest/node"
import { untrackedPaths } from "./test-run/repository.ts"

const steps = 10

export default class SummaryReporter implements Reporter {
  #files = 0
  #done = 0
  #before: ReadonlySet<string> = new Set()

  onTestRunStart(files: ReadonlyArray<unknown>): void {
    this.#files = files.length
    this.#done = 0
    this.#before = untrackedPaths()
  }

  onTestModuleEnd(): void {
    const stepBefore = Math.floor((this.#done * steps) / this.#files)
    this.#done += 1
    const step = Math.floor((this.#done * steps) / this.#files)
    if (this.#files > steps && step > stepBefore && step < steps)
      process.stdout.write(`${this.#done} of ${this.#files} files\n`)
  }

  onTestRunEnd(modules: ReadonlyArray<TestModule>, errors: ReadonlyArray<unknown>): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const count = (state: "passed" | "failed" | "skipped") =>
      tests.filter((test) => test.result().state === state).length
    // A file that does not load, one that leaves something behind and an error outside of tests are failures
    // without a test.
    const broken = modules.filter((module) => module.errors().length > 0).length + errors.length
    const left = [...untrackedPaths()].filter((path) => !this.#before.has(path))
    if (left.length > 0) {
      process.exitCode = 1
      process.stdout.write(`\nThe run left in the repository: ${left.join(", ")}\n`)
    }
    const skipped = count("skipped")
    const note = skipped === 0 ? "" : `\n${skipped} skipped: see the warnings above`
    const failed = count("failed") + broken + left.length
    process.stdout.write(`${note}\n${count("passed")} passed, ${failed} failed\n`)
  }
}
