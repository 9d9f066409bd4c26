// `footfall topics analyses`: the analyses of sites that were kept.

import type { ListMeta, StoredSiteAnalysis } from "@footfall/sdk"
import type { Command } from "commander"
import { connect } from "../../connection/connect.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { limitedPages } from "../../output/limited-pages.ts"
import { outputOf } from "../../output/output-format.ts"
import { printList, type ListForm } from "../../output/print-list.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { examples } from "../examples.ts"
import { addListOptions, rowsMax, type ListOptions } from "../list-options.ts"

/** Adds the command to its group. */
export const addTopicsAnalyses = (topics: Command, terminal: Terminal): void => {
  addListOptions(
    topics
      .command("analyses")
      .description("list the analyses that were kept, newest first (needs a key or a log-in)"),
    "analyses",
  )
    .addHelpText(
      "after",
      examples(
        "footfall topics analyses",
        "footfall topics analyses --limit 1 --json | jq '.data[0].topics'",
      ),
    )
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & ListOptions>()
      const output = outputOf(options, terminal)
      const client = await connect(terminal, command, "either")
      const pages = limitedPages(client.siteTopics.list().pages(), rowsMax(options))
      await printList(terminal, output, pages, analysisListForm(terminal))
    })
}

const analysisListForm = (terminal: Terminal): ListForm<StoredSiteAnalysis, ListMeta> => ({
  csvColumns: ["id", "url", "company", "summary", "keywords", "topics", "createdAt"],
  drawn: async ({ data, meta }, columns) => {
    const [{ drawn }, { SiteAnalysisTable }] = await Promise.all([
      import("../../screens/drawn.ts"),
      import("../../screens/SiteAnalysisTable.tsx"),
    ])
    const props = { analyses: data, meta, now: terminal.now, screenColumns: columns }
    return drawn(SiteAnalysisTable, props, columns)
  },
})
