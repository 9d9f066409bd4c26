// Reads whole files before sending anything: writes the rules to a spool on disk and records invalid rows. Memory does
// not grow with the files, except for 8 bytes per rule.

import { setImmediate } from "node:timers/promises"
import { setFlagsFromString } from "node:v8"
import {
  type Layout,
  layoutOf,
  ReadingError,
  readRows,
  Tally,
  REPORTED_MAX,
} from "@footfall/normal-form/reading"
import type { SuppressionRuleType } from "@footfall/sdk"
import { usageError } from "../errors/cli-error.ts"
import type { Terminal } from "../terminal/terminal.ts"
import type { FileRejection, Prepared, PreparedFile } from "./prepared.ts"
import { RejectedFile } from "./rejected-file.ts"
import type { SpoolWriter } from "./rule-spool.ts"
import { openSource, type SourceFile, sourceName } from "./source-file.ts"

/**
 * Stops the young generation from growing, and starts a full collection when the old one has grown by a fifth, so that
 * a large import needs a third less memory.
 */
export const keepHeapSmall = (): void =>
  setFlagsFromString("--semi-space-growth-factor=1 --heap-growing-percent=20")

/** What to read, and how. */
export interface PrepareRequest {
  /** Paths; `-` is standard input. */
  readonly files: ReadonlyArray<string>
  readonly type: SuppressionRuleType | undefined
  readonly column: string | undefined
  /** Rows of other types are rejected; undefined accepts all. */
  readonly types: ReadonlyArray<SuppressionRuleType> | undefined
  /** Where the rejected rows of each file go; null writes none. */
  readonly rejectedFiles: ReadonlyArray<string | null>
}

/** Receives the progress. */
interface PrepareListener {
  readonly onBytes: (count: number) => void
  readonly onRows: (figures: { readonly rows: number; readonly rejectedCount: number }) => void
}

/** Errors: usage, for invalid input, with the line. The spool is unusable then. */
export const prepare = async (
  terminal: Terminal,
  request: PrepareRequest,
  spool: SpoolWriter,
  listener: PrepareListener,
): Promise<Prepared> => {
  const tally = new Tally(request.types)
  const files: Array<PreparedFile> = []
  const rejected: Array<FileRejection> = []
  for (const [index, file] of request.files.entries()) {
    const path = request.rejectedFiles[index] ?? null
    const rejectedFile = path === null ? null : new RejectedFile(path)
    const before = { rows: tally.rows, rejectedCount: tally.rejectedCount }
    try {
      const source = await openSource(terminal, file, listener.onBytes)
      const layout = layoutOf({
        head: source.head.toString("utf8"),
        isWhole: source.isHeadWhole,
        name: sourceName(file),
        type: request.type,
        column: request.column,
      })
      for await (const rows of readRows(source.chunks, layout, sourceName(file))) {
        for (const row of rows) {
          const result = tally.take(row)
          if (result === null) continue
          if ("reason" in result) {
            if (rejected.length < REPORTED_MAX) rejected.push({ file, ...result })
            rejectedFile?.add(result)
          } else spool.add({ ...result, file: index, line: row.line })
        }
        listener.onRows(tally)
        // Lets the progress be drawn and Ctrl-C be handled, because the disk is faster than this loop.
        await setImmediate()
      }
      const rejectedBytes = rejectedFile?.finish() ?? 0
      const rejectedCount = tally.rejectedCount - before.rejectedCount
      files.push({
        file,
        reading: readingText(source, layout),
        rows: tally.rows - before.rows,
        rejectedCount,
        rejectedFile: rejectedCount === 0 ? null : path,
        rejectedBytes,
      })
    } catch (error) {
      if (error instanceof ReadingError) {
        throw usageError(error.message, error.nextStep ?? optionsAdvice(error))
      }
      throw error
    } finally {
      rejectedFile?.forget()
    }
  }
  spool.close()
  return { ...tally.figures, files, rejected, isEmpty: tally.rows === 0 }
}

/** How many columns the advice offers. */
const CHOICES_MAX = 4

/** The options that tell what the file does not say. */
const optionsAdvice = ({ choices, missing }: ReadingError): string | undefined => {
  if (choices.length > 0) {
    const options = choices
      .slice(0, CHOICES_MAX)
      .map(({ column, type }) => `--column ${shellWord(column)} --type ${type}`)
    return `Add ${options.join(", or ")}.`
  }
  if (!missing.includes("column")) {
    return missing.length === 0
      ? undefined
      : "Add --type email, domain, company_domain or industry."
  }
  const isTypeMissing = missing.includes("type")
  return `Add --column with a name or a number${isTypeMissing ? ", and --type" : ""}.`
}

const shellWord = (text: string): string =>
  /^[\p{L}\p{N}_.-]+$/u.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`

const readingText = (source: SourceFile, { description }: Layout): string =>
  [
    description,
    source.encoding === "utf-8" ? null : source.encoding.slice(0, 6).toUpperCase(),
    source.isCompressed ? "gzip" : null,
  ]
    .filter((part) => part !== null)
    .join(", ")
