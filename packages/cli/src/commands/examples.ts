// The examples at the end of a command's help.

/** Text for `addHelpText("after", …)`: one command line and, after `#`, what it is for, a line. */
export const examples = (...lines: ReadonlyArray<string>): string =>
  `\nExamples:\n${lines.map((line) => `  $ ${line}`).join("\n")}`
