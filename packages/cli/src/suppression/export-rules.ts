// Writes every rule, page by page, in constant memory. The file gets its name once it is complete.

import { defused } from "@footfall/normal-form/reading"
import type { Footfall, SuppressionListParams, SuppressionRule } from "@footfall/sdk"
import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from "node:fs"
import { usageError } from "../errors/cli-error.ts"
import { csvHeader, csvRow } from "@footfall/normal-form/csv"
import { jsonLine } from "../output/json.ts"
import { pagesWithRetries } from "../retry/retry.ts"
import { removeDeadDrafts } from "../profiles/file-lock.ts"
import { countText, rateText, timeLeftText } from "../ui/text.ts"
import { writeSafe, type Terminal } from "../terminal/terminal.ts"
import { showWork, silentWork, type WorkState } from "../terminal/work.ts"

/** What to write, where to, and how. */
export interface RuleExport {
  /** A path, or `-` for standard output. */
  readonly file: string
  readonly format: "csv" | "ndjson"
  /** Whether to overwrite an existing file. */
  readonly isOverwriting: boolean
  readonly filter: Pick<SuppressionListParams, "type" | "q">
}

/** The server's maximum per page (spec 1.6). */
const PAGE_SIZE = 5_000

const columns = ["type", "value", "createdAt"]

/** Errors: usage, if the file already exists; those of the server and the file system. */
export const exportRules = async (
  terminal: Terminal,
  client: Footfall,
  { file, format, isOverwriting, filter }: RuleExport,
): Promise<{ readonly rules: number; readonly bytes: number }> => {
  if (file !== "-" && existsSync(file) && !isOverwriting) {
    throw usageError(`File already exists: ${file}`, "Add --overwrite to replace it.")
  }
  const done = { rules: 0, bytes: 0, total: 0 }
  const sink = file === "-" ? streamSink(terminal) : fileSink(file)
  const write = async (text: string): Promise<void> => {
    await sink.write(text)
    done.bytes += Buffer.byteLength(text)
  }
  const isOnScreen = file === "-" && terminal.stdout.isTTY
  const work = isOnScreen ? silentWork : await showWork(terminal, exportState(file, done))
  try {
    const list = client.suppression.list({ ...filter, limit: PAGE_SIZE }, { maxRetries: 0 })
    let heading = format === "csv" ? csvHeader(columns) : ""
    for await (const { data, meta } of pagesWithRetries(list, work.waiting)) {
      await write(heading + data.map((rule) => rowText(format, rule)).join(""))
      heading = ""
      done.rules += data.length
      done.total = meta.filteredTotal
      work.update()
    }
    sink.finish()
  } catch (error) {
    sink.forget()
    throw error
  } finally {
    work.end()
  }
  return done
}

const exportState =
  (file: string, done: { readonly rules: number; readonly total: number }): WorkState =>
  (elapsedMs) => {
    const { rules, total } = done
    const advance = { done: rules, left: total - rules, elapsedMs }
    return {
      title: `Exporting rules to ${file === "-" ? "standard output" : file}`,
      fraction: total === 0 ? null : rules / total,
      figures: [
        `${countText(rules)} of ${countText(total)} rules`,
        rateText(advance, "rules"),
        timeLeftText(advance),
      ].filter((figure) => figure !== null),
    }
  }

const rowText = (format: RuleExport["format"], rule: SuppressionRule): string =>
  format === "csv" ? csvRow(columns, { ...rule, value: defused(rule.value) }) : jsonLine(rule)

/** Where the text goes. `forget` leaves nothing behind. */
interface Sink {
  readonly write: (text: string) => void | Promise<void>
  readonly finish: () => void
  readonly forget: () => void
}

const streamSink = (terminal: Terminal): Sink => ({
  write: (text) => writeSafe(terminal, text),
  finish: () => {},
  forget: () => {},
})

const fileSink = (file: string): Sink => {
  removeDeadDrafts(file)
  const part = `${file}.${process.pid}.part`
  const descriptor = openSync(part, "w", 0o600)
  const forget = (): void => rmSync(part, { force: true })
  // Ctrl-C ends the process during the work.
  process.once("exit", forget)
  return {
    write: (text) => {
      const bytes = Buffer.from(text)
      for (let at = 0; at < bytes.length;) at += writeSync(descriptor, bytes, at)
    },
    finish: () => {
      fsyncSync(descriptor)
      closeSync(descriptor)
      renameSync(part, file)
      process.off("exit", forget)
    },
    forget,
  }
}
