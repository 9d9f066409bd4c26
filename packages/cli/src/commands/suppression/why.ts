// `footfall suppression why`: whether a person is suppressed, and by which rules. An address that no visitor
// has is answered from the rules.

import type { Command } from "commander"
import { connect } from "../../connection/connect.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { fieldsOption } from "../../output/output-format.ts"
import { printResult } from "../../output/print-result.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { examples } from "../examples.ts"
import { visitorNamed } from "../visitors/visitor-id.ts"

/** Adds the command to its group. */
export const addSuppressionWhy = (suppression: Command, terminal: Terminal): void => {
  suppression
    .command("why")
    .summary("tell whether a person is suppressed, and by which rules")
    .description(
      "Tell whether a person is suppressed, and by which rules. An address that no visitor has is\n" +
        "answered from the rules for addresses and domains.",
    )
    .argument("<person>", "any of their addresses, or the hash of one")
    .addOption(fieldsOption())
    .addHelpText(
      "after",
      examples(
        "footfall suppression why nadia.osei@northwind-robotics.example",
        "footfall suppression why someone@acme.example --json | jq .data.suppressed",
      ),
    )
    .action(async (person: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const { id, name } = await visitorNamed(person)
      const client = await connect(terminal, command)

      const { whySuppressed } = await import("../../suppression/why-suppressed.ts")

      const why = await whySuppressed(client, { id, name })

      const data = { visitorId: id, ...why }
      await printResult(terminal, options, data, async (columns) => {
        const [{ drawn }, { SuppressionWhyView }] = await Promise.all([
          import("../../screens/drawn.ts"),
          import("../../screens/SuppressionWhyView.tsx"),
        ])
        const props = { name, ...why, now: terminal.now, screenColumns: columns }
        return drawn(SuppressionWhyView, props, columns)
      })
    })
}
