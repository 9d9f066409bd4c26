// `footfall suppression industries`: the exact labels that identified visitors carry, to write rules by.

import type { Command } from "commander"
import { Option } from "commander"
import { connect } from "../../connection/connect.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { fieldsOption, outputOption, type OutputFormat } from "../../output/output-format.ts"
import { printRows } from "../../output/print-rows.ts"
import type { Terminal } from "../../terminal/terminal.ts"
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
    .addOption(fieldsOption())
    .addHelpText("after", examples("footfall suppression industries --limit 20"))
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<IndustriesOptions>()
      const client = await connect(terminal, command)
      const { data, meta } = await client.suppression.industries({ limit: options.limit })
      await printRows(terminal, options, {
        data,
        meta,
        rows: data,
        csvColumns: ["value", "visitors", "suppressed"],
        drawn: async (columns) => {
          const [{ drawn }, { IndustryTable }] = await Promise.all([
            import("../../screens/drawn.ts"),
            import("../../screens/SuppressionIndustryTable.tsx"),
          ])
          return drawn(IndustryTable, { industries: data, meta, screenColumns: columns }, columns)
        },
      })
    })
}
