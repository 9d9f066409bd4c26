// The signing secrets of a webhook: from the environment, a file, standard input or, for a quick test, the command
// line. Several are allowed, as during a rotation.

import { type Command, Option } from "commander"
import { readSecretInput } from "../connection/secret-input.ts"
import { unreadable, usageError } from "../errors/cli-error.ts"
import { type Terminal, warnOn } from "../terminal/terminal.ts"

export interface SecretOptions {
  readonly secret?: ReadonlyArray<string>
  readonly secretFile?: string
  readonly secretStdin?: true
}

/** Adds `--secret-file`, `--secret-stdin` and `--secret`. */
export const addSecretOptions = (command: Command): Command =>
  command
    .option("--secret-file <file>", "read the signing secret from a file")
    .option("--secret-stdin", "read the signing secret from standard input")
    .addOption(
      new Option(
        "--secret <whsec_…>",
        "the signing secret (visible to other users; safer: FOOTFALL_WEBHOOK_SECRET)",
      ).argParser((secret, secrets: ReadonlyArray<string> = []) => [...secrets, secret]),
    )

/** spec 8.1. Standard Webhooks allows 24 to 64 bytes. */
const SECRET = /^whsec_[A-Za-z0-9+/]{32,86}={0,2}$/

/** All secrets, without duplicates. Errors: usage, for an invalid secret; the message does not quote it. */
export const webhookSecrets = async (
  terminal: Terminal,
  options: SecretOptions,
): Promise<ReadonlyArray<string>> => {
  const { secret = [], secretFile, secretStdin } = options
  if (secret.length > 0) {
    warnOn(terminal)(
      "other users can read a secret on the command line, and it stays in the shell's history; " +
        "FOOTFALL_WEBHOOK_SECRET, --secret-file and --secret-stdin keep it out",
    )
  }
  const texts = [
    ...secret,
    ...(secretFile === undefined ? [] : [await fileText(secretFile)]),
    ...(secretStdin ? [await readSecretInput(terminal)] : []),
  ]
  if (texts.length === 0) texts.push(terminal.environment["FOOTFALL_WEBHOOK_SECRET"] ?? "")
  const secrets = texts.flatMap((text) => text.split(/[\s,]+/)).filter((text) => text !== "")
  if (secrets.every((text) => SECRET.test(text))) return [...new Set(secrets)]
  throw usageError("Invalid signing secret: expected whsec_ and base64.")
}

const fileText = async (file: string): Promise<string> => {
  try {
    const { default: files } = await import("node:fs/promises")
    return await files.readFile(file, "utf8")
  } catch (error) {
    throw unreadable(file, error)
  }
}
