// The progress of an import on a terminal: rows, rows a second, and the time left where the size of the
// file tells it; then what is merged when all was read. Standard error alone; without a terminal nothing
// is shown.
import { SingleBar } from "cli-progress"
import { Effect } from "effect"
import type { ImportProgress } from "../people/import/imports.ts"

export interface Progress {
  read(bytes: number): void
  tell(progress: ImportProgress): void
  stop(): void
}

const silent: Progress = { read: () => undefined, tell: () => undefined, stop: () => undefined }

/** Until the scope closes. *Units*: `size` in bytes; 0: not known. */
export const showProgress = (isShown: boolean, size: number) => {
  if (!isShown) return Effect.succeed(silent)
  return Effect.acquireRelease(
    Effect.sync(() => bar(size)),
    (progress) => Effect.sync(progress.stop),
  )
}

const barOf = (format: string): SingleBar =>
  new SingleBar({
    format,
    stream: process.stderr,
    hideCursor: true,
    clearOnComplete: true,
    etaBuffer: 100,
  })

const readingKnown = "{bar} {percentage}% · {rows} rows · {rate} rows/s · {eta_formatted} left"
const readingUnknown = "{rows} rows · {rate} rows/s · {duration_formatted}"
const merging = "{bar} merging date {date} of {total} · {rows} rows read · {eta_formatted} left"

const bar = (size: number): Progress => {
  let shown = barOf(size > 0 ? readingKnown : readingUnknown)
  const started = performance.now()
  shown.start(size, 0, { rows: 0, rate: 0 })
  let read = 0
  let isMerging = false
  return {
    read: (bytes) => {
      read += bytes
      shown.update(Math.min(read, size))
    },
    tell: ({ merging: step, received: rows }) => {
      if (step === undefined) {
        const seconds = (performance.now() - started) / 1_000
        shown.update({ rows, rate: Math.round(rows / seconds) })
        return
      }
      const date = step.done + 1
      if (isMerging) return shown.update(step.done, { rows, date })
      isMerging = true
      shown.stop()
      shown = barOf(merging)
      shown.start(step.of, step.done, { rows, date })
    },
    stop: () => shown.stop(),
  }
}
