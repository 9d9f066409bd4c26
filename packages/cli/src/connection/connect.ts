// Creates the client of a command. The SDK is loaded here, because `--help` and `profiles` do not need it.

import type { Footfall, Hooks } from "@footfall/sdk"
import type { Command } from "commander"
import { note, type Terminal } from "../terminal/terminal.ts"
import {
  credentialsMissing,
  type Credential,
  keyOfOtherOrganization,
  keyOfOtherServer,
} from "./credential.ts"
import { credentialSent, loadSettings, type LoadedSettings } from "./settings.ts"
import type { Countdown } from "../terminal/countdown.ts"

/**
 * Creates a client with the credentials that the command needs. Errors: usage, also if the key
 * belongs to another server, `CONFIG_UNREADABLE`, `CREDENTIALS_MISSING` and `SESSION_ENDED` (exit
 * code 4).
 */
export const connect = async (
  terminal: Terminal,
  command: Command,
  credential: Credential = "apiKey",
): Promise<Footfall> =>
  clientOf(await loadSettings(terminal, command), credential, waitHooks(terminal))

/** The same with known settings. `hooks`: called with every request. */
export const clientOf = async (
  { file, settings }: LoadedSettings,
  credential: Credential,
  hooks?: Hooks,
): Promise<Footfall> => {
  const sent = credentialSent(settings, credential)
  const { baseUrl, apiKey, accessToken, foreignKey, sessionProfile, withheldKey } = settings
  if (sent === null && foreignKey !== undefined && credential !== "accessToken") {
    throw keyOfOtherServer(foreignKey, baseUrl)
  }
  if (sent === null && withheldKey !== undefined && credential !== "accessToken") {
    throw keyOfOtherOrganization(withheldKey)
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

/**
 * The time limit of requests that may take longer than others: a count over millions of people, a batch of an import, a
 * write of suppression rules that waits for other writers of the same list.
 */
export const SLOW_TIMEOUT_MS = 120_000

// Reports waits of commands without a progress screen: for a rate limit, an unreachable server, or
// a slow one.

/** Units: milliseconds. A busy server, for example during an import, takes longer. */
const SILENCE_MIN_MS = 3_000

/**
 * Hooks that report every wait of the SDK with its length, and a server that has not responded for
 * long, unless a live screen or the pager is open. A terminal shows a countdown; elsewhere one line
 * is printed.
 */
export const waitHooks = (terminal: Terminal): Hooks => {
  // Loaded by the first wait, which is rare.
  let countdown: Promise<Countdown> | undefined
  let silence: NodeJS.Timeout | undefined
  return {
    onRequest: ({ path }) => {
      void countdown?.then((line) => line.sent())
      clearTimeout(silence)
      // An import keeps sending while it waits.
      if (path.includes("/import/")) return
      silence = setTimeout(() => {
        const isFree = terminal.liveScreens.size === 0 && !terminal.pager.isOpen
        if (isFree) note(terminal, "Still waiting for the server …")
      }, SILENCE_MIN_MS).unref()
    },
    onResponse: () => clearTimeout(silence),
    onWait: (wait) => {
      clearTimeout(silence)
      const beganMs = performance.now()
      countdown ??= import("../terminal/countdown.ts").then(
        (module) => new module.Countdown(terminal),
      )
      void countdown.then((line) => line.showAttempt(wait, beganMs))
    },
  }
}
