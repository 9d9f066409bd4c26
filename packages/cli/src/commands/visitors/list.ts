// `footfall visitors list`: the visitors of a window, newest activity first. One page of 50 unless
// --limit or --all asks for more. Tables, NDJSON and CSV come page by page in constant memory; a
// JSON document is printed whole or not at all.

import type { VisitorListMeta } from "@footfall/sdk"
import { InvalidArgumentError, Option, type Command } from "commander"
import { connect } from "../../connection/connect.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { csvHeader, csvRow } from "../../output/csv.ts"
import { jsonLine, jsonListDocument, jsonRows } from "../../output/json.ts"
import { outputFormat, outputOption, type OutputFormat } from "../../output/output-format.ts"
import { screenColumns, writeOut, type Terminal } from "../../terminal/terminal.ts"
import { examples } from "../examples.ts"
import {
  addQuestionOptions,
  questionParams,
  windowInWords,
  type QuestionOptions,
} from "./question.ts"
import { visitorColumns } from "./visitor-columns.ts"
import { visitorPages, type VisitorPage } from "./visitor-pages.ts"

/** As commander hands them over. */
interface ListOptions extends GlobalOptions, QuestionOptions {
  readonly page?: number
  readonly limit?: number
  readonly all?: true
  readonly output?: OutputFormat
}

/** The API accepts any page; beyond this a number is a slip of the hand. */
const PAGE_MAX = 1_000_000

/** Rows `--limit` may ask for; `--all` has no bound. */
const LIMIT_MAX = 1_000_000

/** Adds the command to its group. */
export const addVisitorsList = (visitors: Command, terminal: Terminal): void => {
  const list = visitors.command("list").description("list visitors, newest activity first")
  addQuestionOptions(list, "7d")
    .addOption(
      new Option("--page <number>", "page to start at, 50 visitors each")
        .argParser(wholeNumber(PAGE_MAX))
        .conflicts("all"),
    )
    .addOption(
      new Option("--limit <count>", "at most this many visitors, over several pages")
        .argParser(wholeNumber(LIMIT_MAX))
        .conflicts("all"),
    )
    .option("--all", "every visitor of the window")
    .addOption(outputOption())
    .addHelpText(
      "after",
      examples(
        "footfall visitors list",
        "footfall visitors list --timeframe 30d --domain example.com --suppressed exclude",
        "footfall visitors list --limit 10 --json | jq '.data[].email'",
        "footfall visitors list --all --output csv > visitors.csv",
        "footfall visitors list --all --output ndjson | jq -c 'select(.pricingPageViews > 0)'",
      ),
    )
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<ListOptions>()
      const format = outputFormat(options, terminal)
      const client = await connect(terminal, command)
      const first = client.visitors.list({ ...questionParams(options), page: options.page })
      const rowsMax = options.limit ?? (options.all ? Infinity : null)
      await printers[format](terminal, visitorPages(first.pages(), rowsMax), options)
    })
}

type Printer = (
  terminal: Terminal,
  pages: AsyncIterable<VisitorPage>,
  options: ListOptions,
) => Promise<void>

const printTable: Printer = async (terminal, pages, { timeframe }) => {
  const [{ drawn }, { VisitorTable }] = await Promise.all([
    import("../../screens/drawn.ts"),
    import("../../screens/VisitorTable.tsx"),
  ])
  const columns = screenColumns(terminal)
  let separator = ""
  for await (const { data, meta } of pages) {
    const props = {
      visitors: data,
      meta,
      window: windowInWords(timeframe),
      now: terminal.now,
      screenColumns: columns,
    }
    await writeOut(terminal, separator + drawn(VisitorTable, props, columns))
    separator = "\n"
  }
}

const printJson: Printer = async (terminal, pages) => {
  const rows: Array<string> = []
  let meta: Partial<VisitorListMeta> = {}
  for await (const page of pages) {
    if (page.data.length > 0) rows.push(jsonRows(page.data))
    // What lies behind the rows is said by the last page, where they begin by the first.
    meta = { ...page.meta, page: meta.page ?? page.meta.page }
  }
  for (const text of jsonListDocument(rows, meta)) await writeOut(terminal, text)
}

const printNdjson: Printer = async (terminal, pages) => {
  for await (const { data } of pages) await writeOut(terminal, data.map(jsonLine).join(""))
}

const printCsv: Printer = async (terminal, pages) => {
  await writeOut(terminal, csvHeader(visitorColumns))
  for await (const { data } of pages) {
    await writeOut(terminal, data.map((visitor) => csvRow(visitorColumns, visitor)).join(""))
  }
}

const printers: Record<OutputFormat, Printer> = {
  table: printTable,
  json: printJson,
  ndjson: printNdjson,
  csv: printCsv,
}

const wholeNumber =
  (max: number) =>
  (text: string): number => {
    const number = Number(text)
    if (/^[0-9]+$/.test(text) && number >= 1 && number <= max) return number
    throw new InvalidArgumentError(`Expected a whole number from 1 to ${max}.`)
  }
