// The options that say where the secret of a webhook is.

import { Option, type Command } from "commander"

/** As commander hands them to a command. */
export interface SecretOptions {
  readonly secret?: ReadonlyArray<string>
  readonly secretFile?: string
  readonly secretStdin?: true
}

/** Adds `--secret-file`, `--secret-stdin` and `--secret`. */
export const addSecretOptions = (command: Command): Command =>
  command
    .option("--secret-file <file>", "read the secret from a file")
    .option("--secret-stdin", "read the secret from standard input")
    .addOption(
      new Option(
        "--secret <whsec_…>",
        "the secret, where others may see it; else FOOTFALL_WEBHOOK_SECRET",
      ).argParser((secret, secrets: ReadonlyArray<string> = []) => [...secrets, secret]),
    )
