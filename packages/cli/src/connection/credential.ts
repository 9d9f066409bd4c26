// Credentials: which kind a command uses, and the error if there are none.

import { CliError, ExitCode } from "../errors/cli-error.ts"

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
