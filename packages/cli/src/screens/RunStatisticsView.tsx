// What the results of a run hold, as bars: scores, and of how many people what is known.

import type { Run, RunResultPath, RunShare, RunStatistics } from "@footfall/sdk"
import { Box, Text } from "ink"
import type { ReactNode } from "react"
import { Prose } from "./Prose.tsx"
import { Bars } from "./Bars.tsx"
import { counted, countText } from "./figures.ts"

/** The answer, and the width there is. */
export interface RunStatisticsViewProps {
  readonly run: Run
  readonly stats: RunStatistics
  readonly screenColumns: number
}

/** Every bar is a part of all people. What nobody has is named in one line. */
export const RunStatisticsView = (props: RunStatisticsViewProps): ReactNode => {
  const { run, stats, screenColumns } = props
  const { averages, fillRates, scoreHistogram, total } = stats
  const rates = Object.entries(fillRates) as ReadonlyArray<readonly [RunResultPath, RunShare]>
  const known = rates.filter(([, { count }]) => count > 0)
  const unknown = rates.filter(([, { count }]) => count === 0).map(([path]) => path)
  return (
    <Box flexDirection="column" rowGap={1} width={screenColumns}>
      <Text>
        <Text bold>{counted(total, "person", "people")}</Text>
        {` on ${run.dataDate}`}
        {averages.score === null
          ? ""
          : ` · average score ${averages.score}, in ${averages.topicOverlap} ${averages.topicOverlap === 1 ? "topic" : "topics"}`}
      </Text>
      {total === 0 ? null : (
        <Box flexDirection="column">
          <Text dimColor>Scores</Text>
          <Bars
            rows={scoreHistogram.map((share) => rowOf(share.bucket, share))}
            whole={total}
            labelWidth={LABEL_WIDTH}
            screenColumns={screenColumns}
          />
        </Box>
      )}
      {known.length === 0 ? null : (
        <Box flexDirection="column">
          <Text dimColor>Known of them</Text>
          <Bars
            rows={known.map(([path, share]) => rowOf(path, share))}
            whole={total}
            color="green"
            labelWidth={LABEL_WIDTH}
            screenColumns={screenColumns}
          />
        </Box>
      )}
      {total === 0 || unknown.length === 0 ? null : (
        <Prose dimColor>{`Known of nobody: ${unknown.join(", ")}`}</Prose>
      )}
    </Box>
  )
}

/** As wide as the longest path, so that both groups of bars begin in one column. */
const LABEL_WIDTH = 21

const rowOf = (label: string, { count, percent }: RunShare) => ({
  label,
  value: count,
  text: `${countText(count)}  ${percent.toFixed(2).padStart(6)} %`,
})
