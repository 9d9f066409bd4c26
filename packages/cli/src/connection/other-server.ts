// The refusal to send the key of a profile to another server than that of the profile.

import { type CliError, usageError } from "../errors/cli-error.ts"
import type { ForeignKey } from "./settings.ts"

/** The key of a profile goes to the server of the profile and to no other. Exit code 2. */
export const keyOfOtherServer = ({ profile, server }: ForeignKey, baseUrl: string): CliError =>
  usageError(
    `The API key of the profile ${profile} is for ${server}, so it is not sent to ${baseUrl}.`,
    "Choose a profile of that server with --profile, pass its key with --api-key-stdin or FOOTFALL_API_KEY, " +
      `or run: footfall profiles create <name> --base-url ${baseUrl}`,
  )
