// The program: its commands of the first level, each by name and by a sentence. What lies behind a name is
// loaded when a command line says it, because reading all of it takes longer than most commands.

import { Command } from "commander"
import { examples } from "./commands/examples.ts"
import { firstLevel, type Entry } from "./commands/first-level.ts"
import { addGlobalOptions, type GlobalOptions } from "./connection/global-options.ts"
import { respectColorWish } from "./terminal/color.ts"
import { helpLayout } from "./terminal/help-layout.ts"
import type { Terminal } from "./terminal/terminal.ts"

/**
 * The program as a command line needs it. It throws where commander would end the process, and prints no
 * error itself.
 */
export const program = (terminal: Terminal, version: string): Command => {
  const undefinedYet = new Map<Command, Entry>()
  const root = programOf(terminal, version).hook("preSubcommand", async (_root, command) => {
    const load = undefinedYet.get(command)?.load
    const whole = () => wholeProgram(terminal, version)
    if (load !== undefined) (await load())(command, terminal, whole)
  })
  for (const [heading, entries] of Object.entries(firstLevel)) {
    for (const entry of entries) undefinedYet.set(commandOf(root, heading, entry), entry)
  }
  return root
}

/** The program with everything it has, for what is made from the tree: reference and completion. */
export const wholeProgram = async (terminal: Terminal, version: string): Promise<Command> => {
  const root = programOf(terminal, version)
  for (const [heading, entries] of Object.entries(firstLevel)) {
    const loaded = await Promise.all(entries.map(({ load }) => load()))
    for (const [at, entry] of entries.entries()) {
      loaded[at]?.(commandOf(root, heading, entry), terminal, async () => root)
    }
  }
  return root
}

const commandOf = (root: Command, heading: string, { name, alias, does }: Entry): Command => {
  const command = root.command(name).helpGroup(heading).summary(does).description(does)
  return (alias === undefined ? command : command.alias(alias)).helpCommand(false)
}

/** Source: spec 1.1. */
const exitCodes = `
Exit codes:
  0 done                     3 done in part
  1 failed, or nothing done  4 no credentials, or refused
  2 wrong command line       5 not found, 6 conflict
  130 interrupted`

const programOf = (terminal: Terminal, version: string): Command => {
  const root = new Command("footfall")
    .description("Who visits your sites, in a terminal that reads well and scripts well.")
    .version(version, "--version", "print the version")
    .helpCommand(false)
    .exitOverride()
    .configureHelp(helpLayout)
    .configureOutput({
      writeOut: (text) => terminal.pager.add(text),
      // Help of a group that was called without a command is what was asked for, not an error.
      writeErr: (text) => terminal.pager.add(text),
      outputError: () => {},
    })
    .hook("preAction", (_root, command) => {
      respectColorWish(terminal.environment, command.optsWithGlobals<GlobalOptions>().color)
    })
    .addHelpText(
      "after",
      examples(
        "footfall profiles create local        # once: where the server is, and your key",
        "footfall visitors list            # who came in the last 7 days",
        "footfall visitors get nadia.osei@northwind-robotics.example",
      ),
    )
    .addHelpText("after", exitCodes)
  return addGlobalOptions(root)
}
