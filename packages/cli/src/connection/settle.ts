// Whom a command asks and with what: the flags, the environment and the profile brought together.

import type { Command } from "commander"
import { ConfigFile } from "../profiles/config-file.ts"
import type { Terminal } from "../terminal/terminal.ts"
import { warnOn } from "../terminal/warn.ts"
import { readApiKey } from "./api-key.ts"
import type { Credential } from "./credential.ts"
import type { GlobalOptions } from "./global-options.ts"
import { resolveSettings, type Settings } from "./settings.ts"

/** The settings, and the file they rest on. */
export interface Settled {
  readonly file: ConfigFile
  readonly settings: Settings
}

/** Errors: usage, `CONFIG_UNREADABLE`. */
export const settle = async (terminal: Terminal, command: Command): Promise<Settled> => {
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
  return { file, settings }
}

/** The credential that will be sent, or null when there is none of the kind. */
export const credentialSent = (
  { apiKey, accessToken, sessionProfile }: Settings,
  wanted: Credential,
): "apiKey" | "accessToken" | null => {
  if (wanted !== "accessToken" && apiKey !== undefined) return "apiKey"
  const hasToken = accessToken !== undefined || sessionProfile !== undefined
  return wanted !== "apiKey" && hasToken ? "accessToken" : null
}
