// The program and its top-level commands. A command's module is loaded when the command runs, because loading all of
// them takes longer than most commands.
import { Command, CommanderError, Help, Option, type HelpConfiguration } from "commander"
import { addCommands, type Defined } from "./command/define.ts"
import { examples } from "./command/examples.ts"
import { addGlobalOptions, type GlobalOptions } from "./connection/global-options.ts"
import { type Noun, nouns } from "./nouns.ts"
import type { Terminal } from "./terminal/terminal.ts"

// Turns color off for NO_COLOR (https://no-color.org) and --no-color, even if FORCE_COLOR is set. Otherwise the color
// library of Ink decides.

/**
 * Guarantee: screens drawn after this call have no color if the user asked for none. Call it before importing a screen,
 * because the color library only checks when it is loaded.
 */
const setColor = (environment: NodeJS.ProcessEnv, isColorWanted: boolean): void => {
  const isRefused = environment["NO_COLOR"] !== undefined && environment["NO_COLOR"] !== ""
  if (isRefused || !isColorWanted) environment["FORCE_COLOR"] = "0"
}

/** The program for one command line. It throws where commander would end the process, and does not print errors. */
export const program = (terminal: Terminal, version: string): Command => {
  const notLoaded = new Map<Command, Noun>()
  const root = programOf(terminal, version).hook("preSubcommand", async (_root, command) => {
    const noun = notLoaded.get(command)
    const loadProgram = () => wholeProgram(terminal, version)
    if (noun !== undefined) addTo(command, await noun.load(), terminal, loadProgram)
  })
  for (const [heading, group] of Object.entries(nouns)) {
    for (const noun of group) notLoaded.set(commandOf(root, heading, noun), noun)
  }
  return root
}

/** The program with every command loaded, to generate the reference and the completions. */
export const wholeProgram = async (terminal: Terminal, version: string): Promise<Command> => {
  const root = programOf(terminal, version)
  for (const [heading, group] of Object.entries(nouns)) {
    const loaded = await Promise.all(group.map(({ load }) => load()))
    for (const [at, noun] of group.entries()) {
      addTo(commandOf(root, heading, noun), loaded[at] ?? [], terminal, async () => root)
    }
  }
  return root
}

const addTo = (
  command: Command,
  defined: Defined | ReadonlyArray<Defined>,
  terminal: Terminal,
  loadProgram: () => Promise<Command>,
): void =>
  "define" in defined
    ? defined.define(command, terminal, loadProgram)
    : addCommands(command, defined, terminal, loadProgram)

const commandOf = (root: Command, heading: string, noun: Noun): Command => {
  const { alias, description, name } = noun
  const command = root.command(name).helpGroup(heading).summary(description)
  command.description(description)
  return (alias === undefined ? command : command.alias(alias)).helpCommand(false)
}

/** Source: spec 1.1. */
const exitCodes = `
Exit codes:
  0 success                  3 partial success
  1 failure                  4 not signed in, or not allowed
  2 invalid command line     5 not found, 6 conflict
  7 changes, with plan --exit-code
  130 interrupted            143 terminated`

const programOf = (terminal: Terminal, version: string): Command => {
  const root = new Command("footfall")
    .description(
      "See who visits your sites, suppress traffic you do not want, and deliver audiences.",
    )
    .version(version, "-v, --version", "print the version")
    .addOption(new Option("-V", "print the version").hideHelp())
    .on("option:V", () => {
      terminal.pager.add(`${version}\n`)
      throw new CommanderError(0, "commander.version", version)
    })
    .helpCommand(false)
    .exitOverride()
    .configureHelp(helpLayout)
    .configureOutput({
      writeOut: (text) => terminal.pager.add(text),
      // If a group is called without a command, its help is the requested output and not an error.
      writeErr: (text) => terminal.pager.add(text),
      outputError: () => {},
    })
    .hook("preAction", (_root, command) => {
      setColor(terminal.environment, command.optsWithGlobals<GlobalOptions>().color)
    })
    .addHelpText(
      "after",
      examples(
        "footfall profiles create local    # once: the server address and your API key",
        "footfall visitors list            # who visited in the last 7 days",
        "footfall visitors get nadia.osei@northwind-robotics.example",
      ),
    )
    .addHelpText("after", exitCodes)
    .on("beforeAllHelp", ({ command }: { readonly command: Command }) => refuseUnknown(command))
  return addGlobalOptions(root)
}

/** `--help` after an unknown command fails like the command itself: commander would print the help of its group. */
const refuseUnknown = (group: Command): void => {
  const [word = "-"] = group.args
  if (group.commands.length === 0 || word.startsWith("-")) return
  group.parse([word], { from: "user" })
}

// The layout of help: a group's commands come before the global options, and lines fit narrow screens.

/** Minimum width of the descriptions. If less is left, they go below the words. */
const MEANING_COLUMNS_MIN = 24

/** Used if the screen's width is unknown. */
const COLUMNS_DEFAULT = 80

/** Space before and after a word. */
const GAP = 2

/** Passed to the program's `configureHelp`. */
const helpLayout: HelpConfiguration = {
  showGlobalOptions: true,
  minWidthToWrap: MEANING_COLUMNS_MIN,
  commandDescription: (command) => sentence(command),
  subcommandTerm: (command) =>
    // The arguments of a top-level command are only known once it is loaded.
    command.parent?.parent === null
      ? command.name()
      : oneName(command, Help.prototype.subcommandTerm.call(new Help(), command))
          // Nearly every command has options, and repeating this would hide the required arguments.
          .replace(" [options]", ""),
  commandUsage: (command) =>
    oneName(command, Help.prototype.commandUsage.call(new Help(), command)),
  formatItem: (term, termWidth, meaning, help) => {
    const columns = help.helpWidth ?? COLUMNS_DEFAULT
    if (columns - termWidth - 2 * GAP >= MEANING_COLUMNS_MIN || meaning === "") {
      return Help.prototype.formatItem.call(help, term, termWidth, meaning, help)
    }
    const below = help.boxWrap(meaning, columns - 3 * GAP)
    return `${" ".repeat(GAP)}${term}\n${below.replace(/^/gm, " ".repeat(3 * GAP))}`
  },
  formatHelp: (command, help) => {
    const text = Help.prototype.formatHelp.call(help, command, help)
    const sections = text.trimEnd().split(/\n\n(?=\S)/)
    const others = sections.filter((section) => !isOptions(section))
    return `${[...others, ...sections.filter(isOptions)].join("\n\n")}\n`
  },
}

/** Shows one name, because two names for one command would make readers look for a difference. */
const oneName = (command: Command, text: string): string =>
  text.replace(`${command.name()}|${command.alias()}`, command.name())

/** A command's description as a sentence. */
export const sentence = (command: Command): string => {
  const text = command.description().trim().replaceAll("\n", " ")
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}${/[.:?]$/.test(text) ? "" : "."}`
}

const isOptions = (section: string): boolean => /^(Global )?Options:/.test(section)
