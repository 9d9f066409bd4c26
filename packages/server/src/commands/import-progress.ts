// The progress of an import on a terminal: rows, rows a second, and the time left where the size of the
// file tells it. Standard error alone; without a terminal nothing is shown.
import { SingleBar } from "cli-progress"
import { Effect } from "effect"

export interface Progress {
  read(bytes: number): void
  rows(count: number): void
  stop(): void
}

const silent: Progress = { read: () => undefined, rows: () => undefined, stop: () => undefined }

/** Until the scope closes. *Units*: `size` in bytes; 0: not known. */
export const showProgress = (isShown: boolean, size: number) => {
  if (!isShown) return Effect.succeed(silent)
  return Effect.acquireRelease(
    Effect.sync(() => bar(size)),
    (progress) => Effect.sync(progress.stop),
  )
}

const bar = (size: number): Progress => {
  const shown = new SingleBar({
    format:
      size > 0
        ? "{bar} {percentage}% · {rows} rows · {rate} rows/s · {eta_formatted} left"
        : "{rows} rows · {rate} rows/s · {duration_formatted}",
    stream: process.stderr,
    hideCursor: true,
    clearOnComplete: true,
    etaBuffer: 100,
  })
  const started = performance.now()
  shown.start(size, 0, { rows: 0, rate: 0 })
  let read = 0
  return {
    read: (bytes) => {
      read += bytes
      shown.update(Math.min(read, size))
    },
    rows: (rows) => {
      const seconds = (performance.now() - started) / 1_000
      shown.update({ rows, rate: Math.round(rows / seconds) })
    },
    stop: () => shown.stop(),
  }
}
