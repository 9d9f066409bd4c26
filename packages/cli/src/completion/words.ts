// What can be typed after each command, read from the command tree, so that completion and program
// always agree. Hidden options are left out.

import type { Command, Option } from "commander"
import { plainText } from "../terminal/terminal.ts"

/** A word and its description, on one line. */
export interface Word {
  readonly text: string
  readonly does: string
}

/** An option, and what may follow it. */
export interface OptionWord extends Word {
  /** Null for a flag; `any` is free text or a file. */
  readonly value: ReadonlyArray<string> | "profile" | "any" | null
  /** Whether every command has it. */
  readonly isGlobal: boolean
}

/** A place on a command line and what may follow. */
export interface Place {
  /** The command so far, without the program; empty for the program itself. */
  readonly path: string
  readonly commands: ReadonlyArray<Word>
  readonly options: ReadonlyArray<OptionWord>
  /** Values of its arguments, if they are a closed list. */
  readonly values: ReadonlyArray<string>
}

/** Every place, commands before their subcommands. Global options appear at each. */
export const places = (program: Command): ReadonlyArray<Place> => placesOf(program, "", [])

const placesOf = (
  command: Command,
  path: string,
  inherited: ReadonlyArray<OptionWord>,
): ReadonlyArray<Place> => {
  const own = command
    .createHelp()
    .visibleOptions(command)
    .flatMap((option) => optionWords(option, path === ""))
  const options = [...own, ...inherited.filter(({ text }) => text !== "--help")]
  const place: Place = {
    path,
    commands: command.commands.map((one) => ({ text: one.name(), does: sentence(one) })),
    options,
    values: command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []),
  }
  // Only the program itself has --version.
  const handedOn = path === "" ? options.filter(({ text }) => text !== "--version") : inherited
  const below = command.commands.flatMap((one) =>
    placesOf(one, path === "" ? one.name() : `${path} ${one.name()}`, handedOn),
  )
  return [place, ...below]
}

const sentence = (command: Command): string => plainText(command.summary() || command.description())

/** The long form, plus the short one if a value follows it. */
const optionWords = (option: Option, isGlobal: boolean): ReadonlyArray<OptionWord> => {
  const { description, long, short } = option
  const value = valueOf(option)
  return [long, value === null ? null : short]
    .filter((text) => typeof text === "string")
    .map((text) => ({ text, does: plainText(description), value, isGlobal }))
}

const valueOf = ({ long, required, optional, argChoices }: Option): OptionWord["value"] => {
  if (!required && !optional) return null
  if (long === "--profile") return "profile"
  return argChoices ?? "any"
}
