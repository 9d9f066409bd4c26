// `footfall logout`: ends the log-in of a profile, on the server and here. Here it ends in any case.

import type { Command } from "commander"
import { credentialsMissing } from "../../connection/credential.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { settle } from "../../connection/settle.ts"
import { printResult } from "../../output/print-result.ts"
import { requireProfile, withProfile, withSession } from "../../profiles/profile.ts"
import type { Session } from "../../profiles/session.ts"
import { lines } from "../../terminal/lines.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { warnOn } from "../../terminal/warn.ts"
import { examples } from "../examples.ts"

/** What the command takes and does. */
export const defineLogout = (command: Command, terminal: Terminal): void => {
  command
    .addHelpText("after", examples("footfall logout", "footfall logout --profile production"))
    .action(async () => {
      const { file, settings } = await settle(terminal, command)
      const { baseUrl, sessionProfile: name } = settings
      if (name === undefined) throw credentialsMissing("accessToken")
      const warn = warnOn(terminal)
      let ended: Session | undefined
      // Under the lock, or a renewal at the same moment would bring the log-in back.
      await file.change(
        () => {},
        async (profiles) => {
          const profile = requireProfile(profiles, name)
          ended = profile.session
          if (ended !== undefined) await endOnServer(baseUrl, ended, warn)
          return withProfile(profiles, name, withSession(profile, undefined))
        },
      )
      const data = { profile: name, email: ended?.email ?? null, loggedOut: true }
      await printResult(terminal, command.optsWithGlobals<GlobalOptions>(), data, () =>
        lines(`${ended?.email ?? "Nobody"} is logged out of the profile ${name}.`),
      )
    })
}

/** Of each of at most three requests; other commands wait longer for the file. */
const TIMEOUT_MS = 3_000

const endOnServer = async (
  baseUrl: string,
  { accessToken, refreshToken }: Session,
  warn: (message: string) => void,
): Promise<void> => {
  const { AuthenticationError, Footfall } = await import("@footfall/sdk")
  const options = { baseUrl, timeoutMs: TIMEOUT_MS, retriesMax: 0 }
  try {
    await new Footfall({ ...options, accessToken }).auth.logout({ refreshToken })
  } catch (error) {
    // An access token that has run out cannot end its chain, and one that was ended has none.
    if (error instanceof AuthenticationError) return endAfterRenewal(options, refreshToken)
    const reason = error instanceof Error ? error.message : String(error)
    warn(`The server was not told (${reason}). There the log-in ends by itself within 30 days.`)
  }
}

const endAfterRenewal = async (
  options: { readonly baseUrl: string; readonly timeoutMs: number; readonly retriesMax: number },
  refreshToken: string,
): Promise<void> => {
  const { Footfall } = await import("@footfall/sdk")
  try {
    const tokens = await new Footfall(options).auth.refresh({ refreshToken })
    const client = new Footfall({ ...options, accessToken: tokens.accessToken })
    await client.auth.logout({ refreshToken: tokens.refreshToken })
  } catch {
    // The chain has ended already, which is what was wanted.
  }
}
