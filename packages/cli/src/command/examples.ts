// The examples in a command's help.

import type { AddHelpTextContext } from "commander"
import { commandLines } from "../terminal/command-lines.ts"

const PROMPT = "  $"
/** Before a continued line. */
const INDENT = "      "

/**
 * Text for `addHelpText("after", …)`: one command line and, after `#`, its purpose, per line. If a purpose doesn't fit
 * next to its command, all purposes are above their commands.
 */
export const examples =
  (...lines: ReadonlyArray<string>) =>
  ({ command }: AddHelpTextContext): string => {
    const columns = command.configureOutput().getOutHelpWidth?.() ?? Infinity
    const all = lines.map((line) => ({ line, parts: line.split(/(?<! ) +# (?=[^#]*$)/) }))
    const isNarrow = all.some(
      ({ line, parts }) => parts.length > 1 && PROMPT.length + 1 + line.length > columns,
    )
    const rows = all.flatMap(({ line, parts: [commandLine = "", purpose] }) => {
      if (purpose !== undefined && !isNarrow) return [`${PROMPT} ${line}`]
      return [
        ...(purpose === undefined ? [] : [`  # ${purpose}`]),
        ...commandLines(commandLine, { label: PROMPT, indent: INDENT, columns }),
      ]
    })
    return `\nExamples:\n${rows.join("\n")}`
  }
