// What `footfall top` shows.

import type { Company, Visitor } from "@footfall/sdk"
import { Box, Text, useApp, useInput, useWindowSize } from "ink"
import type { ReactNode } from "react"
import { deliveryFigures, deliveryFraction } from "../deliveries/words.ts"
import { runStatusText } from "../runs/words.ts"
import { plainText } from "../terminal/terminal.ts"
import { Bar } from "../ui/bars.tsx"
import { BrailleCanvas, DOTS_HIGH, DOTS_WIDE } from "../ui/chart.tsx"
import { Prose, proseLines } from "../ui/prose.tsx"
import { type Column, Table } from "../ui/table.tsx"
import { counted, countText, duration, timeAgo } from "../ui/text.ts"
import type { QueueDepth, Snapshot, Work } from "./snapshot.ts"

/** A row. Its label is separate, because it has another color. */
interface MinuteBarRow {
  readonly label: string
  readonly bars: string
}

/** The most recent minutes that fit, from the top row. Any number of visitors above zero is at least one dot. */
export const minuteBars = (
  counts: ReadonlyArray<number>,
  size: { readonly columns: number; readonly rows: number },
): ReadonlyArray<MinuteBarRow> => {
  const most = Math.max(1, ...counts)
  const labelWidth = countText(most).length
  const columns = Math.max(1, Math.min(counts.length, size.columns - labelWidth - 2))
  const shown = counts.slice(-columns)
  const canvas = new BrailleCanvas({ columns, rows: size.rows })
  const dotsHigh = size.rows * DOTS_HIGH
  for (const [index, count] of shown.entries()) {
    const height = Math.ceil((count / most) * dotsHigh)
    if (height === 0) continue
    const x = index * DOTS_WIDE
    canvas.line({ x, y: dotsHigh - 1 }, { x, y: dotsHigh - height })
  }
  return canvas.rows().map((bars, row) => {
    const label = row === 0 ? countText(most) : row === size.rows - 1 ? "0" : ""
    return { label: `${label.padStart(labelWidth)} ${label === "" ? "│" : "┤"}`, bars }
  })
}

/** The contents of the screen. */
export interface TopViewProps {
  readonly snapshot: Snapshot
  readonly server: string
  readonly screenColumns: number
  /** Available rows. With fewer than 18, the bottom is cut off. */
  readonly screenRows: number
  /** What the keys do and when the next read happens; empty for a single screen. */
  readonly footer: string
  /** Why the screen is outdated; null if it is not. */
  readonly warning: string | null
}

const CHART_ROWS = 4

/** On a screen with fewer than 26 rows. */
const CHART_ROWS_LOW = 2

/** Number of jobs shown; the others are counted. */
const WORKS_MAX = 4

/** On a shorter screen, visitors are more important. */
const COMPANIES_ROWS_MIN = 24

/** For example `Harbor Logistics (5 sessions, 3 anonymous) · acme.example (1 session)`. */
const companiesText = (companies: ReadonlyArray<Company>): string =>
  companies
    .map(({ anonymousSessions, domain, name, sessions }) => {
      const anonymous = anonymousSessions === 0 ? "" : `, ${countText(anonymousSessions)} anonymous`
      return `${plainText(name ?? domain)} (${counted(sessions, "session")}${anonymous})`
    })
    .join(" · ")

/** Showing fewer than these is worse than leaving out the chart. */
const LATEST_MIN = 3

