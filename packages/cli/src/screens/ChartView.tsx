// A line chart over days on a terminal.

import { Box, Text } from "ink"
import type { ReactNode } from "react"
import { chart, type ChartFrame, type DayValue } from "./chart.ts"

/** The points, oldest first and at least one, and the size there is. */
export interface ChartViewProps extends ChartFrame {
  readonly points: ReadonlyArray<DayValue>
}

/** Rows of dots over an axis with dates. */
export const ChartView = ({ points, ...frame }: ChartViewProps): ReactNode => {
  const { rows, dates } = chart(points, frame)
  return (
    <Box flexDirection="column">
      {rows.map(({ label, plot }, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- rows never move
        <Text key={index} wrap="truncate">
          <Text dimColor>{label}</Text>
          <Text color="cyan">{plot.trimEnd()}</Text>
        </Text>
      ))}
      <Text dimColor wrap="truncate">
        {dates}
      </Text>
    </Box>
  )
}
