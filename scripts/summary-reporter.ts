// The last line of a test run: `N passed, N failed`, over every package. Tests that were skipped are
// named with their number, so that a skip is never silent.
import type { Reporter, TestModule } from "vitest/node"

export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: ReadonlyArray<TestModule>, errors: ReadonlyArray<unknown>): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const count = (state: "passed" | "failed" | "skipped") =>
      tests.filter((test) => test.result().state === state).length
    // A file that does not load and an error outside of tests are failures without a test.
    const broken = modules.filter((module) => module.errors().length > 0).length + errors.length
    const skipped = count("skipped")
    const note = skipped === 0 ? "" : `\n${skipped} skipped: see the warnings above`
    process.stdout.write(`${note}\n${count("passed")} passed, ${count("failed") + broken} failed\n`)
  }
}
