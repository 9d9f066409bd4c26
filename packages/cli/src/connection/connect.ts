// Makes the client a command asks through. Loads the SDK only now, because `--help` and the profile
// commands do without it.

import type { Footfall } from "@footfall/sdk"
import type { Command } from "commander"
import { CliError } from "../errors/cli-error.ts"
import { ExitCode } from "../errors/exit-code.ts"
import { ConfigFile } from "../profiles/config-file.ts"
import type { Terminal } from "../terminal/terminal.ts"
import { warnOn } from "../terminal/warn.ts"
import { readApiKey } from "./api-key.ts"
import type { GlobalOptions } from "./global-options.ts"
import { resolveSettings } from "./settings.ts"

/** Errors: usage, `CONFIG_UNREADABLE`, and `CREDENTIALS_MISSING` (exit code 4). */
export const connect = async (terminal: Terminal, command: Command): Promise<Footfall> => {
  const options = command.optsWithGlobals<GlobalOptions>()
  const { baseUrl, apiKey, accessToken } = resolveSettings({
    flags: {
      apiKey: options.apiKeyStdin ? await readApiKey(terminal, true) : undefined,
      baseUrl: options.baseUrl,
      profile: options.profile,
    },
    environment: terminal.environment,
    profiles: new ConfigFile(terminal.environment).read(warnOn(terminal)),
  })
  if (apiKey === undefined) {
    throw new CliError({
      code: "CREDENTIALS_MISSING",
      message: "There is no API key to ask with.",
      exitCode: ExitCode.authentication,
      nextStep: "Run: footfall profile add <name>, or set FOOTFALL_API_KEY.",
    })
  }
  const { Footfall } = await import("@footfall/sdk")
  return new Footfall({ baseUrl, apiKey, accessToken })
}
