// The visitor list on a terminal: one line a visitor, and below it how many there are, how much of
// the window the answer rests on, and how to see more.

import type { Visitor, VisitorListMeta } from "@footfall/sdk"
import { Box, Text } from "ink"
import type { ReactNode } from "react"
import { Table, type Column } from "./Table.tsx"
import { timeAgo } from "./time.ts"

/** One page of visitors. */
export interface VisitorTableProps {
  readonly visitors: ReadonlyArray<Visitor>
  readonly meta: VisitorListMeta
  /** The window in words, for example `in the last 7 days`. */
  readonly window: string
  readonly now: Date
  readonly screenColumns: number
}

/** Without colour it says the same: everything a colour stands for is also a word. */
export const VisitorTable = (props: VisitorTableProps): ReactNode => {
  const { visitors, meta, window, now, screenColumns } = props
  if (visitors.length === 0) return <EmptyList meta={meta} window={window} now={now} />
  return (
    <Box flexDirection="column" rowGap={1}>
      <Table
        columns={visitorColumns(now, screenColumns)}
        rows={visitors}
        screenColumns={screenColumns}
        isDim={(visitor) => visitor.suppressed}
      />
      <Footer meta={meta} window={window} count={visitors.length} />
    </Box>
  )
}

/** The address keeps a good quarter of the screen, because `visitors get` is asked with it. */
const emailWidthMin = (screenColumns: number): number =>
  Math.max(20, Math.floor(screenColumns * 0.28))

const visitorColumns = (now: Date, screenColumns: number): ReadonlyArray<Column<Visitor>> => [
  { title: "Person", cell: personCell, widthMin: 12, screenColumnsMin: 112 },
  { title: "Email", cell: emailCell, widthMin: emailWidthMin(screenColumns) },
  { title: "Company", cell: companyCell, widthMin: 8, screenColumnsMin: 56 },
  { title: "Job", cell: jobCell, widthMin: 8, screenColumnsMin: 88 },
  {
    title: "Sessions",
    cell: ({ sessions }) => `${sessions}`,
    align: "right",
    screenColumnsMin: 78,
  },
  { title: "Pages", cell: ({ pageviews }) => `${pageviews}`, align: "right", screenColumnsMin: 68 },
  { title: "Interest", cell: interestCell, color: "cyan", widthMin: 8 },
  { title: "Last seen", cell: ({ lastSeenAt }) => timeAgo(lastSeenAt, now), align: "right" },
]

const personCell = ({ fullName }: Visitor): string => fullName ?? ""

const companyCell = ({ companyName }: Visitor): string => companyName ?? ""

const jobCell = ({ jobTitle }: Visitor): string => jobTitle ?? ""

/** People known by hash alone have no address; the start of the hash tells them apart. */
const emailCell = ({ email, emailHash }: Visitor): string => email ?? `#${emailHash.slice(0, 12)}`

/** Whether the visitor is suppressed, and what the visits were about. */
const interestCell = ({ pricingPageViews, demoPageViews, suppressed }: Visitor): string =>
  [suppressed && "suppressed", pricingPageViews > 0 && "pricing", demoPageViews > 0 && "demo"]
    .filter((word) => word !== false)
    .join(" ")

const Footer = ({
  meta,
  window,
  count,
}: {
  readonly meta: VisitorListMeta
  readonly window: string
  readonly count: number
}): ReactNode => {
  const people = meta.total === 1 ? "1 visitor" : `${meta.total} visitors`
  const shown = count < meta.total ? `${count} of ${people}` : people
  return (
    <Box flexDirection="column">
      <Text dimColor>
        {shown} {window}
        {meta.hasMore ? ` · more: ${howToSeeMore(meta)}, or --all` : ""}
      </Text>
      {meta.coverage?.partial ? (
        <Text color="yellow">Not all data of this window has been taken into account yet.</Text>
      ) : null}
    </Box>
  )
}

/** A page that was cut short has no next one; the rest of it comes with more rows. */
const howToSeeMore = ({ nextCursor, page }: VisitorListMeta): string =>
  nextCursor === null ? "a higher --limit" : `--page ${page + 1}`

const EmptyList = ({
  meta,
  window,
  now,
}: Pick<VisitorTableProps, "meta" | "window" | "now">): ReactNode => (
  <Box flexDirection="column">
    <Text>No visitors {window}.</Text>
    <Text dimColor>{emptyReason(meta, now)}</Text>
  </Box>
)

const emptyReason = ({ scope, page }: VisitorListMeta, now: Date): string => {
  if (page > 1) return "This page lies behind the last one. Try: --page 1"
  if (scope.pixels === 0) return "No pixel matches. Run: footfall pixels list"
  if (scope.activePixels === 0) return "Every pixel here is paused. Run: footfall pixels list"
  if (scope.lastEventAt === null) return "No event has arrived yet. Is the pixel on the page?"
  return `The last event arrived ${timeAgo(scope.lastEventAt, now)}. Try: --timeframe all`
}
