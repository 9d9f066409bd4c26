// `footfall integrations accounts get`: one connected account, as it was when it was last checked.

import type { Command } from "commander"
import { connect } from "../../../connection/connect.ts"
import type { GlobalOptions } from "../../../connection/global-options.ts"
import { CliError } from "../../../errors/cli-error.ts"
import { ExitCode } from "../../../errors/exit-code.ts"
import { factsText } from "../../../output/facts-text.ts"
import { fieldsOption } from "../../../output/output-format.ts"
import { printResult } from "../../../output/print-result.ts"
import { timeAgo } from "../../../screens/time.ts"
import type { Terminal } from "../../../terminal/terminal.ts"
import { examples } from "../../examples.ts"
import { accountId } from "../account-id.ts"

/** Adds the command to its group. */
export const addAccountsGet = (accounts: Command, terminal: Terminal): void => {
  accounts
    .command("get")
    .description("show one connected account")
    .argument("<id>", "id of the account", accountId)
    .addOption(fieldsOption())
    .addHelpText(
      "after",
      examples("footfall integrations accounts get 3f0c8a52-7f43-4a5e-9d0c-0d8f3c3b9a11"),
    )
    .action(async (id: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const client = await connect(terminal, command, "accessToken")

      const account = (await client.integrations.accounts()).find((one) => one.id === id)

      if (account === undefined) throw notThere(id)
      const text = factsText([
        ["App", account.appName],
        ["Name", account.accountName],
        ["Status", account.status],
        ["Checked", timeAgo(account.lastSyncedAt, terminal.now)],
        ["Id", account.id],
      ])
      await printResult(terminal, options, account, text)
    })
}

const notThere = (id: string): CliError =>
  new CliError({
    code: "NOT_FOUND",
    message: `This organization has no connected account ${id}.`,
    exitCode: ExitCode.notFound,
    nextStep: "Run: footfall integrations accounts list",
  })
