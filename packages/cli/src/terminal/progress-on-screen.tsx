// A progress that is redrawn in place. Loads React and Ink: import it only to draw.

import { render } from "ink"
import { ProgressScreen, type ProgressScreenProps } from "../screens/ProgressScreen.tsx"
import type { Terminal } from "./terminal.ts"

/** A progress that is being shown. */
export interface Progress {
  /** Draws anew. */
  readonly update: () => void
  /** Takes the screen away. Nothing may be written to standard error before. */
  readonly end: () => void
}

/** Often enough for a countdown in seconds. */
const REDRAW_INTERVAL_MS = 250

/** On standard error; `end` leaves nothing of it behind. */
export const progressOnScreen = (
  terminal: Terminal,
  state: () => ProgressScreenProps,
): Progress => {
  const screen = render(<ProgressScreen {...state()} />, {
    stdout: terminal.stderr,
    exitOnCtrlC: false,
    patchConsole: false,
  })
  terminal.liveScreens.add(screen)
  const update = (): void => screen.rerender(<ProgressScreen {...state()} />)
  const clock = setInterval(update, REDRAW_INTERVAL_MS)
  return {
    update,
    end: () => {
      clearInterval(clock)
      terminal.liveScreens.delete(screen)
      screen.clear()
      screen.unmount()
    },
  }
}
