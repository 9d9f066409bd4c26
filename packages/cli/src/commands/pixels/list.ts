// `footfall pixels list`: every pixel of the organization.

import type { Pixel } from "@footfall/sdk"
import type { Command } from "commander"
import { connect } from "../../connection/connect.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { csvHeader, csvRow } from "../../output/csv.ts"
import { jsonDocument, jsonLine } from "../../output/json.ts"
import { outputFormat, outputOption, type OutputFormat } from "../../output/output-format.ts"
import { screenColumns, writeOut, type Terminal } from "../../terminal/terminal.ts"
import { examples } from "../examples.ts"

/** Adds the command to its group. */
export const addPixelsList = (pixels: Command, terminal: Terminal): void => {
  pixels
    .command("list")
    .description("list the pixels and when each last heard something")
    .addOption(outputOption())
    .addHelpText(
      "after",
      examples(
        "footfall pixels list",
        "footfall pixels list --json | jq -r '.data[] | select(.status == \"paused\") | .domain'",
      ),
    )
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { readonly output?: OutputFormat }>()
      const format = outputFormat(options, terminal)
      const client = await connect(terminal, command)
      const rows = await client.pixels.list()
      await writeOut(terminal, await texts[format](rows, terminal))
    })
}

type ToText = (pixels: ReadonlyArray<Pixel>, terminal: Terminal) => string | Promise<string>

const tableText: ToText = async (pixels, terminal) => {
  const [{ drawn }, { PixelTable }] = await Promise.all([
    import("../../screens/drawn.ts"),
    import("../../screens/PixelTable.tsx"),
  ])
  const columns = screenColumns(terminal)
  return drawn(PixelTable, { pixels, now: terminal.now, screenColumns: columns }, columns)
}

const texts: Record<OutputFormat, ToText> = {
  table: tableText,
  json: (pixels) => jsonDocument({ data: pixels }),
  ndjson: (pixels) => pixels.map(jsonLine).join(""),
  csv: (pixels) =>
    csvHeader(pixelColumns) + pixels.map((pixel) => csvRow(pixelColumns, pixel)).join(""),
}

/** The fields of a pixel (decisions.md 2.3); the settings as one JSON cell. */
const pixelColumns = [
  "id",
  "domain",
  "name",
  "status",
  "pausedReason",
  "excludedPaths",
  "includedPaths",
  "settings",
  "verifiedAt",
  "lastEventAt",
  "createdAt",
  "updatedAt",
] as const
