// The overview on a terminal: the window's figures next to those of the previous window, and two charts.

import type { Overview, OverviewDay, OverviewFigures, SuppressedFilter } from "@footfall/sdk"
import { Box, Text } from "ink"
import type { ReactNode } from "react"
import { ChartView } from "../ui/chart.tsx"
import { Facts } from "../ui/facts.tsx"
import { countText } from "../ui/text.ts"

interface OverviewViewProps {
  readonly overview: Overview
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

/** Says the same without color. */
export const OverviewView = ({ overview, screenColumns }: OverviewViewProps): ReactNode => {
  const { days, previous, suppressed, totals } = overview
  const [from, to] = [days[0]?.date, days.at(-1)?.date]
  const period = from === to ? from : `${from} to ${to}`
  if (totals.sessions + previous.sessions === 0) {
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
        <Text bold>{period}</Text>
        <Text dimColor>{counts[suppressed]}</Text>
      </Box>
      <Facts
        facts={figures.map(([label, name]) => [label, changeText(totals[name], previous[name])])}
      />
      <DayChart days={days} title="Sessions per day" name="sessions" columns={screenColumns} />
      <DayChart days={days} title="People per day" name="people" columns={screenColumns} />
    </Box>
  )
}

/** For example `1,204 (+12% on the period before)`. From ten times on, a percentage says less than the two counts. */
export const changeText = (now: number, before: number): string => {
  if (before === 0) return countText(now)
  if (now >= before * 10) return `${countText(now)} (${countText(before)} in the period before)`
  const percent = Math.round(((now - before) / before) * 100)
  const sign = percent > 0 ? "+" : ""
  return `${countText(now)} (${sign}${percent}% on the period before)`
}

const DayChart = ({
  columns,
  days,
  name,
  title,
}: {
  readonly days: ReadonlyArray<OverviewDay>
  readonly name: "people" | "sessions"
  readonly title: string
  readonly columns: number
}): ReactNode =>
  days.length < 2 ? null : (
    <Box flexDirection="column">
      <Text dimColor>{title}</Text>
      <ChartView
        points={days.map((day) => ({ date: day.date, value: day[name] }))}
        columns={columns}
        rows={CHART_ROWS}
      />
    </Box>
  )
