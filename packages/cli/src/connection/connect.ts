// Creates the client of a command. The SDK is loaded here, because `--help` and `profiles` do not need it.

import type { AttemptWait, Footfall, Hooks } from "@footfall/sdk"
import type { Command } from "commander"
import { waitText } from "../retry/running-wait.ts"
import { note, type Terminal } from "../terminal/terminal.ts"
import { credentialsMissing, type Credential, keyOfOtherServer } from "./credential.ts"
import { credentialSent, settle, type Settled } from "./settings.ts"

/**
 * A client with the credentials that the command needs.
 * Errors: usage, also where the key is one of another server, `CONFIG_UNREADABLE`, `CREDENTIALS_MISSING` and `SESSION_ENDED` (exit code 4).
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
  // Requested now, so that an expired session is reported as such and not as a failed request.
  if (sent === "accessToken") await currentToken()
  return new Footfall({ baseUrl, apiKey, accessToken: currentToken, hooks })
}

/** Units: milliseconds. A shorter wait does not count as silence. */
const SAID_WAIT_MIN = 1_000

/** Units: milliseconds. A server that is busy, with an import for example, takes longer. */
const SAID_SILENCE_MIN = 3_000

/**
 * Says every wait that the SDK makes by itself, and for how long, and when the server does not answer for long, where
 * no screen would be torn by it.
 */
export const waitsSaid = (terminal: Terminal): Hooks => {
  let silence: NodeJS.Timeout | undefined
  return {
    onRequest: ({ path }) => {
      clearTimeout(silence)
      // An import sends while it waits.
      if (path.includes("/import/")) return
      silence = setTimeout(() => {
        if (terminal.liveScreens.size === 0) note(terminal, "Still waiting for the server …")
      }, SAID_SILENCE_MIN).unref()
    },
    onResponse: () => clearTimeout(silence),
    onWait: (wait) => {
      clearTimeout(silence)
      sayWait(terminal, wait)
    },
  }
}

const sayWait = (terminal: Terminal, { delayMs, error }: AttemptWait): void => {
  if (delayMs < SAID_WAIT_MIN || terminal.liveScreens.size > 0) return
  const isRateLimit =
    error === null || (error instanceof Error && "status" in error && error.status === 429)
  const reason = isRateLimit ? "rate_limit" : "unreachable"
  note(terminal, waitText({ reason, seconds: delayMs / 1000, sinceMs: 0 }, 0))
}
