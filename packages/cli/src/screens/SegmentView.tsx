// One segment on a terminal, with its whole rule.

import type { Segment } from "@footfall/sdk"
import { Box, Text } from "ink"
import type { ReactNode } from "react"
import { ruleText } from "../rules/rule-text.ts"
import { plainText } from "../terminal/plain-text.ts"
import { Facts } from "./Facts.tsx"
import { dateAndTime } from "./time.ts"

/** A segment and the width there is. */
export interface SegmentViewProps {
  readonly segment: Segment
  readonly screenColumns: number
  /** Default: the time zone of the computer. */
  readonly timeZone?: string
}

/** A rule without a window looks 30 days back. */
export const SegmentView = ({ segment, screenColumns, timeZone }: SegmentViewProps): ReactNode => (
  <Box flexDirection="column" rowGap={1} width={screenColumns}>
    <Text bold>{plainText(segment.name)}</Text>
    <Facts
      facts={[
        ["About", segment.description],
        ["Matches", ruleText(segment.ruleAst)],
        ["Window", segment.ruleAst.window ?? "30d"],
        ["Created", dateAndTime(segment.createdAt, timeZone)],
        ["Changed", dateAndTime(segment.updatedAt, timeZone)],
        ["Id", segment.id],
      ]}
    />
  </Box>
)
