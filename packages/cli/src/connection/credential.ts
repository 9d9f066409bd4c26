// Which credentials a command asks with, and what to say when there are none. The kinds are those of
// decisions.md 5: K, B and BK endpoints.

import { CliError } from "../errors/cli-error.ts"
import { ExitCode } from "../errors/exit-code.ts"

/** `either`: the key counts where there is one, because it does not run out. */
export type Credential = "apiKey" | "accessToken" | "either"

/** Code `CREDENTIALS_MISSING`, exit code 4. */
export const credentialsMissing = (credential: Credential): CliError =>
  new CliError({
    code: "CREDENTIALS_MISSING",
    exitCode: ExitCode.authentication,
    ...missing[credential],
  })

const missing: Record<Credential, { readonly message: string; readonly nextStep: string }> = {
  apiKey: {
    message: "There is no API key to ask with.",
    nextStep: "Run: footfall profile add <name>, or set FOOTFALL_API_KEY.",
  },
  accessToken: {
    message: "Nobody is logged in.",
    nextStep: "Run: footfall login, or set FOOTFALL_ACCESS_TOKEN.",
  },
  either: {
    message: "There is neither an API key nor a log-in to ask with.",
    nextStep: "Run: footfall profile add <name>, or footfall login.",
  },
}
