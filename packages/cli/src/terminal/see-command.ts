// A suggested next command, in lines that fit the screen and that people can copy.

const LABEL = "See: "
const INDENT = " ".repeat(LABEL.length)

/** Continues a command on the next line in a shell. */
const CONTINUATION = " \\"

/** On one line if it fits. Words are never broken, so a word longer than the screen stays whole. */
export const seeCommand = (command: string, columns: number): string => {
  const words = command.split(" ")
  const done: Array<string> = []
  let line = LABEL.trimEnd()
  for (const [index, word] of words.entries()) {
    const needed =
      line.length + 1 + word.length + (index < words.length - 1 ? CONTINUATION.length : 0)
    if (index === 0 || needed <= columns) line += ` ${word}`
    else {
      done.push(line + CONTINUATION)
      line = INDENT + word
    }
  }
  return `${[...done, line].join("\n")}\n`
}
