// Facets, movers, trends, comparisons and analyses of topics on a terminal.

import type {
  SiteAnalysis,
  SiteTopic,
  TopicComparison,
  TopicDay,
  TopicFacet,
  TopicFacets,
  TopicMover,
  TopicTrendPoint,
} from "@footfall/sdk"
import { Box, Text } from "ink"
import type { ReactNode } from "react"
import { plainText } from "../terminal/terminal.ts"
import { Bars, barText } from "../ui/bars.tsx"
import { ChartView } from "../ui/chart.tsx"
import { textWidth } from "../ui/column-widths.ts"
import { Facts } from "../ui/facts.tsx"
import { type Empty, EmptyState } from "../ui/list-screen.tsx"
import { Prose } from "../ui/prose.tsx"
import { type Column, Table } from "../ui/table.tsx"
import { counted, countText } from "../ui/text.ts"

/** `+12.3%`, `-4%`, `0%`; no decimals from 100 on. */
export const percentText = (percent: number): string => {
  const digits = Math.abs(percent) >= 100 ? 0 : 1
  const figure = new Intl.NumberFormat("en", {
    maximumFractionDigits: digits,
    signDisplay: "exceptZero",
  }).format(percent)
  return `${figure}%`
}

/** The change from one number to another; null if it started at zero. */
export const changeText = (before: number, after: number): string | null =>
  before === 0 ? null : percentText(((after - before) / before) * 100)

/** The facets and the available width. */
interface TopicFacetsViewProps {
  readonly facets: TopicFacets
  readonly screenColumns: number
}

/** Values shown per kind; the other formats have all of them. */
const VALUES_SHOWN = 20

/** Largest first. */
export const TopicFacetsView = ({ facets, screenColumns }: TopicFacetsViewProps): ReactNode => {
  const { types, industries, categories, total } = facets
  if (total === 0) {
    return <EmptyState {...emptyCatalog} />
  }
  return (
    <Box flexDirection="column" rowGap={1} width={screenColumns}>
      <Text bold>{counted(total, "topic")}</Text>
      <Facet title="Type" values={types} screenColumns={screenColumns} />
      <Facet title="Industry" values={industries} screenColumns={screenColumns} />
      <Facet title="Category" values={categories} screenColumns={screenColumns} />
    </Box>
  )
}

const Facet = (props: {
  readonly title: string
  readonly values: ReadonlyArray<TopicFacet>
  readonly screenColumns: number
}): ReactNode => {
  const { title, values, screenColumns } = props
  const shown = values.toSorted((one, other) => other.count - one.count).slice(0, VALUES_SHOWN)
  return (
    <Box flexDirection="column">
      <Text dimColor>{title}</Text>
      <Bars
        rows={shown.map(({ value, count }) => ({
          label: value,
          value: count,
          text: countText(count),
        }))}
        screenColumns={screenColumns}
      />
      {values.length > shown.length ? (
        <Text dimColor>{`${values.length - shown.length} more: --output csv`}</Text>
      ) : null}
    </Box>
  )
}

/** The movers, strongest first. */
interface TopicMoversViewProps {
  readonly movers: ReadonlyArray<TopicMover>
  readonly direction: "up" | "down"
  readonly screenColumns: number
}

/** Longer bars add no information. */
const BAR_WIDTH_MAX = 24

/** Leaves out other columns in favor of the bars. */
export const TopicMoversView = ({
  movers,
  direction,
  screenColumns,
}: TopicMoversViewProps): ReactNode =>
  movers.length === 0 ? (
    <EmptyState {...emptyMovers(direction)} />
  ) : (
    <Box flexDirection="column" rowGap={1}>
      <Table
        columns={moverColumns(movers, direction, screenColumns)}
        rows={movers}
        screenColumns={screenColumns}
      />
      <Prose dimColor>
        {`${counted(movers.length, "topic")} · people on the last two days with data · more: --limit, or --all`}
      </Prose>
    </Box>
  )

/** The starter catalog is on the server. Anyone with import permission can import a file. */
const emptyCatalog: Empty = {
  message: "There are no topics yet.",
  next: "On the server, run: footfall-server starter-topics",
}