/** Says the same without color. */
export const TopView = (props: TopViewProps): ReactNode => {
  const { snapshot, server, screenColumns, screenRows, footer, warning } = props
  const isLive = footer !== ""
  const chartRows = screenRows < 26 ? CHART_ROWS_LOW : CHART_ROWS
  const works = [...(snapshot.deliveries ?? []), ...(snapshot.runs ?? [])]
  const isLoginMissing = snapshot.deliveries === null
  const workLines = Math.max(1, Math.min(works.length, WORKS_MAX)) + (isLoginMissing ? 1 : 0)
  const queueLines = proseLines(queuesText(snapshot.queues), screenColumns)
  // Each section has a blank line and a title; the table has two more lines.
  const hasCompanies = snapshot.companies.length > 0 && screenRows >= COMPANIES_ROWS_MIN
  const usedRows = 1 + (2 + 2) + (hasCompanies ? 3 : 0) + (2 + queueLines) + (2 + workLines) + 2
  const chartLines = 2 + chartRows + 1
  const left = screenRows - 1 - usedRows
  const hasChart = left - chartLines >= LATEST_MIN
  const latest = snapshot.latest.slice(0, Math.max(1, hasChart ? left - chartLines : left))
  return (
    <Box
      flexDirection="column"
      width={screenColumns}
      overflow="hidden"
      {...(isLive ? { height: screenRows - 1 } : {})}
    >
      <Box justifyContent="space-between" columnGap={2} flexShrink={0}>
        <Text wrap="truncate">
          <Text bold>footfall top</Text>
          <Text dimColor>{` · ${plainText(server)}`}</Text>
        </Text>
        <Text dimColor>{clock(snapshot.at)}</Text>
      </Box>
      {hasChart ? (
        <Minutes counts={snapshot.perMinute} chartRows={chartRows} screenColumns={screenColumns} />
      ) : null}
      <Section title="Latest">
        {latest.length === 0 ? (
          <Text dimColor>No visitors in the last 24 hours. To find out why: footfall doctor</Text>
        ) : (
          <Table
            columns={latestColumns(snapshot.at)}
            rows={latest}
            screenColumns={screenColumns}
            isDim={({ suppressed }) => suppressed}
          />
        )}
      </Section>
      {hasCompanies ? (
        <Section title="Companies">
          <Text wrap="truncate">{companiesText(snapshot.companies)}</Text>
        </Section>
      ) : null}
      <Section title="Queues">
        <Prose dimColor={snapshot.queues === null}>{queuesText(snapshot.queues)}</Prose>
      </Section>
      <Section title="In progress">
        <Works works={works} screenColumns={screenColumns} />
        {isLoginMissing ? <Text dimColor>Sign in to see deliveries: footfall login</Text> : null}
      </Section>
      {!isLive ? null : (
        <Box marginTop={1} flexGrow={1} alignItems="flex-end">
          <Text
            wrap="truncate"
            dimColor={warning === null}
            {...(warning === null ? {} : { color: "yellow" })}
          >
            {warning === null ? footer : plainText(warning)}
          </Text>
        </Box>
      )}
    </Box>
  )
}

const Section = (props: { readonly title: string; readonly children: ReactNode }): ReactNode => (
  <Box flexDirection="column" marginTop={1} flexShrink={0}>
    <Text bold>{props.title}</Text>
    {props.children}
  </Box>
)

const Minutes = (props: {
  readonly counts: ReadonlyArray<number>
  readonly chartRows: number
  readonly screenColumns: number
}): ReactNode => {
  const { counts, chartRows, screenColumns } = props
  const rows = minuteBars(counts, { columns: screenColumns, rows: chartRows })
  const labelWidth = rows[0]?.label.length ?? 0
  const width = rows[0]?.bars.length ?? 0
  const from = `${width} min ago`
  const total = counts.reduce((sum, count) => sum + count, 0)
  return (
    <Section title="Visitors per minute">
      {rows.map(({ label, bars }, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- rows never move
        <Text key={index} wrap="truncate">
          <Text dimColor>{label}</Text>
          <Text color="cyan">{bars.trimEnd()}</Text>
          {index === 0 && screenColumns >= 100 ? (
            <Text>{`${" ".repeat(width - bars.trimEnd().length + 2)}${minutesText(total, counts)}`}</Text>
          ) : null}
        </Text>
      ))}
      <Text dimColor wrap="truncate">
        {" ".repeat(labelWidth)}
        {from}
        {"now".padStart(Math.max(4, width - from.length))}
      </Text>
    </Section>
  )
}

const minutesText = (total: number, counts: ReadonlyArray<number>): string =>
  `${countText(total)} in the last hour, ${countText(counts.at(-1) ?? 0)} now`

