// Creates the client of a command. The SDK is loaded here, because `--help` and `profiles` do not need it.

import type { Footfall, Hooks } from "@footfall/sdk"
import type { Command } from "commander"
import type { Terminal } from "../terminal/terminal.ts"
import { credentialsMissing, type Credential, keyOfOtherServer } from "./credential.ts"
import { credentialSent, settle, type Settled } from "./settings.ts"
import { waitsSaid } from "./waits-said.ts"

/**
 * A client with the credentials the command needs. Errors: usage, also if the key belongs to another server,
 * `CONFIG_UNREADABLE`, `CREDENTIALS_MISSING` and `SESSION_ENDED` (exit code 4).
 */
export const connect = async (
  terminal: Terminal,
  command: Command,
  credential: Credential = "apiKey",
): Promise<Footfall> => clientOf(await settle(terminal, command), credential, waitsSaid(terminal))

/** The same with known settings. `hooks`: called with every request. */
export const clientOf = async (
  { file, settings }: Settled,
  credential: Credential,
  hooks?: Hooks,
): Promise<Footfall> => {
  const sent = credentialSent(settings, credential)
  const { baseUrl, apiKey, accessToken, foreignKey, sessionProfile } = settings
  if (sent === null && foreignKey !== undefined && credential !== "accessToken") {
    throw keyOfOtherServer(foreignKey, baseUrl)
  }
  if (sent === null && credential !== "optional") throw credentialsMissing(credential)
  const { Footfall } = await import("@footfall/sdk")
  if (accessToken !== undefined || sessionProfile === undefined) {
    return new Footfall({ baseUrl, apiKey, accessToken, hooks })
  }
  const { sessionToken } = await import("./session-token.ts")
  const currentToken = (): Promise<string> => sessionToken(file, sessionProfile)
  // Requested now, so that an ended session is reported as such and not as a failed request.
  if (sent === "accessToken") await currentToken()
  return new Footfall({ baseUrl, apiKey, accessToken: currentToken, hooks })
}
