// Sends a file to the server while it is read, and shows how far it has come. Memory does not grow with
// the file. What was committed before an interruption stays; sending the file again changes nothing
// about it.

import {
  ConnectionError,
  TimeoutError,
  type Footfall,
  type ImportFormat,
  type ImportKind,
  type ImportResult,
} from "@footfall/sdk"
import { createReadStream } from "node:fs"
import { stat } from "node:fs/promises"
import { CliError } from "../errors/cli-error.ts"
import { ExitCode } from "../errors/exit-code.ts"
import { usageError } from "../errors/usage-error.ts"
import { counted, rateText, sizeText, timeLeftText } from "../screens/figures.ts"
import { duration } from "../screens/time.ts"
import type { ProgressScreenProps } from "../screens/ProgressScreen.tsx"
import { showProgress } from "../terminal/progress.ts"
import type { Terminal } from "../terminal/terminal.ts"
import { RowCounter } from "./row-counter.ts"

/** What is sent, and as what. */
export interface ImportRequest {
  readonly kind: ImportKind
  /** A path, or `-` for standard input. */
  readonly file: string
  readonly format: ImportFormat
  readonly shared: boolean
}

/** Bytes read at once. */
const CHUNK_BYTES = 256 * 1024

/** The server may work on a batch for so long without taking more; the merge at the end has an hour. */
const TIMEOUT_MS = 120_000

/** Errors: usage, when there is no such file; `IMPORT_INTERRUPTED`; those of the server. */
export const runImport = async (
  terminal: Terminal,
  client: Footfall,
  request: ImportRequest,
): Promise<ImportResult> => {
  const { kind, file, format, shared } = request
  const bytesTotal = file === "-" ? null : await sizeOf(file)
  const stream =
    file === "-" ? terminal.stdin : createReadStream(file, { highWaterMark: CHUNK_BYTES })
  const counter = new RowCounter(format)
  const beganMs = performance.now()
  let bytes = 0
  let sentMs: number | null = null
  const progress = await showProgress(terminal, () =>
    importProgress({
      title: `Importing ${kind} from ${file === "-" ? "standard input" : file}`,
      bytes,
      bytesTotal,
      rows: counter.rows,
      elapsedMs: performance.now() - beganMs,
      mergingMs: sentMs === null ? null : performance.now() - sentMs,
    }),
  )
  async function* chunks(): AsyncGenerator<Uint8Array, void, undefined> {
    for await (const chunk of stream) {
      counter.pass(chunk)
      bytes += chunk.length
      progress.update()
      yield chunk
    }
    sentMs = performance.now()
    progress.update()
  }
  const sayInterrupted = (): void => {
    progress.end()
    terminal.stderr.write(`Interrupted. ${againAdvice}\n`)
  }
  terminal.atInterrupt.add(sayInterrupted)
  try {
    return await client.imports.run(kind, chunks(), { format, shared }, { timeoutMs: TIMEOUT_MS })
  } catch (error) {
    const isAway = error instanceof ConnectionError || error instanceof TimeoutError
    throw isAway && bytes > 0 ? interrupted(error) : error
  } finally {
    progress.end()
    terminal.atInterrupt.delete(sayInterrupted)
  }
}

/** What the screen shows. Pure. */
export const importProgress = (state: {
  readonly title: string
  readonly bytes: number
  /** Null when it is not known, because the input is a pipe. */
  readonly bytesTotal: number | null
  readonly rows: number
  readonly elapsedMs: number
  /** Since all is sent and the server merges it; null before. */
  readonly mergingMs: number | null
}): ProgressScreenProps => {
  const { title, bytes, bytesTotal, rows, elapsedMs, mergingMs } = state
  const left = bytesTotal === null ? null : bytesTotal - bytes
  const total = mergingMs === null ? bytesTotal : bytes
  const sizes =
    bytesTotal === null || mergingMs !== null
      ? sizeText(bytes)
      : `${sizeText(bytes)} of ${sizeText(bytesTotal)}`
  return {
    title,
    fraction: bytes === 0 || total === null ? null : bytes / total,
    figures: [
      sizes,
      ...(mergingMs === null
        ? [
            timeLeftText({ done: bytes, left, elapsedMs }),
            rateText({ done: rows, left: null, elapsedMs }, "rows"),
            counted(rows, "row"),
          ]
        : [counted(rows, "row"), `all sent, merging: ${duration(Math.floor(mergingMs / 1000))}`]),
    ].filter((figure) => figure !== null),
    waitText: null,
  }
}

const sizeOf = async (file: string): Promise<number> => {
  try {
    const found = await stat(file)
    if (!found.isDirectory()) return found.isFile() ? found.size : 0
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : String(error)
    throw usageError(`${file} cannot be read (${code}).`)
  }
  throw usageError(`${file} is a directory.`)
}

const againAdvice =
  "What was taken stays. Run the same command again: rows that are there already stay as they are."

const interrupted = (error: Error): CliError =>
  new CliError({
    code: "IMPORT_INTERRUPTED",
    message: error.message,
    exitCode: ExitCode.failed,
    nextStep: againAdvice,
  })
