// Credentials: which kind a command uses, and the error if there are none.

import { CliError, ExitCode, usageError } from "../errors/cli-error.ts"

/**
 * `either`: uses the API key if there is one, because it does not expire. `optional`: like
 * `either`, but the server also accepts requests without credentials (PUB), at a lower limit.
 */
export type Credential = "apiKey" | "accessToken" | "either" | "optional"

/** A profile of another server. */
export interface ForeignKey {
  readonly profile: string
  readonly server: string
}

/** Code `CREDENTIALS_MISSING`, exit code 4. */
export const credentialsMissing = (credential: Exclude<Credential, "optional">): CliError =>
  new CliError({
    code: "CREDENTIALS_MISSING",
    exitCode: ExitCode.authentication,
    ...missing[credential],
  })

/** A profile's key is only sent to the profile's server. Exit code 2. */
export const keyOfOtherServer = ({ profile, server }: ForeignKey, baseUrl: string): CliError =>
  usageError(
    `The API key in the profile ${profile} is for ${server}, so it is not sent to ${baseUrl}.`,
    "Choose a profile for that server with --profile, pass its key with --api-key-stdin or FOOTFALL_API_KEY, " +
      `or run: footfall profiles create <name> --base-url ${baseUrl}`,
  )

/** A profile whose key is another organization's. */
export interface WithheldKey {
  readonly profile: string
  readonly organization: string
}

/** After `organizations use`, the key of the organization before is not sent. Exit code 2. */
export const keyOfOtherOrganization = ({ profile, organization }: WithheldKey): CliError =>
  usageError(
    `The API key in the profile ${profile} is for ${organization}, and you switched to another organization, so it is not sent.`,
    "To create and save a key of the organization in use: footfall keys create <name> --save. " +
      "To switch back: footfall organizations use <organization>",
  )

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
