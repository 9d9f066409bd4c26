// Sends the import file and shows the progress.

import { createReadStream } from "node:fs"
import { stat } from "node:fs/promises"
import type { Footfall, ImportFormat, ImportKind, ImportResult } from "@footfall/sdk"
import { SLOW_TIMEOUT_MS } from "../connection/connect.ts"
import { CliError, ExitCode, unreadable, usageError } from "../errors/cli-error.ts"
import { isUnreachable } from "../retry/retry.ts"
import { showProgress } from "../terminal/work.ts"
import type { Terminal } from "../terminal/terminal.ts"
import type { ProgressScreenProps } from "../terminal/progress-on-screen.tsx"
import { counted, duration, rateText, sizeText, timeLeftText } from "../ui/text.ts"

const LINE_FEED = 0x0a

const QUOTE = 0x22

/** Rows whose line break was read. In CSV a line break inside quotes does not end a row, and the header does not count. */
export class RowCounter {
  readonly #isCsv: boolean
  #lines = 0
  #isQuoted = false

  constructor(format: ImportFormat) {
    this.#isCsv = format === "csv"
  }

  get rows(): number {
    return Math.max(0, this.#lines - (this.#isCsv ? 1 : 0))
  }

  /** Takes the next bytes. A chunk may end anywhere. */
  pass(bytes: Uint8Array): void {
    if (!this.#isCsv) {
      for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) {
        this.#lines += 1
      }
      return
    }
    for (const byte of bytes) {
      // A doubled quote toggles the state twice, which is correct.
      if (byte === QUOTE) this.#isQuoted = !this.#isQuoted
      else if (byte === LINE_FEED && !this.#isQuoted) this.#lines += 1
    }
  }
}

/** What to send, and its format. */
interface ImportRequest {
  readonly kind: ImportKind
  /** A path, or `-` for standard input. */
  readonly file: string
  readonly format: ImportFormat
  readonly shared: boolean
}

/** Bytes per read. */
const CHUNK_BYTES = 256 * 1024

/** Errors: usage, if the file does not exist; `IMPORT_INTERRUPTED`; those of the server. */
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
  const printInterrupted = (): void => {
    progress.end()
    terminal.stderr.write(`Interrupted. ${againAdvice}\n`)
  }
  terminal.atInterrupt.add(printInterrupted)
  try {
    return await client.imports.run(
      kind,
      chunks(),
      { format, shared },
      { timeoutMs: SLOW_TIMEOUT_MS },
    )
  } catch (error) {
    throw isUnreachable(error) && bytes > 0 ? interrupted(error) : error
  } finally {
    progress.end()
    terminal.atInterrupt.delete(printInterrupted)
  }
}

/** The progress screen's content. Pure. */
export const importProgress = (state: {
  readonly title: string
  readonly bytes: number
  /** Null if unknown, because the input is a pipe. */
  readonly bytesTotal: number | null
  readonly rows: number
  readonly elapsedMs: number
  /** Time since everything was sent and the server started merging; null before. */
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
        : [
            `all sent, the server is merging: ${duration(Math.floor(mergingMs / 1000))}`,
            counted(rows, "row"),
          ]),
    ].filter((figure) => figure !== null),
    waitText: null,
  }
}

const sizeOf = async (file: string): Promise<number> => {
  try {
    const found = await stat(file)
    if (!found.isDirectory()) return found.isFile() ? found.size : 0
  } catch (error) {
    throw unreadable(file, error)
  }
  throw usageError(`${file} is a directory.`)
}

const againAdvice =
  "Imported rows stay. Run the same command again; rows already imported do not change."

const interrupted = (error: Error): CliError =>
  new CliError({
    code: "IMPORT_INTERRUPTED",
    message: error.message,
    exitCode: ExitCode.failed,
    nextStep: againAdvice,
  })
