// The topics whose audience changed most from one day to the next, with bars of the change.

import type { TopicMover } from "@footfall/sdk"
import { Box } from "ink"
import type { ReactNode } from "react"
import { Prose } from "./Prose.tsx"
import { EmptyState, type Empty } from "./EmptyState.tsx"
import { barText } from "./Bars.tsx"
import { percentText } from "./change.ts"
import { counted, countText } from "./figures.ts"
import { Table, type Column } from "./Table.tsx"

/** The movers, the strongest first. */
export interface TopicMoversViewProps {
  readonly movers: ReadonlyArray<TopicMover>
  readonly direction: "up" | "down"
  readonly screenColumns: number
}

/** Longer bars tell nothing more. */
const BAR_WIDTH_MAX = 24

/** Further columns give way to the bars. */
export const TopicMoversView = ({
  movers,
  direction,
  screenColumns,
}: TopicMoversViewProps): ReactNode =>
  movers.length === 0 ? (
    <EmptyState {...emptyOf(direction)} />
  ) : (
    <Box flexDirection="column" rowGap={1}>
      <Table
        columns={moverColumns(movers, direction, screenColumns)}
        rows={movers}
        screenColumns={screenColumns}
      />
      <Prose dimColor>
        {`${counted(movers.length, "topic")} · people on the two newest days with data · more: --limit, or --all`}
      </Prose>
    </Box>
  )

const emptyOf = (direction: "up" | "down"): Empty => ({
  says: `No topic went ${direction} between the two newest days with data.`,
  next: `Try: --direction ${direction === "up" ? "down" : "up"}`,
})

const moverColumns = (
  movers: ReadonlyArray<TopicMover>,
  direction: "up" | "down",
  screenColumns: number,
): ReadonlyArray<Column<TopicMover>> => {
  const percents = movers.map(({ pctChange }) => percentText(pctChange))
  const percentWidth = Math.max(...percents.map((text) => text.length))
  const most = Math.max(...movers.map(({ pctChange }) => Math.abs(pctChange)))
  const barWidth = Math.min(BAR_WIDTH_MAX, Math.floor(screenColumns / 6))
  return [
    { title: "Id", cell: ({ topicId }) => `${topicId}`, align: "right" },
    { title: "Topic", cell: ({ topicName }) => topicName, widthMin: 12, widthKept: 24 },
    {
      title: "Industry",
      cell: ({ industry }) => industry,
      widthMin: 10,
      widthKept: 14,
      dropRank: 2,
    },
    {
      title: "Before",
      cell: ({ yesterdayAudience }) => countText(yesterdayAudience),
      align: "right",
      dropRank: 1,
    },
    { title: "Newest", cell: ({ todayAudience }) => countText(todayAudience), align: "right" },
    {
      title: "Change",
      cell: ({ pctChange }) => {
        const bar = barText(most === 0 ? 0 : Math.abs(pctChange) / most, barWidth)
        return `${percentText(pctChange).padStart(percentWidth)} ${bar}`
      },
      color: direction === "up" ? "green" : "red",
    },
  ]
}
