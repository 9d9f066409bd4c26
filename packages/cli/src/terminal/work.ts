// A command's long-running work: its progress and its waits.

import { setTimeout as wait } from "node:timers/promises"
import type { Waiting, Wait } from "../retry/retry.ts"
import { type RunningWait, waitText } from "../retry/running-wait.ts"
import type { ProgressScreenProps } from "./progress-on-screen.tsx"
import { showProgress } from "./progress.ts"
import type { Terminal } from "./terminal.ts"

/** The screen without the wait, `elapsedMs` after the start. */
export type WorkState = (elapsedMs: number) => Omit<ProgressScreenProps, "waitText">

/** Work with a progress screen. */
export interface Work {
  /** For calls that wait. */
  readonly waiting: Waiting
  /** Redraws. */
  readonly update: () => void
  /** Removes the screen. Nothing may be written to standard error before this. */
  readonly end: () => void
}

/** Work without a progress screen, because its result is written to the same screen. */
export const silentWork: Work = {
  waiting: { wait, onWait: () => {} },
  update: () => {},
  end: () => {},
}

/** Starts showing progress. Ctrl-C removes the screen and prints `interruptedText`. */
export const showWork = async (
  terminal: Terminal,
  state: WorkState,
  interruptedText: () => string | null = () => null,
): Promise<Work> => {
  const beganMs = performance.now()
  let running: RunningWait | null = null
  const progress = await showProgress(terminal, () => {
    const nowMs = performance.now()
    // Some waits only report their start.
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
