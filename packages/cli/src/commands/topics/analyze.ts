// `footfall topics analyze`: what a web page is about, and the topics that come nearest to it.

import type { Command } from "commander"
import { connect } from "../../connection/connect.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { fieldsOption } from "../../output/output-format.ts"
import { printResult } from "../../output/print-result.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { examples } from "../examples.ts"

/** Adds the command to its group. */
export const addTopicsAnalyze = (topics: Command, terminal: Terminal): void => {
  topics
    .command("analyze")
    .description("read a web page and tell the topics it is about (kept if you are known)")
    .argument("<url>", "address of the page; without a scheme https")
    .addOption(fieldsOption())
    .addHelpText(
      "after",
      examples(
        "footfall topics analyze harbor-logistics.example",
        "footfall topics analyze https://harbor-logistics.example/freight --json | jq '.data.topics[].topicId'",
      ),
    )
    .action(async (address: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const url = /^[a-z][a-z0-9+.-]*:/i.test(address) ? address : `https://${address}`
      const client = await connect(terminal, command, "optional")
      const [{ patiently }, { sayWaits }] = await Promise.all([
        import("../../patience/patience.ts"),
        import("../../terminal/say-waits.ts"),
      ])

      // Two a minute are soon used up (spec 10.2), so a wait is said.
      const analysis = await patiently(
        () => client.topics.analyze({ url }, { retriesMax: 0 }),
        sayWaits(terminal),
      )

      await printResult(terminal, options, analysis, async (columns) => {
        const [{ drawn }, { SiteAnalysisView }] = await Promise.all([
          import("../../screens/drawn.ts"),
          import("../../screens/SiteAnalysisView.tsx"),
        ])
        return drawn(SiteAnalysisView, { url, analysis, screenColumns: columns }, columns)
      })
    })
}