const emptyMovers = (direction: "up" | "down"): Empty => ({
  message: `No topic went ${direction} between the last two days with data.`,
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
    { title: "Latest", cell: ({ todayAudience }) => countText(todayAudience), align: "right" },
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

/** The days of one topic, oldest first. */
interface TopicTrendViewProps {
  readonly topicId: number
  readonly points: ReadonlyArray<TopicTrendPoint>
  readonly screenColumns: number
}

/** Wider lines are harder to follow. */
const CHART_COLUMNS_MAX = 120

const CHART_ROWS = 10

/** A topic without data says so, and what to do about it. */
export const TopicTrendView = (props: TopicTrendViewProps): ReactNode => {
  const { topicId, points, screenColumns } = props
  const [first] = points
  const last = points.at(-1)
  if (first === undefined || last === undefined) return <EmptyState {...emptyTrend(topicId)} />
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
        <Bars
          rows={scoreRows(last)}
          screenColumns={screenColumns}
          fullValue={last.uniqueAudience}
        />
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

const emptyTrend = (topicId: number): Empty => ({
  message: `Topic ${topicId} has no data for these days.`,
  next: "Try other --from and --to. To load data: footfall import signals <file>",
})

/** The latest number of people, and the change since the first day. */
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

/** The topics as given, and those that are not in the catalog. */
interface TopicComparisonViewProps {
  readonly comparisons: ReadonlyArray<TopicComparison>
  readonly unknownTopicIds: ReadonlyArray<number>
  readonly screenColumns: number
}

/** With fewer columns, a line cannot show a month. */
const CHART_COLUMNS_MIN = 50

const SMALL_CHART_COLUMNS_MAX = 90

const SMALL_CHART_ROWS = 4

const GAP = 4

/** Two next to each other if they fit. */
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
      {to === undefined ? <Text>None of these topics has data for the last 30 days.</Text> : null}
      {to === undefined ? null : (
        <Box flexDirection="column">
          <Text dimColor>{`People on the latest day (${to})`}</Text>
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
              columns={Math.min(columns, SMALL_CHART_COLUMNS_MAX)}
              rows={SMALL_CHART_ROWS}
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

/** The number and the change, each in its own column. */
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
        <Prose dimColor>The change is over the days shown. Each line has its own scale.</Prose>
      ) : null}
      {without.length > 0 ? <Prose>{`Without data: ${names}`}</Prose> : null}
      {unknownTopicIds.length > 0 ? (
        <Text color="yellow">{`Not found: ${unknownTopicIds.join(", ")}`}</Text>
      ) : null}
    </Box>
  )
}

/** The requested page, and the result. */
interface SiteAnalysisViewProps {
  readonly url: string
  readonly analysis: SiteAnalysis
  readonly screenColumns: number
}

/** Columns for a similarity of 1. */
const BAR_WIDTH = 12

/** Pages may contain anything, so all their text is treated as untrusted. */
export const SiteAnalysisView = (props: SiteAnalysisViewProps): ReactNode => {
  const { url, analysis, screenColumns } = props
  const { company, summary, keywords, topics } = analysis
  return (
    <Box flexDirection="column" rowGap={1} width={screenColumns}>
      <Text bold>{plainText(company ?? url)}</Text>
      <Facts
        facts={[
          ["Page", url],
          ["Summary", summary],
          ["Keywords", keywords.join(", ")],
        ]}
      />
      {topics.length === 0 ? (
        <Text>No topic matches this page.</Text>
      ) : (
        <Table
          columns={siteTopicColumns(screenColumns)}
          rows={topics}
          screenColumns={screenColumns}
        />
      )}
    </Box>
  )
}

const siteTopicColumns = (screenColumns: number): ReadonlyArray<Column<SiteTopic>> => [
  { title: "Id", cell: ({ topicId }) => `${topicId}`, align: "right" },
  {
    title: "Topic",
    cell: ({ topicName }) => topicName,
    widthMin: 14,
    widthKept: Math.max(14, Math.floor(screenColumns * 0.35)),
  },
  {
    title: "Similarity",
    cell: ({ similarity }) => `${similarity.toFixed(2)} ${barText(similarity, BAR_WIDTH)}`,
    color: "cyan",
  },
  {
    title: "Matched on",
    cell: ({ matchedKeyword }) => matchedKeyword,
    widthMin: 10,
    widthKept: 12,
    dropRank: 1,
  },
  { title: "Industry", cell: ({ industry }) => industry, widthMin: 10, widthKept: 14, dropRank: 2 },
]
