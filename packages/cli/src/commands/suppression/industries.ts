// `footfall suppression industries`: the exact labels that identified visitors carry, to write rules by.

import type { Command } from "commander"
import { connect } from "../../connection/connect.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { printRows } from "../../output/print-rows.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { examples } from "../examples.ts"
import { addBoundedListOptions, boundedLimit, type ListOptions } from "../list-options.ts"

/** As commander hands them over. */
type IndustriesOptions = GlobalOptions & ListOptions

/** Source: spec 5.5. */
const bound = { default: 100, max: 1_000 }

/** Adds the command to its group. */
export const addSuppressionIndustries = (suppression: Command, terminal: Terminal): void => {
  const list = suppression
    .command("industries")
    .description("list the industries of identified visitors, those with the most visitors first")
  addBoundedListOptions(list, "industries", bound)
    .addHelpText("after", examples("footfall suppression industries --limit 20"))
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<IndustriesOptions>()
      const client = await connect(terminal, command)
      const { data, meta } = await client.suppression.industries({
        limit: boundedLimit(options, bound),
      })
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
