// `footfall keys create`: makes an API key. Its secret is printed once, or kept in the profile without
// being printed at all.

import { InvalidArgumentError, Option, type Command } from "commander"
import { clientOf } from "../../connection/connect.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { settle, type Settled } from "../../connection/settle.ts"
import { usageError } from "../../errors/usage-error.ts"
import { printResult } from "../../output/print-result.ts"
import { requireProfile, withProfile } from "../../profiles/profile.ts"
import { lines } from "../../terminal/lines.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { examples } from "../examples.ts"

/** As commander hands them over. */
interface CreateOptions extends GlobalOptions {
  readonly expiresAt?: string
  readonly save?: true
}

/** Adds the command to its group. */
export const addKeysCreate = (keys: Command, terminal: Terminal): void => {
  keys
    .command("create")
    .summary("make an API key; its secret is shown once")
    .description(
      "Make an API key. Its secret is shown once: keep it at once, it cannot be shown again.\n" +
        "With --save it is kept in the profile and not shown.",
    )
    .argument("<name>", "what the key is for")
    .addOption(
      new Option("--expires-at <moment>", "when it ends, for example 2027-01-31").argParser(moment),
    )
    .option("--save", "keep it in the profile in place of showing it")
    .addHelpText(
      "after",
      examples(
        "footfall keys create laptop --save",
        "footfall keys create ci --expires-at 2027-01-31",
        "footfall keys create crm --json | jq -r .data.secret | secret-store put footfall",
      ),
    )
    .action(async (name: string, _options, command: Command) => {
      const options = command.optsWithGlobals<CreateOptions>()
      const settled = await settle(terminal, command)
      const profile = settled.settings.sessionProfile
      if (options.save && profile === undefined) {
        throw usageError("--save needs a profile that is logged in.", "Run: footfall login")
      }
      const client = await clientOf(settled, "accessToken")

      const { apiKey, secret } = await client.apiKeys.create({ name, expiresAt: options.expiresAt })

      if (options.save && profile !== undefined) {
        await keep(settled, profile, secret)
        return printResult(terminal, options, { apiKey, profile }, () =>
          lines(`The key ${name} is made and kept in the profile ${profile}.`),
        )
      }
      await printResult(terminal, options, { apiKey, secret }, () =>
        lines(
          `The key ${name} is made. This is its secret, shown only now:`,
          "",
          `  ${secret}`,
          "",
          "Whoever has it can read your visitors. Keep it where secrets are kept, never in a page.",
        ),
      )
    })
}

const keep = async ({ file }: Settled, name: string, apiKey: string): Promise<void> => {
  await file.change(
    () => {},
    (profiles) => withProfile(profiles, name, { ...requireProfile(profiles, name), apiKey }),
  )
}

/** Any moment a date can be read from. Errors: InvalidArgumentError. */
const moment = (text: string): string => {
  const at = /^\d{4}-\d{2}-\d{2}/.test(text) ? new Date(text) : null
  if (at !== null && !Number.isNaN(at.getTime())) return at.toISOString()
  throw new InvalidArgumentError("Expected a date, for example 2027-01-31.")
}
