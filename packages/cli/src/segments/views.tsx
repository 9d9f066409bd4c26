// One segment on a terminal, and the preview of a rule.

import type { Segment, SegmentPreview } from "@footfall/sdk"
import { Box, Text } from "ink"
import type { ReactNode } from "react"
import { plainText } from "../terminal/terminal.ts"
import { matchingCompanies } from "../companies/companies.ts"
import { ListScreen } from "../ui/list-screen.tsx"
import { Facts } from "../ui/facts.tsx"
import { dateAndTime } from "../ui/text.ts"
import { VisitorTable } from "../visitors/views.tsx"
import { ruleText } from "./rule.ts"

/** A segment and the available width. */
interface SegmentViewProps {
  readonly segment: Segment
  readonly screenColumns: number
  /** Default: the time zone of the computer. */
  readonly timeZone?: string
}

/** A rule without a window covers the last 30 days. */
export const SegmentView = ({ segment, screenColumns, timeZone }: SegmentViewProps): ReactNode => (
  <Box flexDirection="column" rowGap={1} width={screenColumns}>
    <Text bold>{plainText(segment.name)}</Text>
    <Facts
      facts={[
        ["About", segment.description],
        ["Contains", segment.subject],
        ["Matches", ruleText(segment.ruleAst)],
        ["Window", segment.ruleAst.window ?? "30d"],
        ["Created", dateAndTime(segment.createdAt, timeZone)],
        ["Updated", dateAndTime(segment.updatedAt, timeZone)],
        ["Id", segment.id],
      ]}
    />
  </Box>
)

/** The preview and the available width. */
interface SegmentPreviewViewProps {
  readonly preview: SegmentPreview
  readonly subject: Segment["subject"]
  readonly now: Date
  readonly screenColumns: number
}

/** The sample is drawn like the first page of a list; a preview has no more pages. */
export const SegmentPreviewView = (props: SegmentPreviewViewProps): ReactNode => {
  const { preview, now, screenColumns, subject } = props
  const { companies, count, sample } = preview
  if (subject === "companies") {
    return (
      <ListScreen
        table={matchingCompanies.table}
        rows={companies}
        meta={{ hasMore: false, total: count }}
        now={now}
        screenColumns={screenColumns}
      />
    )
  }
  const meta = { page: 1, hasMore: false, nextCursor: null, total: count, ...unanswered }
  return (
    <VisitorTable
      visitors={sample}
      meta={meta}
      window="match the rule"
      now={now}
      screenColumns={screenColumns}
    />
  )
}

/** A `meta` whose content is not shown. */
const unanswered = { timestamp: "", request_id: "" }
