// What an export shows while it runs. Pure but for the clock it is given.

import { countText, rateText, sizeText, timeLeftText } from "../screens/figures.ts"
import { waitText, type RunningWait } from "../patience/running-wait.ts"
import type { ProgressScreenProps } from "../screens/ProgressScreen.tsx"
import type { ExportJournal } from "./export-journal.ts"

/** Everything the screen depends on. */
export interface ExportProgress {
  readonly title: string
  readonly journal: ExportJournal
  /** Rows that were there when this run began. */
  readonly rowsBefore: number
  readonly beganMs: number
  readonly nowMs: number
  /** Its clock is that of `nowMs`. */
  readonly wait: RunningWait | null
}

/** Rows, of how many, how fast, how long yet. */
export const exportProgress = (progress: ExportProgress): ProgressScreenProps => {
  const { title, journal, rowsBefore, beganMs, nowMs, wait } = progress
  const { rows, total, bytes } = journal
  const advance = { done: rows - rowsBefore, left: total - rows, elapsedMs: nowMs - beganMs }
  return {
    title,
    fraction: total === 0 ? null : rows / total,
    figures: [
      total === 0 ? `${countText(rows)} rows` : `${countText(rows)} of ${countText(total)} rows`,
      rateText(advance, "rows"),
      timeLeftText(advance),
      sizeText(bytes),
    ].filter((figure) => figure !== null),
    waitText: wait === null ? null : waitText(wait, nowMs),
  }
}
