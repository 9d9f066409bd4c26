// How far a long command has come: a bar, figures, and why it waits while it does.

import { Box, Text } from "ink"
import type { ReactNode } from "react"
import { plainText } from "../terminal/plain-text.ts"
import { Bar } from "./Bar.tsx"

/** What is shown at one moment. */
export interface ProgressScreenProps {
  readonly title: string
  /** From 0 to 1; null while it is not known. */
  readonly fraction: number | null
  /** Figures, the most important first. */
  readonly figures: ReadonlyArray<string>
  /** Why nothing moves; null while something does. */
  readonly waitText: string | null
}

/** Width of the bar, so that the figures fit beside it on 80 columns. */
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
