// A progress screen that is redrawn in place: a bar, figures, and the reason for a wait. Loads React and Ink: import it
// only to draw.

import { Box, render, Text } from "ink"
import type { ReactNode } from "react"
import { Bar } from "../ui/bars.tsx"
import { plainText, type Terminal } from "./terminal.ts"

/** The contents of the screen at one moment. */
export interface ProgressScreenProps {
  readonly title: string
  /** From 0 to 1; null if unknown. */
  readonly fraction: number | null
  /** Most important first. */
  readonly figures: ReadonlyArray<string>
  /** Why nothing is happening; null during progress. */
  readonly waitText: string | null
}

/** Width of the bar; the figures fit next to it on 80 columns. */
const BAR_WIDTH = 24

/** Two or three lines. */
export const ProgressScreen = (props: ProgressScreenProps): ReactNode => {
  const { title, fraction, figures, waitText } = props
  return (
    <Box flexDirection="column">
      <Text bold wrap="truncate">
        {plainText(title)}
      </Text>
      <Box columnGap={2}>
        {fraction === null ? null : (
          <Box flexShrink={0}>
            <Bar fraction={fraction} width={BAR_WIDTH} />
          </Box>
        )}
        <Text wrap="truncate">{figures.join(" · ")}</Text>
      </Box>
      {waitText === null ? null : <Text color="yellow">{waitText}</Text>}
    </Box>
  )
}

/** A progress screen. */
export interface Progress {
  /** Redraws. */
  readonly update: () => void
  /** Removes the screen. Nothing may be written to standard error before this. */
  readonly end: () => void
}

/** Often enough for a countdown in seconds. */
const REDRAW_INTERVAL_MS = 250

/** Draws on standard error; `end` erases it completely. */
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
