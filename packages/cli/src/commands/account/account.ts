// `footfall account`: what the organization has, has used and may use.

import type { Command } from "commander"
import { connect } from "../../connection/connect.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { printResult } from "../../output/print-result.ts"
import { fieldsOption } from "../../output/output-format.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { examples } from "../examples.ts"

/** What the command takes and does. */
export const defineAccount = (command: Command, terminal: Terminal): void => {
  command
    .addOption(fieldsOption())
    .addHelpText(
      "after",
      examples("footfall account", "footfall account --json | jq .data.credits.remaining"),
    )
    .action(async () => {
      const client = await connect(terminal, command)
      const account = await client.account.get()
      const options = command.optsWithGlobals<GlobalOptions>()
      await printResult(terminal, options, account, async (columns) => {
        const [{ drawn }, { AccountView }] = await Promise.all([
          import("../../screens/drawn.ts"),
          import("../../screens/AccountView.tsx"),
        ])
        return drawn(AccountView, { account, screenColumns: columns }, columns)
      })
    })
}
