// `footfall suppression industries`: the exact labels that identified visitors carry, to write rules by.

import type { Command } from "commander"
import { Option } from "commander"
import { connect } from "../../connection/connect.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { csvHeader, csvRow } from "../../output/csv.ts"
import { jsonDocument, jsonLine } from "../../output/json.ts"
import { outputFormat, outputOption, type OutputFormat } from "../../output/output-format.ts"
import { screenColumns, writeOut, type Terminal } from "../../terminal/terminal.ts"
import { examples } from "../examples.ts"
import { wholeNumber } from "../whole-number.ts"

/** As commander hands them over. */
interface IndustriesOptions extends GlobalOptions {
  readonly limit?: number
  readonly output?: OutputFormat
}

/** Source: decisions.md 5.5. */
const LIMIT_MAX = 1_000

/** Adds the command to its group. */
export const addSuppressionIndustries = (suppression: Command, terminal: Terminal): void => {
  suppression
    .command("industries")
    .description("list the industries of identified visitors, those with the most visitors first")
    .addOption(
      new Option("--limit <count>", "at most this many (default: 100)").argParser(
        wholeNumber(LIMIT_MAX),
      ),
    )
    .addOption(outputOption())
    .addHelpText("after", examples("footfall suppression industries --limit 20"))
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<IndustriesOptions>()
      const format = outputFormat(options, terminal)
      const client = await connect(terminal, command)
      const { data, meta } = await client.suppression.industries({ limit: options.limit })
      const columns = ["value", "visitors", "suppressed"]
      const texts: Record<OutputFormat, () => string | Promise<string>> = {
        json: () => jsonDocument({ data, meta }),
        ndjson: () => data.map(jsonLine).join(""),
        csv: () => csvHeader(columns) + data.map((industry) => csvRow(columns, industry)).join(""),
        table: async () => {
          const [{ drawn }, { IndustryTable }] = await Promise.all([
            import("../../screens/drawn.ts"),
            import("../../screens/SuppressionIndustryTable.tsx"),
          ])
          const width = screenColumns(terminal)
          return drawn(IndustryTable, { industries: data, meta, screenColumns: width }, width)
        },
      }
      await writeOut(terminal, await texts[format]())
    })
}
