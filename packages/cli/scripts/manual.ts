// Generates the manual pages from the commands: footfall(1) and one for each noun, in the macros of man(7).

import type { Argument, Command, Option } from "commander"
import { ExitCode } from "../src/errors/cli-error.ts"
import { sentence } from "../src/program.ts"
import { version } from "../src/version.ts"
import { when } from "./cli-reference.ts"

/** The text of each page, by its file name. */
export const manualPages = (program: Command): ReadonlyMap<string, string> =>
  new Map([
    ["footfall.1", programPage(program)],
    ...program.commands.map((noun) => [`footfall-${noun.name()}.1`, nounPage(noun)] as const),
  ])

const programPage = (program: Command): string =>
  page("footfall", "the Footfall command line", [
    ".SH SYNOPSIS",
    ".B footfall",
    ".I noun verb",
    "[options]",
    ".SH DESCRIPTION",
    text(program.description()),
    "Each noun has a page of its own, for example",
    ".BR footfall-visitors (1).",
    ".SH COMMANDS",
    ...program.commands.flatMap((noun) => item(bold(noun.name()), sentence(noun))),
    ".SH OPTIONS",
    "Every command takes these.",
    ...optionItems(program),
    ".SH EXIT STATUS",
    ...Object.entries(ExitCode).flatMap(([name, code]) =>
      // The keys of the object are those of the table, which is Markdown.
      item(bold(String(code)), when[name as keyof typeof ExitCode].replace(/[`\\]/g, "")),
    ),
    ".SH ENVIRONMENT",
    ...Object.entries(variables).flatMap(([name, meaning]) => item(bold(name), meaning)),
  ])

const variables: Readonly<Record<string, string>> = {
  FOOTFALL_API_KEY: "API key.",
  FOOTFALL_ACCESS_TOKEN: "Access token of a user.",
  FOOTFALL_BASE_URL: "Address of the server.",
  FOOTFALL_PROFILE: "Name of a profile.",
  FOOTFALL_CONFIG_DIR: "Directory of config.json, which holds the profiles.",
  FOOTFALL_PAGER: "Pager for long results; PAGER comes second.",
}

const nounPage = (noun: Command): string =>
  page(`footfall-${noun.name()}`, noun.summary(), [
    ".SH SYNOPSIS",
    ...leavesOf(noun).flatMap((command, at) => [...(at === 0 ? [] : [".br"]), synopsis(command)]),
    ".SH DESCRIPTION",
    text(sentence(noun)),
    ...leavesOf(noun).flatMap((command) => commandSection(command, noun)),
    ".SH SEE ALSO",
    ".BR footfall (1)",
  ])

const commandSection = (command: Command, noun: Command): ReadonlyArray<string> => [
  ...(command === noun ? [] : [`.SH ${heading(pathOf(command))}`, text(sentence(command))]),
  ...command.registeredArguments.flatMap((argument) =>
    item(italic(argumentText(argument)), described(argument)),
  ),
  ...optionItems(command),
  ...(examplesOf(command).length === 0
    ? []
    : [".PP", "Examples:", ".nf", ...examplesOf(command).map(text), ".fi"]),
]

const page = (name: string, does: string, body: ReadonlyArray<string>): string =>
  `${[
    `.TH ${heading(name)} 1 "" "footfall ${escaped(version)}"`,
    ".SH NAME",
    `${escaped(name)} \\- ${escaped(does)}`,
    ...body,
  ].join("\n")}\n`

const synopsis = (command: Command): string =>
  [
    bold(pathOf(command)),
    ...command.registeredArguments.map((argument) => italic(argumentText(argument))),
    ...(shownOptions(command).length === 0 ? [] : ["[options]"]),
  ].join(" ")

const item = (term: string, meaning: string): ReadonlyArray<string> => [".TP", term, text(meaning)]

const optionItems = (command: Command): ReadonlyArray<string> =>
  shownOptions(command).flatMap((option) => item(bold(option.flags), described(option)))

const shownOptions = ({ options }: Command): ReadonlyArray<Option> =>
  options.filter(({ hidden }) => !hidden)

const described = ({ argChoices, description }: Argument | Option): string =>
  argChoices === undefined ? description : `${description} (one of ${argChoices.join(", ")})`

const argumentText = (argument: Argument): string => {
  const name = `${argument.name()}${argument.variadic ? "..." : ""}`
  return argument.required ? `<${name}>` : `[${name}]`
}

/** The command lines of the help, without the sign of the prompt. */
const examplesOf = (command: Command): ReadonlyArray<string> => {
  let help = ""
  command.configureOutput({ writeOut: (part) => (help += part) }).outputHelp()
  const [, examples = ""] = /\nExamples:\n([^]*?)(?:\n\n|$)/.exec(help) ?? []
  return examples.split("\n").map((line) => line.replace(/^ {2}(\$ )?/, ""))
}

const leavesOf = (command: Command): ReadonlyArray<Command> =>
  command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf)

const pathOf = (command: Command): string =>
  command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`

const bold = (words: string): string => `\\fB${escaped(words)}\\fR`

const italic = (words: string): string => `\\fI${escaped(words)}\\fR`

/** An argument of a macro. */
const heading = (words: string): string => `"${escaped(words).replaceAll('"', "\\(dq")}"`

/** A line of text: one that begins with a sign of control gets an empty character before it. */
const text = (words: string): string => escaped(words).replace(/^(?=[.'])/gm, "\\&")

/** Each character as itself, in ASCII where roff has a name for it. */
const escaped = (words: string): string =>
  words
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll("'", "\\(aq")
    .replaceAll("`", "\\(ga")
    .replace(
      /[^\n\x20-\x7E]/g,
      (sign) => `\\[u${sign.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0")}]`,
    )
