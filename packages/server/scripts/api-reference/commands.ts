// The examples of every command of the CLI, as its `--help` has them. Its sources are JSX in part, which the compiler
// does not read as part of the server: the import is one of the build alone.

interface Examples {
  readonly commandExamples: () => Promise<ReadonlyMap<string, ReadonlyArray<string>>>
}

const module = new URL("../../../cli/scripts/command-examples.ts", import.meta.url).href
const cli = (await import(module)) as Examples

/** By the words of the command, without `footfall`. */
export const commandExamples = await cli.commandExamples()
