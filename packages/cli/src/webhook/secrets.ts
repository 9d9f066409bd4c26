// Where the secret of a webhook comes from: the environment, a file, standard input, or, for a secret that
// is good for a try, the command line. Several may be given, as during a rotation.

import { readSecretInput } from "../connection/secret-input.ts"
import { usageError } from "../errors/usage-error.ts"
import type { Terminal } from "../terminal/terminal.ts"
import { warnOn } from "../terminal/warn.ts"
import type { SecretOptions } from "./secret-options.ts"

/** spec 8.1. Standard Webhooks allows 24 to 64 bytes. */
const SECRET = /^whsec_[A-Za-z0-9+/]{32,86}={0,2}$/

/** All secrets there are, none of them twice. Errors: usage, for what is no secret; it is not quoted. */
export const webhookSecrets = async (
  terminal: Terminal,
  options: SecretOptions,
): Promise<ReadonlyArray<string>> => {
  const { secret = [], secretFile, secretStdin } = options
  if (secret.length > 0) {
    warnOn(terminal)(
      "a secret on the command line can be read by other users and stays in the shell's history; " +
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
  throw usageError("This is not the secret of a webhook: expected whsec_ and base64.")
}

const fileText = async (file: string): Promise<string> => {
  try {
    const { default: files } = await import("node:fs/promises")
    return await files.readFile(file, "utf8")
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : String(error)
    throw usageError(`The secret in ${file} cannot be read (${code}).`)
  }
}
