// Makes the client a command asks through. Loads the SDK only now, because `--help` and the profile
// commands do without it.

import type { Footfall } from "@footfall/sdk"
import type { Command } from "commander"
import type { Terminal } from "../terminal/terminal.ts"
import { credentialsMissing, type Credential } from "./credential.ts"
import { credentialSent, settle, type Settled } from "./settle.ts"

/**
 * A client with the credentials that the command needs.
 * Errors: usage, `CONFIG_UNREADABLE`, `CREDENTIALS_MISSING` and `SESSION_ENDED` (exit code 4).
 */
export const connect = async (
  terminal: Terminal,
  command: Command,
  credential: Credential = "apiKey",
): Promise<Footfall> => clientOf(await settle(terminal, command), credential)

/** The same, where the settings are known already. */
export const clientOf = async (
  { file, settings }: Settled,
  credential: Credential,
): Promise<Footfall> => {
  const sent = credentialSent(settings, credential)
  if (sent === null && credential !== "optional") throw credentialsMissing(credential)
  const { baseUrl, apiKey, accessToken, sessionProfile } = settings
  const { Footfall } = await import("@footfall/sdk")
  if (accessToken !== undefined || sessionProfile === undefined) {
    return new Footfall({ baseUrl, apiKey, accessToken })
  }
  const { sessionToken } = await import("./session-token.ts")
  const currentToken = (): Promise<string> => sessionToken(file, sessionProfile)
  // Asked for now, so that a log-in that has ended is told as such and not as a failed request.
  if (sent === "accessToken") await currentToken()
  return new Footfall({ baseUrl, apiKey, accessToken: currentToken })
}
