// A suggested next command.

import { commandLines } from "./command-lines.ts"

const LABEL = "See:"

export const seeCommand = (command: string, columns: number): string => {
  const indent = " ".repeat(LABEL.length + 1)
  return `${commandLines(command, { label: LABEL, indent, columns }).join("\n")}\n`
}
