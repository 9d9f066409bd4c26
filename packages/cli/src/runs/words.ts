// A run as text and figures. Pure.

import type { Run, RunStatus } from "@footfall/sdk"
import { counted, countText, duration } from "../ui/text.ts"

/** The known progress: a run has no partial result. */
export const runFraction = ({ status }: Run): number | null => (isOver(status) ? 1 : null)

/** Most important first. */
export const runFigures = (run: Run, elapsedMs: number): ReadonlyArray<string> => [
  runStatusText(run),
  ...(isOver(run.status) ? [] : [duration(Math.floor(elapsedMs / 1000))]),
  ...(run.status === "completed" ? [peopleText(run)] : []),
]

/** For example `queued`, `running, attempt 2`, `queued, tried again 14:03:20`. */
export const runStatusText = ({ attempts, errorCode, status }: Run): string => {
  if (status === "running" && attempts > 1) return `running, attempt ${attempts}`
  if (status === "queued" && attempts > 0) {
    return `queued again${errorCode === null ? "" : ` after ${errorCode}`}`
  }
  return status
}

/** How many people were kept, out of those who qualified. */
export const peopleText = ({ candidateCount, resultCount }: Run): string =>
  resultCount === candidateCount
    ? counted(resultCount, "person", "people")
    : `${counted(resultCount, "person", "people")} of ${countText(candidateCount)} who match`

/** The color of a status. The status is also in words. */
export const runStatusColor = (status: RunStatus): string | undefined =>
  ({ completed: "green", failed: "red", cancelled: "yellow", running: "cyan", queued: undefined })[
    status
  ]

const isOver = (status: RunStatus): boolean => status !== "queued" && status !== "running"
