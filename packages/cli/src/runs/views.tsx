// One run and its statistics on a terminal.

import type { Run, RunResultPath, RunShare, RunStatistics } from "@footfall/sdk"
import { Box, Text } from "ink"
import type { ReactNode } from "react"
import { plainText } from "../terminal/terminal.ts"
import { Bars } from "../ui/bars.tsx"
import { Facts } from "../ui/facts.tsx"
import { Prose } from "../ui/prose.tsx"
import { counted, countText, dateAndTime, timeAgo } from "../ui/text.ts"
import { peopleText, runStatusColor, runStatusText } from "./words.ts"

/** The response and the available width. */
interface RunStatisticsViewProps {
  readonly run: Run
  readonly stats: RunStatistics
  readonly screenColumns: number
}

/** Every bar is a share of all people. Values without people are listed on one line. */
export const RunStatisticsView = (props: RunStatisticsViewProps): ReactNode => {
  const { run, stats, screenColumns } = props
  const { averages, fillRates, scoreHistogram, total } = stats
  const rates = Object.entries(fillRates) as ReadonlyArray<readonly [RunResultPath, RunShare]>
  const known = rates.filter(([, { count }]) => count > 0)
  const unknown = rates.filter(([, { count }]) => count === 0).map(([path]) => path)
  return (
    <Box flexDirection="column" rowGap={1} width={screenColumns}>
      <Text>
        <Text bold>{counted(total, "person", "people")}</Text>
        {` on ${run.dataDate}`}
        {averages.score === null
          ? ""
          : ` · average score ${averages.score}, in ${averages.topicOverlap} ${averages.topicOverlap === 1 ? "topic" : "topics"}`}
      </Text>
      {averages.score === null ? null : (
        <Box flexDirection="column">
          <Text dimColor>Scores</Text>
          <Bars
            rows={scoreHistogram.map((share) => rowOf(share.bucket, share))}
            fullValue={total}
            labelWidth={LABEL_WIDTH}
            screenColumns={screenColumns}
          />
        </Box>
      )}
      {known.length === 0 ? null : (
        <Box flexDirection="column">
          <Text dimColor>Known values</Text>
          <Bars
            rows={known.map(([path, share]) => rowOf(path, share))}
            fullValue={total}
            color="green"
            labelWidth={LABEL_WIDTH}
            screenColumns={screenColumns}
          />
        </Box>
      )}
      {total === 0 || unknown.length === 0 ? null : (
        <Prose dimColor>{`Unknown for everyone: ${unknown.join(", ")}`}</Prose>
      )}
    </Box>
  )
}

/** As wide as the longest path, so that both groups of bars start in the same column. */
const LABEL_WIDTH = 21

const rowOf = (label: string, { count, percent }: RunShare) => ({
  label,
  value: count,
  text: `${countText(count)}  ${percent.toFixed(2).padStart(6)} %`,
})

/** A run and the available width. */
interface RunViewProps {
  readonly run: Run
  readonly now: Date
  readonly screenColumns: number
  /** Default: the time zone of the computer. */
  readonly timeZone?: string
}

/** Its state first, then its result. */
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
        <Text dimColor>{`${run.runType} run on data from ${run.dataDate}`}</Text>
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
