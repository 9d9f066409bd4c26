// The layout of help: a group's commands come before the global options, and lines fit narrow screens.

import { Help, type Command, type HelpConfiguration } from "commander"

/** Minimum width of the descriptions. If less is left, they go below the words. */
const MEANING_COLUMNS_MIN = 24

/** Used if the screen's width is unknown. */
const COLUMNS_DEFAULT = 80

/** Space before and after a word. */
const GAP = 2

/** Passed to the program's `configureHelp`. */
export const helpLayout: HelpConfiguration = {
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
