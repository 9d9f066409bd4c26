// A command in lines that fit the screen and that people can copy.

/** Continues a command on the next line in a shell. */
const CONTINUATION = " \\"

/** Quoted text stays whole. */
const SHELL_WORD = /(?:'[^']*'|"[^"]*"|[^\s'"])+/g

interface Layout {
  /** Before the command, such as `See:`. */
  readonly label: string
  /** Before each further line. */
  readonly indent: string
  readonly columns: number
}

/** One line if it fits. Words are never broken, so a word longer than the screen stays whole. */
export const commandLines = (
  command: string,
  { columns, indent, label }: Layout,
): ReadonlyArray<string> => {
  const words = command.match(SHELL_WORD) ?? []
  const done: Array<string> = []
  let line = label
  for (const [index, word] of words.entries()) {
    const needed =
      line.length + 1 + word.length + (index < words.length - 1 ? CONTINUATION.length : 0)
    if (index === 0 || needed <= columns) line += ` ${word}`
    else {
      done.push(line + CONTINUATION)
      line = indent + word
    }
  }
  return [...done, line]
}
