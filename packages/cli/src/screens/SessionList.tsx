// A page of the sessions of one visitor, as a timeline, and how to see more.

import type { SessionSummary } from "@footfall/sdk"
import { Box, Text } from "ink"
import type { ReactNode } from "react"
import { EmptyState } from "./EmptyState.tsx"
import { SessionTimeline } from "./SessionTimeline.tsx"

/** One page of sessions. */
export interface SessionListProps {
  readonly sessions: ReadonlyArray<SessionSummary>
  readonly hasMore: boolean
  /** The window in words, for example `in the last 30 days`. */
  readonly window: string
  /** Default: the time zone of the computer. */
  readonly timeZone?: string
}

/** How many sessions there are in all is not known. */
export const SessionList = (props: SessionListProps): ReactNode => {
  const { sessions, hasMore, window } = props
  if (sessions.length === 0) {
    return <EmptyState says={`No sessions ${window}.`} next="Try: --timeframe all" />
  }
  const count = sessions.length === 1 ? "1 session" : `${sessions.length} sessions`
  return (
    <Box flexDirection="column" rowGap={1}>
      <SessionTimeline {...props} />
      <Text dimColor>
        {hasMore ? `${count} shown · more: --limit, or --all` : `${count} ${window}`}
      </Text>
    </Box>
  )
}
