// The events of one session on a terminal: what was read, in order, and for how long.

import { readablePage } from "@footfall/normal-form/page"
import type { SessionEvent } from "@footfall/sdk"
import { Box, Text } from "ink"
import type { ReactNode } from "react"
import { plainText } from "../terminal/terminal.ts"
import { EmptyState } from "../ui/list-screen.tsx"
import { type Column, Table } from "../ui/table.tsx"
import { counted, dateAndTime, duration, timeOfDay } from "../ui/text.ts"

interface EventListProps {
  readonly events: ReadonlyArray<SessionEvent>
  readonly hasMore: boolean
  readonly screenColumns: number
  /** Default: the time zone of the computer. */
  readonly timeZone?: string
}

/** Custom events begin with a sign, so that they differ without color. */
export const EventList = ({
  events,
  hasMore,
  screenColumns,
  timeZone,
}: EventListProps): ReactNode => {
  const [first] = events
  if (first === undefined) {
    return <EmptyState message="This session has no page views and no custom events." />
  }
  const source = sourceText(events)
  return (
    <Box flexDirection="column" rowGap={1}>
      <Text wrap="truncate">
        <Text bold>{dateAndTime(first.at, timeZone)}</Text>
        <Text dimColor>{source === "" ? "" : `  ${plainText(source)}`}</Text>
      </Text>
      <Table
        columns={columnsOf(dateAndTime(first.at, timeZone).slice(0, 10), timeZone)}
        rows={events}
        screenColumns={screenColumns}
      />
      <Text dimColor>{summaryText(events, hasMore)}</Text>
    </Box>
  )
}

const columnsOf = (firstDay: string, timeZone?: string): ReadonlyArray<Column<SessionEvent>> => [
  {
    title: "Time",
    cell: ({ at }) => {
      const day = dateAndTime(at, timeZone).slice(0, 10)
      const time = timeOfDay(at, timeZone)
      return day === firstDay ? time : `${day} ${time}`
    },
  },
  { title: "Page", cell: whatText, color: "cyan", widthMin: 12, widthKept: 28 },
  { title: "Title", cell: detailText, widthMin: 10, widthKept: 20, dropRank: 1 },
  { title: "Visible", cell: visibleText, align: "right" },
]

const whatText = ({ name, path, type }: SessionEvent): string =>
  type === "custom" ? `◆ ${name}` : path === null ? "(unknown page)" : readablePage(path)

const detailText = ({ props, title }: SessionEvent): string =>
  props === null
    ? (title ?? "")
    : Object.entries(props)
        .map(([key, value]) => `${key}=${value}`)
        .join(" ")

const visibleText = ({ secondsVisible }: SessionEvent): string =>
  secondsVisible === null ? "" : duration(secondsVisible)

/** For example `newsletter / spring-launch` or `search.example`. */
const sourceText = (events: ReadonlyArray<SessionEvent>): string => {
  const tagged = events.find(({ utmCampaign, utmSource }) => utmSource ?? utmCampaign)
  return tagged === undefined
    ? (events.find(({ referrerDomain }) => referrerDomain !== null)?.referrerDomain ?? "")
    : [tagged.utmSource, tagged.utmCampaign].filter((part) => part !== null).join(" / ")
}

const summaryText = (events: ReadonlyArray<SessionEvent>, hasMore: boolean): string => {
  const pages = events.filter(({ type }) => type === "page").length
  const seconds = events.reduce((sum, { secondsVisible }) => sum + (secondsVisible ?? 0), 0)
  return [
    counted(pages, "page"),
    pages < events.length ? counted(events.length - pages, "custom event") : null,
    seconds > 0 ? `${duration(seconds)} visible` : null,
    hasMore ? "more: --limit, or --all" : null,
  ]
    .filter((part) => part !== null)
    .join(" · ")
}
