// `footfall topics facets`: how the catalogue is made up.

import type { Command } from "commander"
import { connect } from "../../connection/connect.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { fieldsOption, outputOption, type OutputFormat } from "../../output/output-format.ts"
import { printRows } from "../../output/print-rows.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { examples } from "../examples.ts"

/** Adds the command to its group. */
export const addTopicsFacets = (topics: Command, terminal: Terminal): void => {
  topics
    .command("facets")
    .description("count the topics of each type, industry and category")
    .addOption(outputOption())
    .addOption(fieldsOption())
    .addHelpText(
      "after",
      examples("footfall topics facets", "footfall topics facets --output csv > facets.csv"),
    )
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { readonly output?: OutputFormat }>()
      const client = await connect(terminal, command, "optional")

      const facets = await client.topics.facets()

      await printRows(terminal, options, {
        data: facets,
        rows: [
          ...facets.types.map((each) => ({ facet: "type", ...each })),
          ...facets.industries.map((each) => ({ facet: "industry", ...each })),
          ...facets.categories.map((each) => ({ facet: "category", ...each })),
        ],
        csvColumns: ["facet", "value", "count"],
        drawn: async (columns) => {
          const [{ drawn }, { TopicFacetsView }] = await Promise.all([
            import("../../screens/drawn.ts"),
            import("../../screens/TopicFacetsView.tsx"),
          ])
          return drawn(TopicFacetsView, { facets, screenColumns: columns }, columns)
        },
      })
    })
}
