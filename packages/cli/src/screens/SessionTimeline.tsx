// Sessions as a timeline, newest first: when, for how long, from which page to which, and how the
// visitor came. Each is two lines, so that long paths have room.

import type { SessionSummary } from "@footfall/sdk"
import { Box, Text } from "ink"
import type { ReactNode } from "react"
import { plainText } from "../terminal/plain-text.ts"
import { dateAndTime, duration } from "./time.ts"
import { touchText } from "./touch-text.ts"

/** At most the 50 sessions a journey holds. */
export interface SessionTimelineProps {
  readonly sessions: ReadonlyArray<SessionSummary>
  /** Default: the time zone of the computer. */
  readonly timeZone?: string
}

/** The line down the left side joins the sessions; the last one ends it. */
export const SessionTimeline = ({ sessions, timeZone }: SessionTimelineProps): ReactNode =>
  sessions.length === 0 ? (
    <Text dimColor>No sessions in this window.</Text>
  ) : (
    <Box flexDirection="column">
      {sessions.map((session, index) => (
        <Box key={session.sessionId} flexDirection="column">
          <Text wrap="truncate">
            <Text color={session.converted ? "green" : "cyan"}>● </Text>
            <Text bold>{dateAndTime(session.startTime, timeZone)}</Text>
            <Text dimColor>{`  ${sessionFacts(session)}`}</Text>
          </Text>
          <Text wrap="truncate">
            <Text dimColor>{index === sessions.length - 1 ? "  " : "│ "}</Text>
            <Text>{plainText(pathText(session))}</Text>
            <Text dimColor>{`  ${plainText(touchText(session))}`}</Text>
          </Text>
        </Box>
      ))}
    </Box>
  )

const sessionFacts = (session: SessionSummary): string =>
  [
    session.pageviews === 1 ? "1 page" : `${session.pageviews} pages`,
    duration(session.durationSeconds),
    session.deviceType,
    session.pricingPageViews > 0 ? "pricing" : null,
    session.demoPageViews > 0 ? "demo" : null,
    session.converted ? "identified" : null,
  ]
    .filter((part) => part !== null)
    .join(" · ")

const pathText = ({ entryPage, exitPage, pageviews }: SessionSummary): string => {
  const entry = entryPage ?? "(unknown page)"
  return pageviews === 1 || exitPage === null || exitPage === entryPage
    ? entry
    : `${entry} → ${exitPage}`
}
