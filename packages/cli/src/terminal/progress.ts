// Progress on standard error: a redrawn screen on a terminal, elsewhere one line per wait, so that a log shows why
// nothing happens.

import { setTimeout as wait } from "node:timers/promises"
import type { Waiting } from "../retry/retry.ts"
import { Countdown } from "./countdown.ts"
import type { Progress, ProgressScreenProps } from "./progress-on-screen.tsx"
import { note, type Terminal } from "./terminal.ts"

/** Waits as long as it takes: a terminal counts down, elsewhere one line says it when it begins. */
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

/** `state` is asked for whenever the screen is drawn: after `update`, and as time goes by. */
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
