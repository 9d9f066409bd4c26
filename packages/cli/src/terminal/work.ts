// Long work of a command: its progress and its waits.

import { setTimeout as wait } from "node:timers/promises"
import type { Waiting, Wait } from "../retry/retry.ts"
import { type RunningWait, waitText } from "../retry/running-wait.ts"
import type { ProgressScreenProps } from "./progress-on-screen.tsx"
import { showProgress } from "./progress.ts"
import type { Terminal } from "./terminal.ts"

/** What is shown but for the wait, `elapsedMs` after the begin. */
export type WorkState = (elapsedMs: number) => Omit<ProgressScreenProps, "waitText">

/** Work that is being shown. */
export interface Work {
  /** For calls that wait. */
  readonly waiting: Waiting
  /** Redraws. */
  readonly update: () => void
  /** Takes the screen away. Nothing may be written to standard error before. */
  readonly end: () => void
}

/** Work that nothing is shown of, where its result is written to the same screen. */
export const silentWork: Work = {
  waiting: { wait, onWait: () => {} },
  update: () => {},
  end: () => {},
}

/** Begins to show. Ctrl-C takes the screen away, and then `interruptedText` are said. */
export const showWork = async (
  terminal: Terminal,
  state: WorkState,
  interruptedText: () => string | null = () => null,
): Promise<Work> => {
  const beganMs = performance.now()
  let running: RunningWait | null = null
  const progress = await showProgress(terminal, () => {
    const nowMs = performance.now()
    // Some waits report only their begin.
    const isOver = running === null || nowMs >= running.sinceMs + running.seconds * 1000
    return {
      ...state(nowMs - beganMs),
      waitText: running === null || isOver ? null : waitText(running, nowMs),
    }
  })
  const interrupted = (): void => {
    progress.end()
    const words = interruptedText()
    if (words !== null) terminal.stderr.write(`${words}\n`)
  }
  terminal.atInterrupt.add(interrupted)
  const onWait = (begun: Wait | null): void => {
    running = begun === null ? null : { ...begun, sinceMs: performance.now() }
    progress.update()
  }
  return {
    waiting: { wait, onWait },
    update: progress.update,
    end: () => {
      progress.end()
      terminal.atInterrupt.delete(interrupted)
    },
  }
}
