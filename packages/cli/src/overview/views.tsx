// The overview and a breakdown on a terminal: the period's figures next to those of another one.

import type {
  Breakdown,
  BreakdownRow,
  Overview,
  OverviewFigures,
  OverviewParams,
  SuppressedFilter,
} from "@footfall/sdk"
import { Box, Text } from "ink"
import type { ReactNode } from "react"
import { ChartView } from "../ui/chart.tsx"
import { Facts } from "../ui/facts.tsx"
import { type Column, Table } from "../ui/table.tsx"
import { countText } from "../ui/text.ts"

interface OverviewViewProps {
  readonly overview: Overview
  readonly compare: NonNullable<OverviewParams["compare"]>
  readonly screenColumns: number
}

/** Rows of a chart, without the dates. */
const CHART_ROWS = 6

const figures = [
  ["Sessions", "sessions"],
  ["Anonymous", "anonymousSessions"],
  ["Page views", "pageviews"],
  ["Pricing", "pricingPageViews"],
  ["Demo", "demoPageViews"],
  ["People", "people"],
  ["New people", "newPeople"],
  ["Suppressed", "suppressedPeople"],
  ["Companies", "companies"],
] as const satisfies ReadonlyArray<readonly [string, keyof OverviewFigures]>

/** What the figures include, in words. */
const counts: Readonly<Record<SuppressedFilter, string>> = {
  exclude: "Without suppressed people and companies. To count them: --suppressed include",
  include: "With suppressed people and companies.",
  only: "Only suppressed people and companies, and their sessions.",
}

/** What the figures are compared with, in words. */
const others = { previous: "the period before", year: "the year before" }

/** Says the same without color. */
export const OverviewView = ({
  compare,
  overview,
  screenColumns,
}: OverviewViewProps): ReactNode => {
  const { comparison, days, hours, previous, suppressed, timeZone, totals } = overview
  const before = comparison?.totals ?? previous
  const clock = new Intl.DateTimeFormat("sv-SE", {
    timeZone,
    dateStyle: "short",
    timeStyle: "short",
  })
  const points = [
    ...days.map((day) => ({ ...day, at: day.date })),
    ...hours.map((hour) => ({ ...hour, at: clock.format(new Date(hour.startsAt)) })),
  ]
  const each = hours.length > 0 ? "hour" : "day"
  const [from, to] = [points[0]?.at, points.at(-1)?.at]
  const period = from === to ? from : `${from} to ${to}`
  if (totals.sessions + before.sessions === 0) {
    return (
      <Box flexDirection="column" width={screenColumns}>
        <Text>No visits from {period}.</Text>
        <Text dimColor>To find out why: footfall doctor</Text>
      </Box>
    )
  }
  return (
    <Box flexDirection="column" rowGap={1} width={screenColumns}>
      <Box flexDirection="column">
        <Text bold>{timeZone === "UTC" ? period : `${period} (${timeZone})`}</Text>
        <Text dimColor>{counts[suppressed]}</Text>
      </Box>
      <Facts
        facts={figures.map(([label, name]) => [
          label,
          changeText(totals[name], before[name], others[compare]),
        ])}
      />
      <Chart
        points={points}
        title={`Sessions per ${each}`}
        name="sessions"
        columns={screenColumns}
      />
      <Chart points={points} title={`People per ${each}`} name="people" columns={screenColumns} />
    </Box>
  )
}

/** For example `1,204 (+12% on the period before)`. From ten times on, a percentage says less than the two counts. */
export const changeText = (now: number, before: number, other = others.previous): string => {
  if (before === 0) return countText(now)
  if (now >= before * 10) return `${countText(now)} (${countText(before)} in ${other})`
  const percent = Math.round(((now - before) / before) * 100)
  const sign = percent > 0 ? "+" : ""
  return `${countText(now)} (${sign}${percent}% on ${other})`
}

const Chart = ({
  columns,
  points,
  name,
  title,
}: {
  readonly points: ReadonlyArray<OverviewFigures & { readonly at: string }>
  readonly name: "people" | "sessions"
  readonly title: string
  readonly columns: number
}): ReactNode =>
  points.length < 2 ? null : (
    <Box flexDirection="column">
      <Text dimColor>{title}</Text>
      <ChartView
        points={points.map((point) => ({ date: point.at, value: point[name] }))}
        columns={columns}
        rows={CHART_ROWS}
      />
    </Box>
  )

interface BreakdownViewProps {
  readonly breakdown: Breakdown
  readonly compare: NonNullable<OverviewParams["compare"]>
  readonly screenColumns: number
}

const dimensions: Readonly<Record<Breakdown["by"], readonly [title: string, absent: string]>> = {
  page: ["Page", "(no page)"],
  entry_page: ["First page", "(no page)"],
  channel: ["Channel", "(unknown)"],
  source: ["Source", "(direct)"],
  campaign: ["Campaign", "(no campaign)"],
  country: ["Country", "(unknown)"],
  device: ["Device", "(unknown)"],
}

export const BreakdownView = ({
  breakdown,
  compare,
  screenColumns,
}: BreakdownViewProps): ReactNode => {
  const { by, hasMore, rows, suppressed, totals } = breakdown
  if (rows.length === 0) {
    return (
      <Box flexDirection="column" width={screenColumns}>
        <Text>No visits in this period.</Text>
        <Text dimColor>To find out why: footfall doctor</Text>
      </Box>
    )
  }
  const [title, absent] = dimensions[by]
  const share = (sessions: number) =>
    totals.sessions === 0 ? "" : `${Math.round((sessions / totals.sessions) * 100)}%`
  const columns: ReadonlyArray<Column<BreakdownRow>> = [
    { title, cell: ({ value }) => value ?? absent, widthMin: 12 },
    { title: "Sessions", align: "right", cell: ({ sessions }) => countText(sessions) },
    { title: "Share", align: "right", cell: ({ sessions }) => share(sessions), dropRank: 3 },
    {
      title: compare === "year" ? "Year before" : "Before",
      align: "right",
      cell: ({ comparison }) => (comparison === null ? "" : countText(comparison.sessions)),
      dropRank: 2,
    },
    { title: "People", align: "right", cell: ({ people }) => countText(people) },
    { title: "Companies", align: "right", cell: ({ companies }) => countText(companies) },
    {
      title: "Page views",
      align: "right",
      cell: ({ pageviews }) => countText(pageviews),
      dropRank: 1,
    },
  ]
  return (
    <Box flexDirection="column" rowGap={1} width={screenColumns}>
      <Text dimColor>{counts[suppressed]}</Text>
      <Table columns={columns} rows={rows} screenColumns={screenColumns} />
      {hasMore ? <Text dimColor>There are more. To see up to 100: --limit 100</Text> : null}
    </Box>
  )
}
