// A command's long-running work: its progress and its waits.

import { setTimeout as wait } from "node:timers/promises"
import { type RunningWait, type Wait, type Waiting, waitText } from "../retry/retry.ts"
import type { Progress, ProgressScreenProps } from "./progress-on-screen.tsx"
import { note, type Terminal } from "./terminal.ts"
import { Countdown } from "./countdown.ts"

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

// Progress on standard error: a redrawn screen on a terminal; elsewhere one line per wait, so that
// a log shows why nothing is happening.

/** Waits for the full time. A terminal shows a countdown; elsewhere one line is printed when the wait begins. */
export const reportWaits = (terminal: Terminal): Waiting => {
  const countdown = new Countdown(terminal)
  return {
    wait,
    onWait: (begun) => {
      if (begun === null) countdown.sent()
      else countdown.show(begun)
    },
  }
}

/** Calls `state` for every redraw: after `update`, and as time passes. */
export const showProgress = async (
  terminal: Terminal,
  state: () => ProgressScreenProps,
): Promise<Progress> => {
  if (terminal.isQuiet || !terminal.stderr.isTTY) return waitLines(terminal, state)
  const { progressOnScreen } = await import("./progress-on-screen.tsx")
  return progressOnScreen(terminal, state)
}

const waitLines = (terminal: Terminal, state: () => ProgressScreenProps): Progress => {
  let printed: string | null = null
  return {
    update: () => {
      const { waitText, figures } = state()
      if (waitText !== null && printed === null) note(terminal, `${figures[0] ?? ""}. ${waitText}`)
      printed = waitText
    },
    end: () => {},
  }
}
