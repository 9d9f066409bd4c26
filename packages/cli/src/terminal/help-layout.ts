// The layout of help: the commands of a group come before the options of every command, and it fits narrow screens.

import { Help, type Command, type HelpConfiguration } from "commander"

/** Narrowest column for what words mean; where less is left, it stands below them. */
const MEANING_COLUMNS_MIN = 24

/** Used if the width of the screen is not known. */
const COLUMNS_DEFAULT = 80

/** Space before and after a word. */
const GAP = 2

/** For `configureHelp` of the program. */
export const helpLayout: HelpConfiguration = {
  showGlobalOptions: true,
  minWidthToWrap: MEANING_COLUMNS_MIN,
  commandDescription: (command) => sentence(command),
  subcommandTerm: (command) =>
    // What a command of the first level takes is known once it is loaded.
    command.parent?.parent === null
      ? command.name()
      : oneName(command, Help.prototype.subcommandTerm.call(new Help(), command))
          // Nearly every command has options; saying so of each hides what must be given.
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

/** Two names for one command would make a reader look for the difference. */
const oneName = (command: Command, text: string): string =>
  text.replace(`${command.name()}|${command.alias()}`, command.name())

/** What a command does, as a sentence of its own. */
export const sentence = (command: Command): string => {
  const text = command.description().trim().replaceAll("\n", " ")
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}${/[.:?]$/.test(text) ? "" : "."}`
}

const isOptions = (section: string): boolean => /^(Global )?Options:/.test(section)
