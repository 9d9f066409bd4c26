// One run on a terminal.

import type { Run } from "@footfall/sdk"
import { Box, Text } from "ink"
import type { ReactNode } from "react"
import { plainText } from "../terminal/plain-text.ts"
import { Facts } from "./Facts.tsx"
import { Prose } from "./Prose.tsx"
import { peopleText, runStatusColor, runStatusText } from "./run-words.ts"
import { dateAndTime, timeAgo } from "./time.ts"

/** A run and the width there is. */
export interface RunViewProps {
  readonly run: Run
  readonly now: Date
  readonly screenColumns: number
  /** Default: the time zone of the computer. */
  readonly timeZone?: string
}

/** First its state, then what came of it. */
export const RunView = (props: RunViewProps): ReactNode => {
  const { run, now, screenColumns, timeZone } = props
  const { completedAt, errorCode, errorMessage, nextAttemptAt, startedAt, status } = run
  const moment = (at: string | null) =>
    at === null ? null : `${dateAndTime(at, timeZone)}, ${timeAgo(at, now)}`
  const color = runStatusColor(status)
  return (
    <Box flexDirection="column" rowGap={1} width={screenColumns}>
      <Box flexWrap="wrap" columnGap={1}>
        <Text>
          <Text bold {...(color === undefined ? {} : { color })}>
            {runStatusText(run)}
          </Text>
          <Text dimColor> ·</Text>
        </Text>
        <Text dimColor>{`${run.runType} run on the data of ${run.dataDate}`}</Text>
      </Box>
      {errorCode === null ? null : (
        <Prose color="red">{plainText(`${errorCode}: ${errorMessage ?? ""}`)}</Prose>
      )}
      <Facts
        facts={[
          ["People", status === "completed" ? peopleText(run) : null],
          ["Attempts", run.attempts > 1 ? `${run.attempts} of 3` : null],
          ["Next attempt", nextAttemptAt === null ? null : dateAndTime(nextAttemptAt, timeZone)],
          ["Queued", moment(run.createdAt)],
          ["Started", moment(startedAt)],
          ["Ended", moment(completedAt)],
          ["Key", run.idempotencyKey],
          ["Audience", run.audienceId],
          ["Id", run.id],
        ]}
      />
    </Box>
  )
}
