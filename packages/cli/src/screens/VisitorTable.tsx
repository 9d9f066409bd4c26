// The visitor list on a terminal: one line a visitor, and below it how many there are, how much of
// the window the answer rests on, and how to see more.

import type { Visitor, VisitorListMeta, VisitorQueryMeta } from "@footfall/sdk"
import { Box, Text } from "ink"
import type { ReactNode } from "react"
import { Prose } from "./Prose.tsx"
import { EmptyState } from "./EmptyState.tsx"
import { Table, type Column } from "./Table.tsx"
import { timeAgo } from "./time.ts"

/** What a page says about itself: one of a query may lack the count, and knows no scope. */
export type VisitorTableMeta = Omit<VisitorListMeta, "scope" | "total"> &
  Partial<Pick<VisitorListMeta, "scope">> &
  Pick<VisitorQueryMeta, "total">

/** One page of visitors. */
export interface VisitorTableProps {
  readonly visitors: ReadonlyArray<Visitor>
  readonly meta: VisitorTableMeta
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

/** The address is what `visitors get` is asked with, so other columns give way to it first. */
const emailWidthKept = (screenColumns: number): number =>
  Math.max(20, Math.floor(screenColumns * 0.5))

const visitorColumns = (now: Date, screenColumns: number): ReadonlyArray<Column<Visitor>> => [
  { title: "Email", cell: emailCell, widthMin: 20, widthKept: emailWidthKept(screenColumns) },
  { title: "Person", cell: personCell, widthMin: 10, widthKept: 12, dropRank: 5 },
  { title: "Company", cell: companyCell, widthMin: 8, widthKept: 12, dropRank: 1 },
  { title: "Job", cell: jobCell, widthMin: 8, widthKept: 14, dropRank: 2 },
  { title: "Sessions", cell: ({ sessions }) => `${sessions}`, align: "right", dropRank: 4 },
  { title: "Pages", cell: ({ pageviews }) => `${pageviews}`, align: "right", dropRank: 3 },
  { title: "Interest", cell: interestCell, color: "cyan", widthMin: 8, widthKept: 12 },
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
  readonly meta: VisitorTableMeta
  readonly window: string
  readonly count: number
}): ReactNode => {
  const total = meta.total ?? count
  const people = total === 1 ? "1 visitor" : `${total} visitors`
  const shown = count < total ? `${count} of ${people}` : people
  return (
    <Box flexDirection="column">
      <Prose dimColor>
        {`${shown} ${window}${meta.hasMore ? ` · more: ${howToSeeMore(meta)}, or --all` : ""}`}
      </Prose>
      {meta.coverage?.partial ? (
        <Text color="yellow">Not all data of this window has been taken into account yet.</Text>
      ) : null}
    </Box>
  )
}

/** A page that was cut short has no next one; the rest of it comes with more rows. */
const howToSeeMore = ({ nextCursor, page }: VisitorTableMeta): string =>
  nextCursor === null ? "a higher --limit" : `--page ${page + 1}`

const EmptyList = ({
  meta,
  window,
  now,
}: Pick<VisitorTableProps, "meta" | "window" | "now">): ReactNode => (
  <EmptyState says={`No visitors ${window}.`} next={emptyReason(meta, now)} />
)

const emptyReason = ({ scope, page }: VisitorTableMeta, now: Date): string => {
  if (page > 1) return "This page lies behind the last one. Try: --page 1"
  if (scope === undefined) return "Nobody matches the rule. Try a longer --window, or fewer terms."
  if (scope.pixels === 0) return "No pixel matches. Run: footfall pixels list"
  if (scope.activePixels === 0) return "Every pixel here is paused. Run: footfall pixels list"
  if (scope.lastEventAt === null) return "No event has arrived yet. Is the pixel on the page?"
  return `The last event arrived ${timeAgo(scope.lastEventAt, now)}. Try: --timeframe all`
}
