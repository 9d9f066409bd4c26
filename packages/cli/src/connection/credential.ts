// Credentials: which kind a command uses, the error if there are none, and keys that are typed or piped in. A key never
// comes from the command line, where other users and the shell history can read it.

import { CliError, ExitCode, usageError } from "../errors/cli-error.ts"
import { canAsk, type Terminal } from "../terminal/terminal.ts"

/**
 * `either`: the key counts where there is one, because it does not run out. `optional`: as `either`,
 * but the server also answers without credentials (PUB), less often.
 */
export type Credential = "apiKey" | "accessToken" | "either" | "optional"

/** Code `CREDENTIALS_MISSING`, exit code 4. */
export const credentialsMissing = (credential: Exclude<Credential, "optional">): CliError =>
  new CliError({
    code: "CREDENTIALS_MISSING",
    exitCode: ExitCode.authentication,
    ...missing[credential],
  })

const missing: Record<
  Exclude<Credential, "optional">,
  { readonly message: string; readonly nextStep: string }
> = {
  apiKey: {
    message: "No API key found.",
    nextStep: "Run: footfall profiles create <name>, or set FOOTFALL_API_KEY.",
  },
  accessToken: {
    message: "You are not signed in.",
    nextStep: "Run: footfall login, or set FOOTFALL_ACCESS_TOKEN.",
  },
  either: {
    message: "No API key found, and you are not signed in.",
    nextStep: "Run: footfall profiles create <name>, or footfall login.",
  },
}

/** No key or password is longer; a whole file sent by mistake is refused instead of read. */
const INPUT_LENGTH_MAX = 1024

/** All of standard input, without the line break at its end. Errors: usage, when it is too long. */
export const readSecretInput = async ({ stdin }: Terminal): Promise<string> => {
  let text = ""
  for await (const chunk of stdin.setEncoding("utf8")) {
    text += chunk
    if (text.length > INPUT_LENGTH_MAX) {
      throw usageError(
        `Standard input holds more than ${INPUT_LENGTH_MAX} characters, too long for a key or a password.`,
      )
    }
  }
  return text.replace(/\r?\n$/, "")
}

/** Source: spec 7, API key form. */
const API_KEY = /^sk_[0-9A-Za-z]{43}$/

/**
 * Asks on a terminal; without one reads standard input if `isFromStdin` says so.
 * Errors: usage, when there is neither or when what came is not a key; interrupted.
 */
export const readApiKey = async (terminal: Terminal, isFromStdin: boolean): Promise<string> => {
  const text = (await readText(terminal, isFromStdin)).trim()
  if (API_KEY.test(text)) return text
  throw usageError(
    `Invalid API key: expected sk_ and 43 letters or digits, got ${text.length} characters.`,
  )
}

const readText = async (terminal: Terminal, isFromStdin: boolean): Promise<string> => {
  if (canAsk(terminal)) {
    const { ask } = await import("../terminal/ask.tsx")
    return ask(terminal, { question: "API key", isHidden: true })
  }
  if (isFromStdin) return readSecretInput(terminal)
  throw usageError(
    "Can't ask for the API key: this is not a terminal.",
    "Pass it on standard input: footfall profiles create <name> --api-key-stdin < key.txt",
  )
}