const latestColumns = (now: Date): ReadonlyArray<Column<Visitor>> => [
  {
    title: "Email",
    cell: ({ email, emailHash }) => email ?? `#${emailHash.slice(0, 12)}`,
    widthMin: 16,
    widthKept: 28,
  },
  { title: "Company", cell: ({ companyName }) => companyName ?? "", widthMin: 8, dropRank: 1 },
  { title: "Job", cell: ({ jobTitle }) => jobTitle ?? "", widthMin: 8, dropRank: 2 },
  { title: "Pages", cell: ({ pageviews }) => `${pageviews}`, align: "right", dropRank: 3 },
  { title: "Last seen", cell: ({ lastSeenAt }) => timeAgo(lastSeenAt, now), align: "right" },
]

/** An empty queue is shown as its name and 0. */
const queuesText = (queues: ReadonlyArray<QueueDepth> | null): string =>
  queues === null
    ? "The server does not expose its queues here (/metrics)."
    : queues.map(queueText).join(" · ")

const queueText = ({ queue, waiting, delayed, working, lagSeconds }: QueueDepth): string => {
  const parts = [
    `${plainText(queue).replaceAll("_", " ")} ${countText(waiting)}`,
    working > 0 && `+ ${countText(working)} working`,
    delayed > 0 && `+ ${countText(delayed)} later`,
    lagSeconds >= 1 && `(${duration(Math.round(lagSeconds))} behind)`,
  ]
  return parts.filter((part) => part !== false).join(" ")
}

const Works = (props: {
  readonly works: ReadonlyArray<Work>
  readonly screenColumns: number
}): ReactNode => {
  const { works, screenColumns } = props
  const shown = works.length > WORKS_MAX ? works.slice(0, WORKS_MAX - 1) : works
  if (works.length === 0) return <Text dimColor>No runs or deliveries.</Text>
  return (
    <>
      {shown.map((work) => (
        <WorkLine key={idOf(work)} work={work} screenColumns={screenColumns} />
      ))}
      {shown.length === works.length ? null : (
        <Text dimColor>{`and ${counted(works.length - shown.length, "other", "others")}`}</Text>
      )}
    </>
  )
}

const idOf = (work: Work): string => (work.kind === "run" ? work.run.id : work.delivery.id)

const WorkLine = (props: { readonly work: Work; readonly screenColumns: number }): ReactNode => {
  const { work, screenColumns } = props
  const fraction = work.kind === "delivery" ? deliveryFraction(work.delivery) : null
  const figures =
    work.kind === "delivery"
      ? deliveryFigures(work.delivery, work.delivery.processedCount, 0).slice(0, 3)
      : [runStatusText(work.run)]
  return (
    <Box columnGap={2}>
      <Box width={8} flexShrink={0}>
        <Text color="cyan">{work.kind}</Text>
      </Box>
      <Box width={Math.floor(screenColumns / 4)} flexShrink={0}>
        <Text wrap="truncate">{plainText(work.audience)}</Text>
      </Box>
      {fraction === null ? null : (
        <Box flexShrink={0}>
          <Bar fraction={fraction} width={Math.floor(screenColumns / 8)} />
        </Box>
      )}
      <Text wrap="truncate">{plainText(figures.join(" · "))}</Text>
    </Box>
  )
}

const clock = (at: Date): string => at.toTimeString().slice(0, 8)

/** The contents of the screen, or null before the first read. */
export type TopScreenProps = Omit<TopViewProps, "screenColumns" | "screenRows" | "snapshot"> & {
  readonly snapshot: TopViewProps["snapshot"] | null
}

export const TopScreen = ({ snapshot, ...props }: TopScreenProps): ReactNode => {
  const { columns, rows } = useWindowSize()
  const { exit } = useApp()
  useInput((input, key) => {
    if (input === "q" || (key.ctrl && input === "c") || key.escape) exit()
  })
  if (snapshot === null) return <Text dimColor>Loading …</Text>
  return <TopView snapshot={snapshot} {...props} screenColumns={columns} screenRows={rows} />
}
