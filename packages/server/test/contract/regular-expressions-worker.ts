// Runs expressions over their hostile texts in a thread, because the test can end a thread that hangs. Says in shared
// memory which expression it is at.
import { parentPort, workerData } from "node:worker_threads"
import { hostileTexts } from "./hostile-texts.ts"

export interface Expression {
  readonly file: string
  readonly pattern: string
  readonly flags: string
}

/** What the thread is given. */
export interface Work {
  readonly expressions: ReadonlyArray<Expression>
  /** The first expression to run. */
  readonly from: number
  /** The present expression, and a number that grows with every text. */
  readonly at: Int32Array
}

const { at, expressions, from } = workerData as Work
for (const [index, { flags, pattern }] of expressions.entries()) {
  if (index < from) continue
  Atomics.store(at, 0, index)
  // Every match, not only the first, because that is how most of them are used.
  const expression = new RegExp(pattern, flags.includes("g") ? flags : `${flags}g`)
  for (const text of hostileTexts(pattern)) {
    Atomics.add(at, 1, 1)
    text().replace(expression, "")
  }
}
/* oxlint-disable unicorn/require-post-message-target-origin -- a thread has no origin */
parentPort!.postMessage("ended")
