// `footfall suppression why`: whether a person is suppressed, and by which rules.

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
    .description("tell whether a visitor is suppressed, and by which rules")
    .argument("<person>", "any of their addresses, or the hash of one")
    .addOption(fieldsOption())
    .addHelpText(
      "after",
      examples("footfall suppression why nadia.osei@northwind-robotics.example"),
    )
    .action(async (person: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const { id, name } = await visitorNamed(person)
      const client = await connect(terminal, command)

      const { suppressed, rules } = await client.suppression.ofVisitor(id)

      const data = { visitorId: id, suppressed, rules }
      await printResult(terminal, options, data, async (columns) => {
        const [{ drawn }, { SuppressionWhyView }] = await Promise.all([
          import("../../screens/drawn.ts"),
          import("../../screens/SuppressionWhyView.tsx"),
        ])
        const props = { name, suppressed, rules, now: terminal.now, screenColumns: columns }
        return drawn(SuppressionWhyView, props, columns)
      })
    })
}
