// Which credentials a command asks with, and what to say when there are none. The kinds are those of
// spec 5: K, B and BK endpoints.

import { CliError } from "../errors/cli-error.ts"
import { ExitCode } from "../errors/exit-code.ts"

/**
 * `either`: the key counts where there is one, because it does not run out. `optional`: as `either`,
 * but the server answers anybody (PUB), and those who are known more often.
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
    message: "There is no API key to ask with.",
    nextStep: "Run: footfall profiles create <name>, or set FOOTFALL_API_KEY.",
  },
  accessToken: {
    message: "Nobody is logged in.",
    nextStep: "Run: footfall login, or set FOOTFALL_ACCESS_TOKEN.",
  },
  either: {
    message: "There is neither an API key nor a log-in to ask with.",
    nextStep: "Run: footfall profiles create <name>, or footfall login.",
  },
}
