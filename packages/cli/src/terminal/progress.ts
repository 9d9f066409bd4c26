// Progress on standard error: a redrawn screen on a terminal; elsewhere one line per wait, so that a log shows why
// nothing happens.

import { setTimeout as wait } from "node:timers/promises"
import type { Waiting } from "../retry/retry.ts"
import { Countdown } from "./countdown.ts"
import type { Progress, ProgressScreenProps } from "./progress-on-screen.tsx"
import { note, type Terminal } from "./terminal.ts"

/** Waits for the full time. A terminal shows a countdown; elsewhere one line is printed when the wait begins. */
export const sayWaits = (terminal: Terminal): Waiting => {
  const countdown = new Countdown(terminal)
  return {
    wait,
    onWait: (begun) => {
      if (begun === null) countdown.sent()
      else countdown.say(begun)
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
  let said: string | null = null
  return {
    update: () => {
      const { waitText, figures } = state()
      if (waitText !== null && said === null) note(terminal, `${figures[0] ?? ""}. ${waitText}`)
      said = waitText
    },
    end: () => {},
  }
}
