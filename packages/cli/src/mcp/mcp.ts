// `footfall mcp`: the tools of Footfall for an agent on this computer, and the entry in its configuration file.

import { Argument, type Command } from "commander"
import { type Defined, define } from "../command/define.ts"
import type { GlobalOptions } from "../connection/global-options.ts"
import { CliError, usageError } from "../errors/cli-error.ts"
import { ConfigFile } from "../profiles/config-file.ts"
import { type Terminal, warnOn } from "../terminal/terminal.ts"
import { agentNames } from "./install.ts"

interface McpOptions {
  readonly allowWrites?: boolean
}

const addWrites = (command: Command): Command =>
  command.option("--allow-writes", "let the agent create draft audiences and start runs")

const serve = define<McpOptions>("serve", {
  description: "serve an agent on standard input and output (the default for `footfall mcp`)",
  credential: "either",
  takes: addWrites,
  examples: [
    "footfall mcp install claude-code    # once; the agent then starts `footfall mcp` itself",
    "footfall mcp --allow-writes",
  ],
  run: async ({ connect, options, terminal }) => {
    const { refuseAgent, serveAgent } = await import("./serve.ts")
    try {
      const client = await connect()
      await serveAgent(terminal, client, options.allowWrites === true)
    } catch (error) {
      if (error instanceof CliError) await refuseAgent(terminal, error)
      throw error
    }
  },
})

const install = define<McpOptions & { readonly print?: boolean }, [agent: string]>("install", {
  description: "add Footfall to an agent's configuration file",
  takes: (command) =>
    addWrites(command)
      .addArgument(new Argument("<agent>", "the agent").choices(agentNames))
      .option("--print", "print the entry and the path of the file, without writing it"),
  examples: [
    "footfall mcp install claude-code",
    "footfall mcp install cursor --profile production",
    "footfall mcp install codex --print",
  ],
  run: async ({ options, print, terminal }, agent) => {
    requireProfileName(options, agent)
    const profile = await profileInUse(terminal, options)
    const { installEntry } = await import("./install.ts")
    const done = installEntry(terminal.environment, agent, {
      profile,
      allowsWrites: options.allowWrites === true,
      isPrinted: options.print === true,
    })
    await print(done, () =>
      done.written
        ? `Added Footfall to ${done.file}.\nRestart the agent to use it.\n`
        : `${done.file}:\n\n${done.entry}\n`,
    )
  },
})

/** The entry names the profile that has the URL and the credentials, and contains neither. Errors: usage. */
const requireProfileName = ({ apiKeyStdin, baseUrl }: GlobalOptions, agent: string): void => {
  if (baseUrl === undefined && apiKeyStdin === undefined) return
  const option = baseUrl === undefined ? "--api-key-stdin" : "--base-url"
  throw usageError(
    `footfall mcp install does not accept ${option}. The entry names a profile, which contains the server and the key.`,
    `Run: footfall profiles create <name>${baseUrl === undefined ? "" : ` --base-url ${baseUrl}`}, ` +
      `then footfall mcp install ${agent} --profile <name>`,
  )
}

/** By name, so that the agent keeps this profile even if another one becomes the current one. */
const profileInUse = async (
  terminal: Terminal,
  { profile }: GlobalOptions,
): Promise<string | undefined> => {
  const named = profile ?? (terminal.environment["FOOTFALL_PROFILE"] || undefined)
  if (named !== undefined) return named
  return (await new ConfigFile(terminal.environment).read(warnOn(terminal))).current ?? undefined
}

export const mcpCommand: Defined = {
  name: "mcp",
  define: (command, terminal, wholeProgram) => {
    const isDefault = { isDefault: true }
    serve.define(command.command(serve.name, isDefault), terminal, wholeProgram)
    install.define(command.command(install.name), terminal, wholeProgram)
  },
}
