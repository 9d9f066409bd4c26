// Topics beside each other: the newest day on one scale, and each one's month as a small line on its
// own, because a niche beside a mass topic would be flat.

import type { TopicComparison, TopicDay } from "@footfall/sdk"
import { Box, Text } from "ink"
import type { ReactNode } from "react"
import { plainText } from "../terminal/plain-text.ts"
import { Prose } from "./Prose.tsx"
import { Bars } from "./Bars.tsx"
import { changeText } from "./change.ts"
import { ChartView } from "./ChartView.tsx"
import { textWidth } from "./column-widths.ts"
import { countText } from "./figures.ts"

/** The topics as they were named, and those that the catalogue does not have. */
export interface TopicComparisonViewProps {
  readonly comparisons: ReadonlyArray<TopicComparison>
  readonly unknownTopicIds: ReadonlyArray<number>
  readonly screenColumns: number
}

/** A line in fewer columns shows no month. */
const CHART_COLUMNS_MIN = 50

const CHART_COLUMNS_MAX = 90
const CHART_ROWS = 4
const GAP = 4

/** Two beside each other where there is room. */
export const TopicComparisonView = (props: TopicComparisonViewProps): ReactNode => {
  const { comparisons, unknownTopicIds, screenColumns } = props
  const withData = comparisons.filter(({ data }) => data.length > 0).toSorted(byNewest)
  const dates = withData.flatMap(({ data }) => data.map(({ date }) => date)).toSorted()
  const [from] = dates
  const to = dates.at(-1)
  const isDouble = withData.length > 1 && screenColumns >= 2 * CHART_COLUMNS_MIN + GAP
  const columns = isDouble ? Math.floor((screenColumns - GAP) / 2) : screenColumns
  return (
    <Box flexDirection="column" rowGap={1} width={screenColumns}>
      {to === undefined ? <Text>None of these topics has data of the last 30 days.</Text> : null}
      {to === undefined ? null : (
        <Box flexDirection="column">
          <Text dimColor>{`People on the newest day (${to})`}</Text>
          <Bars rows={withData.map(newestRow)} screenColumns={screenColumns} />
        </Box>
      )}
      <Box flexWrap="wrap" columnGap={GAP} rowGap={1}>
        {withData.map(({ topicId, topicName, data }) => (
          <Box key={topicId} flexDirection="column" width={columns} flexShrink={0}>
            <Text wrap="truncate">
              <Text bold>{plainText(topicName)}</Text>
              <Text dimColor>{` · ${topicId}`}</Text>
            </Text>
            <ChartView
              points={data.map(({ date, uniqueAudience }) => ({ date, value: uniqueAudience }))}
              columns={Math.min(columns, CHART_COLUMNS_MAX)}
              rows={CHART_ROWS}
              {...(from !== undefined && to !== undefined && { from, to })}
            />
          </Box>
        ))}
      </Box>
      <Footer
        without={comparisons.filter(({ data }) => data.length === 0)}
        unknownTopicIds={unknownTopicIds}
        lines={withData.length}
      />
    </Box>
  )
}

const newestOf = ({ data }: TopicComparison): TopicDay | undefined => data.at(-1)

const byNewest = (one: TopicComparison, other: TopicComparison): number =>
  (newestOf(other)?.uniqueAudience ?? 0) - (newestOf(one)?.uniqueAudience ?? 0)

/** The figure and the change, each in a column of its own. */
const newestRow = (
  comparison: TopicComparison,
  _index: number,
  all: ReadonlyArray<TopicComparison>,
) => {
  const figureWidth = Math.max(...all.map((each) => textWidth(figureText(each))))
  const changeWidth = Math.max(...all.map((each) => textWidth(changeOf(each))))
  return {
    label: comparison.topicName,
    value: newestOf(comparison)?.uniqueAudience ?? 0,
    text: `${figureText(comparison).padStart(figureWidth)}  ${changeOf(comparison).padStart(changeWidth)}`,
  }
}

const figureText = (comparison: TopicComparison): string =>
  countText(newestOf(comparison)?.uniqueAudience ?? 0)

const changeOf = ({ data }: TopicComparison): string => {
  const [first] = data
  const last = data.at(-1)
  if (first === undefined || last === undefined || first === last) return ""
  return changeText(first.uniqueAudience, last.uniqueAudience) ?? ""
}

const Footer = (props: {
  readonly without: ReadonlyArray<TopicComparison>
  readonly unknownTopicIds: ReadonlyArray<number>
  readonly lines: number
}): ReactNode => {
  const { without, unknownTopicIds, lines } = props
  const names = without.map(({ topicName }) => plainText(topicName)).join(", ")
  return (
    <Box flexDirection="column">
      {lines > 1 ? (
        <Prose dimColor>The change is over the days shown. Each line has a scale of its own.</Prose>
      ) : null}
      {without.length > 0 ? <Prose>{`Without data: ${names}`}</Prose> : null}
      {unknownTopicIds.length > 0 ? (
        <Text color="yellow">{`Not in the catalogue: ${unknownTopicIds.join(", ")}`}</Text>
      ) : null}
    </Box>
  )
}
