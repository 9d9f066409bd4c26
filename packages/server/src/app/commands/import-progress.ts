// The progress of an import on a terminal, in one line of standard error that is written again and again: how much of
// the file is read, rows, rows per second and the time left; then what is merged after reading.
import { Effect, type Scope } from "effect"
import type { ImportProgress } from "../../people/imports/imports.ts"

export interface ShownProgress {
  read(bytes: number): void
  report(progress: ImportProgress): void
  stop(): void
}

const silent: ShownProgress = {
  read: () => undefined,
  report: () => undefined,
  stop: () => undefined,
}

const redrawMs = 100

/** `size`: of the file in bytes; 0 if it is unknown. */
export const progressText = (
  { merging, received: rows }: ImportProgress,
  {
    read,
    seconds,
    size,
  }: { readonly read: number; readonly seconds: number; readonly size: number },
): string => {
  const counted = `${rows.toLocaleString("en")} ${rows === 1 ? "row" : "rows"}`
  if (merging !== undefined) {
    return `merging date ${merging.done + 1} of ${merging.total} · ${counted} read`
  }
  const rate = `${Math.round(rows / Math.max(seconds, 0.001)).toLocaleString("en")} rows/s`
  if (size === 0 || read === 0) return `${counted} · ${rate}`
  const share = Math.min(read / size, 1)
  const left = Math.ceil((seconds / share) * (1 - share))
  return `${Math.floor(share * 100)}% · ${counted} · ${rate} · ${left}s left`
}

/** Shown until `stop`, or until the scope closes. */
export const showProgress = (
  isShown: boolean,
  size: number,
): Effect.Effect<ShownProgress, never, Scope.Scope> =>
  isShown
    ? Effect.acquireRelease(
        Effect.sync(() => lineOf(process.stderr, size)),
        (progress) => Effect.sync(progress.stop),
      )
    : Effect.succeed(silent)

const lineOf = (output: NodeJS.WritableStream, size: number): ShownProgress => {
  const started = performance.now()
  let read = 0
  let drawnAt = Number.NEGATIVE_INFINITY
  let isStopped = false
  return {
    read: (bytes) => {
      read += bytes
    },
    report: (progress) => {
      const now = performance.now()
      if (isStopped || now - drawnAt < redrawMs) return
      drawnAt = now
      const text = progressText(progress, { read, seconds: (now - started) / 1_000, size })
      output.write(`\r\u001B[2K${text}`)
    },
    stop: () => {
      if (!isStopped) output.write("\r\u001B[2K")
      isStopped = true
    },
  }
}
