// `footfall import`: imports a file of topics, signals, people or identity links. Exits with 3 if some rows were
// rejected; all others are imported.

import { extname } from "node:path"
import type { ImportFormat, ImportKind } from "@footfall/sdk"
import { Argument, InvalidArgumentError, Option } from "commander"
import { define } from "../command/define.ts"
import { exitCodeOf, usageError } from "../errors/cli-error.ts"
import { csvHeader, csvRow } from "@footfall/normal-form/csv"
import { view } from "../output/print-result.ts"

interface ImportOptions {
  readonly format?: ImportFormat
  readonly shared?: true
  readonly rejected?: string
}

/** Source: spec 2.19. */
const kinds = ["topics", "signals", "people", "identity-links"] satisfies ReadonlyArray<ImportKind>

export const importCommand = define<ImportOptions, [kind: ImportKind, file: string]>("import", {
  takes: (command) =>
    command
      .description(
        "Import a file of any size: CSV with a header row, or NDJSON with one object per\n" +
          "line. Invalid rows are skipped and reported. Importing a file again changes\n" +
          "nothing. Import topics before their signals. Topics, and rows imported with --shared,\n" +
          "belong to every organization; only owners of the operator's organization can import them.",
      )
      .addArgument(
        new Argument("<kind>", `kind of the rows: ${kinds.join(", ")} (or links)`).argParser(
          kindOf,
        ),
      )
      .argument("<file>", "the file, or `-` for standard input")
      .addOption(
        new Option("--format <format>", "format of the rows (default: from the file name)").choices(
          ["csv", "ndjson"],
        ),
      )
      .option("--shared", "share people and links with every organization (operator only)")
      .option("--rejected <file>", "write the rejected rows to this file, as CSV"),
  examples: [
    "footfall import topics topics.csv",
    "footfall import signals signals-2026-03-10.ndjson",
    "footfall import people people.csv",
    "footfall import people crm.ndjson --rejected rejected.csv",
    "zcat links.csv.gz | footfall import links - --format csv",
  ],
  credential: "accessToken",
  run: async ({ connect, options, print, terminal }, kind, file) => {
    const format = options.format ?? formatByName(file)
    const client = await connect()
    const { runImport } = await import("./run-import.ts")
    const shared = options.shared === true

    const result = await runImport(terminal, client, { kind, file, format, shared })

    if (options.rejected !== undefined) {
      const columns = ["row", "field", "reason"]
      const rows = result.rejected.map((rejection) => csvRow(columns, rejection))
      const { default: files } = await import("node:fs/promises")
      await files.writeFile(options.rejected, csvHeader(columns) + rows.join(""))
    }
    await print(
      result,
      view(async () => (await import("./ImportView.tsx")).ImportView, { result }),
    )
    const { received, rejectedCount } = result
    terminal.endWith(exitCodeOf({ accepted: received - rejectedCount, rejected: rejectedCount }))
  },
})

/** The API's name for the kind. Errors: InvalidArgumentError. */
const kindOf = (text: string): ImportKind => {
  const kind = kinds.find((one) => one === (text === "links" ? "identity-links" : text))
  if (kind !== undefined) return kind
  throw new InvalidArgumentError(`Use one of: ${kinds.join(", ")}.`)
}

/** Errors: usage, if the file name does not tell the format. */
const formatByName = (file: string): ImportFormat => {
  const extension = extname(file).toLowerCase()
  if (extension === ".csv") return "csv"
  if (extension === ".ndjson" || extension === ".jsonl") return "ndjson"
  throw usageError(
    "Can't tell from the file name whether the rows are CSV or NDJSON.",
    "Add --format csv or --format ndjson.",
  )
}
