// Generates the reference page of the command line from its commands: the same as `--help`. Only the descriptions of
// the exit codes are written here.

import type { Argument, Command, Option } from "commander"
import { ExitCode } from "../src/errors/cli-error.ts"
import { sentence, wholeProgram } from "../src/program.ts"
import { Pager } from "../src/terminal/pager.ts"
import type { Terminal } from "../src/terminal/terminal.ts"

export const cliReference = async (): Promise<string> => {
  const program = await wholeProgram(nowhere(), "")
  return [
    heading(leavesOf(program).length),
    optionTable(program),
    "",
    "| Exit code | When |",
    "| --- | --- |",
    ...Object.entries(ExitCode).map(
      // The keys of the object are those of the table.
      ([name, code]) => `| ${code} | ${when[name as keyof typeof ExitCode]} |`,
    ),
    "",
    ...program.commands.flatMap((command) => [
      `## footfall ${command.name()}\n`,
      `${sentence(command)}\n`,
      ...leavesOf(command).map(commandText),
    ]),
  ].join("\n")
}

const heading = (commands: number): string => `# Command line reference

Generated from the commands of \`footfall\` with \`npm run reference\`. Do not edit. There are ${commands} commands;
\`--help\` shows the same with examples. Every command takes:
`

/** What each exit code means. */
export const when: Readonly<Record<keyof typeof ExitCode, string>> = {
  done: "success; also if there was nothing to change, or if the output was closed (`\\| head`)",
  failed:
    "failure: an error of the server or the network, an unexpected error, a declined confirmation, or every row rejected",
  usage: "invalid command line, or a question without a terminal",
  partial: "partly done: some rows were rejected",
  authentication: "not signed in, or not allowed",
  notFound: "not found",
  conflict: "conflict",
  changes: "with `plan --exit-code`: there are changes",
  interrupted: "interrupted with Ctrl-C",
  terminated: "terminated by SIGTERM",
}

const commandText = (command: Command): string => {
  const isGroup = command.parent?.parent === null
  const given = command.registeredArguments
  return [
    ...(isGroup ? [] : [`### ${pathOf(command)}\n`, `${sentence(command)}\n`]),
    "```text",
    [pathOf(command), ...given.map(argumentText), ...(hasOptions(command) ? ["[options]"] : [])]
      .join(" ")
      .trim(),
    "```\n",
    ...(given.some(({ description }) => description !== "") ? [argumentTable(given), ""] : []),
    ...(hasOptions(command) ? [optionTable(command), ""] : []),
  ].join("\n")
}

const argumentText = (argument: Argument): string => {
  const name = `${argument.name()}${argument.variadic ? "..." : ""}`
  return argument.required ? `<${name}>` : `[${name}]`
}

const argumentTable = (given: ReadonlyArray<Argument>): string =>
  table(
    "Argument",
    given.map((argument) => [argument.name(), withChoices(argument)]),
  )

const optionTable = (command: Command): string =>
  table(
    "Option",
    shownOptions(command).map((option) => [option.flags, withChoices(option)]),
  )

const table = (what: string, rows: ReadonlyArray<readonly [string, string]>): string =>
  [
    `| ${what} | Meaning |`,
    "| --- | --- |",
    ...rows.map(([name, means]) => `| \`${cell(name)}\` | ${cell(means)} |`),
  ].join("\n")

const withChoices = ({ argChoices, defaultValue, description }: Argument | Option): string => {
  const choices = argChoices === undefined ? [] : [`one of ${argChoices.join(", ")}`]
  const isTold = ["string", "number"].includes(typeof defaultValue)
  const more = [...choices, ...(isTold ? [`default: ${defaultValue}`] : [])]
  return more.length === 0 ? description : `${description} (${more.join("; ")})`
}

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ")

const shownOptions = ({ options }: Command): ReadonlyArray<Option> =>
  options.filter(({ hidden }) => !hidden)
const hasOptions = (command: Command): boolean => shownOptions(command).length > 0

const leavesOf = (command: Command): ReadonlyArray<Command> =>
  command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf)

const pathOf = (command: Command): string =>
  command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`

/** Nothing is run, so nothing is written. */
export const nowhere = (): Terminal => ({
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  pager: new Pager({ stdout: process.stdout, environment: {}, commandLine: [] }),
  environment: {},
  now: new Date(0),
  atInterrupt: new Set(),
  liveScreens: new Set(),
  isQuiet: false,
  endWith: () => {},
})
