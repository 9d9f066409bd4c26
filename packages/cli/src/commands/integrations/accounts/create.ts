// `footfall integrations accounts create`: connects an account. The provider's key is asked for without
// showing it, or read from standard input; never from the command line, where everybody can see it.

import type { Command } from "commander"
import { connect } from "../../../connection/connect.ts"
import type { GlobalOptions } from "../../../connection/global-options.ts"
import { readSecretInput } from "../../../connection/secret-input.ts"
import { usageError } from "../../../errors/usage-error.ts"
import { printResult } from "../../../output/print-result.ts"
import { lines } from "../../../terminal/lines.ts"
import { canAsk, type Terminal } from "../../../terminal/terminal.ts"
import { examples } from "../../examples.ts"
import { accountSentence } from "./account-form.ts"

/** As commander hands them over. */
interface CreateOptions extends GlobalOptions {
  readonly name?: string
  readonly providerUrl?: string
  readonly keyStdin?: true
}

/** Adds the command to its group. */
export const addAccountsCreate = (accounts: Command, terminal: Terminal): void => {
  accounts
    .command("create")
    .summary("connect an account of a mailing-list provider")
    .description(
      "Connect an account of a mailing-list provider. Its key is asked for, unless --key-stdin is given.",
    )
    .option("--name <name>", "to know the account by")
    .option("--provider-url <url>", "where the provider is; the server's own otherwise")
    .option("--key-stdin", "read the provider's key from standard input")
    .addHelpText(
      "after",
      examples(
        "footfall integrations accounts create --name Newsletter",
        "footfall integrations accounts create --key-stdin --provider-url https://lists.example/api < key.txt",
      ),
    )
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<CreateOptions>()
      const client = await connect(terminal, command, "accessToken")
      const apiKey = await givenKey(terminal, options)
      const { name: accountName, providerUrl: baseUrl } = options

      const account = await client.integrations.connect({
        appSlug: "mailer",
        accountName,
        credentials: { apiKey, baseUrl },
      })

      await printResult(terminal, options, account, () => lines(accountSentence(account)))
    })
}

const givenKey = async (terminal: Terminal, { keyStdin }: CreateOptions): Promise<string> => {
  const isSent = keyStdin === true && !terminal.stdin.isTTY
  const key = isSent ? await readSecretInput(terminal) : await asked(terminal)
  if (key.trim() !== "") return key.trim()
  throw usageError(
    "The provider's key is empty.",
    "Send it on standard input: … --key-stdin < key.txt",
  )
}

const asked = async (terminal: Terminal): Promise<string> => {
  if (!canAsk(terminal)) {
    throw usageError(
      "There is no terminal to ask for the provider's key on.",
      "Send it on standard input: footfall integrations accounts create --key-stdin < key.txt",
    )
  }
  const { ask } = await import("../../../terminal/ask.tsx")
  return ask(terminal, { question: "Provider's key", isHidden: true })
}
