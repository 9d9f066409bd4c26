// Makes the client a command asks through. Loads the SDK only now, because `--help` and the profile
// commands do without it.

import type { Footfall } from "@footfall/sdk"
import type { Command } from "commander"
import { ConfigFile } from "../profiles/config-file.ts"
import type { Terminal } from "../terminal/terminal.ts"
import { warnOn } from "../terminal/warn.ts"
import { readApiKey } from "./api-key.ts"
import { credentialsMissing, type Credential } from "./credential.ts"
import type { GlobalOptions } from "./global-options.ts"
import { resolveSettings } from "./settings.ts"

/**
 * A client with the credentials that the command needs.
 * Errors: usage, `CONFIG_UNREADABLE`, `CREDENTIALS_MISSING` and `SESSION_ENDED` (exit code 4).
 */
export const connect = async (
  terminal: Terminal,
  command: Command,
  credential: Credential = "apiKey",
): Promise<Footfall> => {
  const options = command.optsWithGlobals<GlobalOptions>()
  const file = new ConfigFile(terminal.environment)
  const settings = resolveSettings({
    flags: {
      apiKey: options.apiKeyStdin ? await readApiKey(terminal, true) : undefined,
      baseUrl: options.baseUrl,
      profile: options.profile,
    },
    environment: terminal.environment,
    profiles: file.read(warnOn(terminal)),
  })
  const { baseUrl, apiKey, sessionProfile } = settings
  const hasToken = settings.accessToken !== undefined || sessionProfile !== undefined
  const has = { apiKey: apiKey !== undefined, accessToken: hasToken }
  if (credential === "either" ? !has.apiKey && !has.accessToken : !has[credential]) {
    throw credentialsMissing(credential)
  }
  const { Footfall } = await import("@footfall/sdk")
  if (settings.accessToken !== undefined || sessionProfile === undefined) {
    return new Footfall({ baseUrl, apiKey, accessToken: settings.accessToken })
  }
  const { sessionToken } = await import("./session-token.ts")
  const accessToken = (): Promise<string> => sessionToken(file, sessionProfile)
  // Asked for now, so that a log-in that has ended is told as such and not as a failed request.
  const isTokenSent = credential === "accessToken" || (credential === "either" && !has.apiKey)
  if (isTokenSent) await accessToken()
  return new Footfall({ baseUrl, apiKey, accessToken })
}
