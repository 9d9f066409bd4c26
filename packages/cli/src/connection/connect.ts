// Creates the client of a command. The SDK is loaded here, because `--help` and `profiles` do not need it.

import type { Footfall, Hooks } from "@footfall/sdk"
import type { Command } from "commander"
import { waitText } from "../retry/running-wait.ts"
import type { Terminal } from "../terminal/terminal.ts"
import { credentialsMissing, type Credential } from "./credential.ts"
import { credentialSent, settle, type Settled } from "./settings.ts"

/**
 * A client with the credentials that the command needs.
 * Errors: usage, `CONFIG_UNREADABLE`, `CREDENTIALS_MISSING` and `SESSION_ENDED` (exit code 4).
 */
export const connect = async (
  terminal: Terminal,
  command: Command,
  credential: Credential = "apiKey",
): Promise<Footfall> => clientOf(await settle(terminal, command), credential, waitsSaid(terminal))

/** The same, where the settings are known already. `hooks`: heard with every call. */
export const clientOf = async (
  { file, settings }: Settled,
  credential: Credential,
  hooks?: Hooks,
): Promise<Footfall> => {
  const sent = credentialSent(settings, credential)
  if (sent === null && credential !== "optional") throw credentialsMissing(credential)
  const { baseUrl, apiKey, accessToken, sessionProfile } = settings
  const { Footfall } = await import("@footfall/sdk")
  if (accessToken !== undefined || sessionProfile === undefined) {
    return new Footfall({ baseUrl, apiKey, accessToken, hooks })
  }
  const { sessionToken } = await import("./session-token.ts")
  const currentToken = (): Promise<string> => sessionToken(file, sessionProfile)
  // Requested now, so that an expired session is reported as such and not as a failed request.
  if (sent === "accessToken") await currentToken()
  return new Footfall({ baseUrl, apiKey, accessToken: currentToken, hooks })
}

/** Units: milliseconds. A shorter wait is no silence. */
const SAID_WAIT_MIN = 1_000

/** Says every wait that the SDK makes by itself, and for how long, where no screen would be torn by it. */
const waitsSaid = ({ liveScreens, stderr }: Terminal): Hooks => ({
  onWait: ({ delayMs, error }) => {
    if (delayMs < SAID_WAIT_MIN || liveScreens.size > 0) return
    const isRateLimit =
      error === null || (error instanceof Error && "status" in error && error.status === 429)
    const reason = isRateLimit ? "rate_limit" : "unreachable"
    stderr.write(`${waitText({ reason, seconds: delayMs / 1000, sinceMs: 0 }, 0)}\n`)
  },
})
