// Asks for one line on the terminal, hidden if it is a secret. Loads Ink, so import it only to ask.

import { Box, render, Text, useInput, usePaste } from "ink"
import { type ReactNode, useRef, useState } from "react"
import { CliError, ExitCode } from "../errors/cli-error.ts"
import { plainText, type Terminal } from "./terminal.ts"

/** The prompt's question, and where the answer goes. */
interface PromptProps {
  readonly question: string
  readonly isHidden: boolean
  /** Called once; null if the user pressed Ctrl-C or Ctrl-D. */
  readonly onAnswer: (answer: string | null) => void
}

/**
 * Enter submits, Backspace deletes one character, Ctrl-U deletes all of them. A paste may end with a line break, which
 * also submits if the terminal does not mark pastes.
 */
const Prompt = ({ question, isHidden, onAnswer }: PromptProps): ReactNode => {
  // A ref and not state, because keys can arrive faster than the screen is drawn.
  const answer = useRef("")
  const [shown, setShown] = useState("")
  const change = (text: string): void => {
    answer.current = text
    setShown(isHidden ? "•".repeat(text.length) : plainText(text))
  }

  usePaste((text) => change(answer.current + text.trim()))
  useInput((input, key) => {
    if (key.ctrl && (input === "c" || input === "d")) onAnswer(null)
    else if (key.return) onAnswer(answer.current.trim())
    else if (/[\r\n]/.test(input)) onAnswer((answer.current + input.split(/[\r\n]/)[0]).trim())
    else if (key.backspace || key.delete) change(answer.current.slice(0, -1))
    else if (key.ctrl && input === "u") change("")
    else if (!key.ctrl && !key.meta) change(answer.current + input)
  })

  return (
    <Box gap={1}>
      <Text bold>{plainText(question)}</Text>
      {isHidden ? <Text dimColor>(hidden)</Text> : null}
      <Text wrap="truncate-start">{shown}</Text>
    </Box>
  )
}

/** What to ask. */
interface Question {
  readonly question: string
  readonly isHidden: boolean
}

/** Prints the question to standard error. Errors: interrupted, for Ctrl-C and Ctrl-D. */
export const ask = async (
  terminal: Terminal,
  { question, isHidden }: Question,
): Promise<string> => {
  const { promise, resolve } = Promise.withResolvers<string | null>()
  // Ink turns off echo only after drawing the question, and a person may type before that.
  terminal.stdin.setRawMode(true)
  const screen = render(<Prompt question={question} isHidden={isHidden} onAnswer={resolve} />, {
    stdin: terminal.stdin,
    stdout: terminal.stderr,
    exitOnCtrlC: false,
  })
  const answer = await promise
  screen.unmount()
  await screen.waitUntilExit()
  terminal.stdin.setRawMode(false)

  if (answer !== null) return answer
  throw new CliError({
    code: "INTERRUPTED",
    message: "Interrupted.",
    exitCode: ExitCode.interrupted,
  })
}
