// `footfall import`: sends a file of topics, signals, people or identity links to the server. Ends with 3
// when some rows were rejected; all others are in.

import type { ImportFormat, ImportKind } from "@footfall/sdk"
import { Argument, InvalidArgumentError, Option, type Command } from "commander"
import { extname } from "node:path"
import { connect } from "../../connection/connect.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { exitCodeOf } from "../../errors/exit-code.ts"
import { usageError } from "../../errors/usage-error.ts"
import { csvHeader, csvRow } from "../../output/csv.ts"
import { printResult } from "../../output/print-result.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { examples } from "../examples.ts"

/** As commander hands them over. */
interface ImportOptions extends GlobalOptions {
  readonly format?: ImportFormat
  readonly shared?: true
  readonly rejected?: string
}

/** Source: spec 2.19. */
const kinds = ["topics", "signals", "people", "identity-links"] satisfies ReadonlyArray<ImportKind>

/** What the command takes and does. */
export const defineImport = (command: Command, terminal: Terminal): void => {
  command
    .description(
      "Send a file of any size to the server: CSV with a header row, or NDJSON with an object a\n" +
        "line. A row that cannot be taken stops nothing and is reported. Sending a file again\n" +
        "changes nothing. Topics come before the signals of them; a topic, and what --shared\n" +
        "marks, is for every organization, and only the operator's owners may send it.",
    )
    .addArgument(
      new Argument("<kind>", `what the rows are: ${kinds.join(", ")} (or links)`).argParser(kindOf),
    )
    .argument("<file>", "the file, or `-` for standard input")
    .addOption(
      new Option(
        "--format <format>",
        "form of the rows (default: by the name of the file)",
      ).choices(["csv", "ndjson"]),
    )
    .option("--shared", "people and links for every organization of the server (operator only)")
    .option("--rejected <file>", "write the rejected rows to this file, as CSV")
    .addHelpText(
      "after",
      examples(
        "footfall import topics topics.csv",
        "footfall import signals signals-2026-03-10.ndjson",
        "footfall import people people.csv",
        "footfall import people crm.ndjson --rejected rejected.csv",
        "zcat links.csv.gz | footfall import links - --format csv",
      ),
    )
    .action(async (kind: ImportKind, file: string) => {
      const options = command.optsWithGlobals<ImportOptions>()
      const format = options.format ?? formatByName(file)
      const client = await connect(terminal, command, "accessToken")
      const { runImport } = await import("../../import/run-import.ts")
      const shared = options.shared === true

      const result = await runImport(terminal, client, { kind, file, format, shared })

      if (options.rejected !== undefined) {
        const columns = ["row", "field", "reason"]
        const rows = result.rejected.map((rejection) => csvRow(columns, rejection))
        const { default: files } = await import("node:fs/promises")
        await files.writeFile(options.rejected, csvHeader(columns) + rows.join(""))
      }
      await printResult(terminal, options, result, async (columns) => {
        const [{ drawn }, { ImportView }] = await Promise.all([
          import("../../screens/drawn.ts"),
          import("../../screens/ImportView.tsx"),
        ])
        return drawn(ImportView, { result, screenColumns: columns }, columns)
      })
      const { received, rejectedCount } = result
      terminal.endWith(exitCodeOf({ taken: received - rejectedCount, rejected: rejectedCount }))
    })
}

/** The kind as the API calls it. Errors: InvalidArgumentError. */
const kindOf = (text: string): ImportKind => {
  const kind = kinds.find((one) => one === (text === "links" ? "identity-links" : text))
  if (kind !== undefined) return kind
  throw new InvalidArgumentError(`Allowed choices are ${kinds.join(", ")}.`)
}

/** Errors: usage, for a name that does not say. */
const formatByName = (file: string): ImportFormat => {
  const extension = extname(file).toLowerCase()
  if (extension === ".csv") return "csv"
  if (extension === ".ndjson" || extension === ".jsonl") return "ndjson"
  throw usageError(
    "The name of the file does not say whether its rows are CSV or NDJSON.",
    "Add --format csv or --format ndjson.",
  )
}
