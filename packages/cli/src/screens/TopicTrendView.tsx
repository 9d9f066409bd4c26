// A topic over the days: how many people read about it, as a line, and the newest day in figures.

import type { TopicTrendPoint } from "@footfall/sdk"
import { Box, Text } from "ink"
import type { ReactNode } from "react"
import { plainText } from "../terminal/plain-text.ts"
import { EmptyState, type Empty } from "./EmptyState.tsx"
import { Bars } from "./Bars.tsx"
import { changeText } from "./change.ts"
import { ChartView } from "./ChartView.tsx"
import { Facts } from "./Facts.tsx"
import { counted, countText } from "./figures.ts"

/** The days of one topic, oldest first. */
export interface TopicTrendViewProps {
  readonly topicId: number
  readonly points: ReadonlyArray<TopicTrendPoint>
  readonly screenColumns: number
}

/** Wider lines are harder to follow. */
const CHART_COLUMNS_MAX = 120

const CHART_ROWS = 10

/** A topic without data says so, and what to do. */
export const TopicTrendView = (props: TopicTrendViewProps): ReactNode => {
  const { topicId, points, screenColumns } = props
  const [first] = points
  const last = points.at(-1)
  if (first === undefined || last === undefined) return <EmptyState {...emptyOf(topicId)} />
  return (
    <Box flexDirection="column" rowGap={1} width={screenColumns}>
      <Box flexDirection="column">
        <Text>
          <Text bold>{plainText(last.topicName)}</Text>
          <Text dimColor>
            {plainText(` · ${topicId} · ${last.type} · ${last.industry} · ${last.category}`)}
          </Text>
        </Text>
        <Text>{newestText(first, last)}</Text>
      </Box>
      <ChartView
        points={points.map(({ date, uniqueAudience }) => ({ date, value: uniqueAudience }))}
        columns={Math.min(screenColumns, CHART_COLUMNS_MAX)}
        rows={CHART_ROWS}
      />
      <Box flexDirection="column">
        <Bars rows={scoreRows(last)} screenColumns={screenColumns} whole={last.uniqueAudience} />
      </Box>
      <Facts
        facts={[
          ["Average score", `${last.avgScore}`],
          ["Signals", countText(last.totalSignals)],
          ["Days with data", countText(points.length)],
        ]}
      />
    </Box>
  )
}

const emptyOf = (topicId: number): Empty => ({
  says: `Topic ${topicId} has no data for these days.`,
  next: "Try: other days by --from and --to",
})

/** The newest figure, and how it came about. */
const newestText = (first: TopicTrendPoint, last: TopicTrendPoint): string => {
  const people = `${counted(last.uniqueAudience, "person", "people")} on ${last.date}`
  const change = changeText(first.uniqueAudience, last.uniqueAudience)
  return change === null || first === last ? people : `${people}, ${change} since ${first.date}`
}

/** Source: spec 2.18. */
const scoreRows = ({ highAudience, mediumAudience, lowAudience }: TopicTrendPoint) => [
  { label: "Score 90 to 100", value: highAudience, text: countText(highAudience) },
  { label: "Score 70 to 89", value: mediumAudience, text: countText(mediumAudience) },
  { label: "Score under 70", value: lowAudience, text: countText(lowAudience) },
]
