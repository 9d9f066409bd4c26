// Progress on standard error: a screen that is redrawn where that is a terminal, and elsewhere only
// the waits, a line each, so that a log says why nothing happens.

import type { ProgressScreenProps } from "../screens/ProgressScreen.tsx"
import type { Progress } from "./progress-on-screen.tsx"
import type { Terminal } from "./terminal.ts"

/** `state` is asked for whenever the screen is drawn: after `update`, and as time goes by. */
export const showProgress = async (
  terminal: Terminal,
  state: () => ProgressScreenProps,
): Promise<Progress> => {
  if (!terminal.stderr.isTTY) return waitLines(terminal, state)
  const { progressOnScreen } = await import("./progress-on-screen.tsx")
  return progressOnScreen(terminal, state)
}

const waitLines = ({ stderr }: Terminal, state: () => ProgressScreenProps): Progress => {
  let said: string | null = null
  return {
    update: () => {
      const { waitText, figures } = state()
      if (waitText !== null && said === null) stderr.write(`${figures[0] ?? ""}. ${waitText}\n`)
      said = waitText
    },
    end: () => {},
  }
}
