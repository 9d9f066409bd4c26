// The examples of every command, as its help shows them: for the API reference, and for the test that parses them.

import type { Command } from "commander"
import { wholeProgram } from "../src/program.ts"
import { nowhere } from "./cli-reference.ts"

/** By the words of the command, without `footfall`. */
export const commandExamples = async (): Promise<ReadonlyMap<string, ReadonlyArray<string>>> =>
  new Map(leavesOf(await wholeProgram(nowhere(), ""), []))

type Found = readonly [string, ReadonlyArray<string>]

const leavesOf = (command: Command, words: ReadonlyArray<string>): ReadonlyArray<Found> =>
  command.commands.length === 0
    ? [[words.join(" "), examplesOf(command)]]
    : command.commands.flatMap((one) => leavesOf(one, [...words, one.name()]))

const examplesOf = (command: Command): ReadonlyArray<string> => {
  let help = ""
  const getOutHelpWidth = () => Infinity // keeps each example on one line
  command.configureOutput({ getOutHelpWidth, writeOut: (text) => (help += text) }).outputHelp()
  const [, block = ""] = /\nExamples:\n((?: {2}.*\n?)+)/.exec(help) ?? []
  return block
    .split(/^ {2}\$ /m)
    .slice(1)
    .map((example) => example.trimEnd())
}
