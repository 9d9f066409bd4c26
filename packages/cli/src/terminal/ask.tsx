// Asks for one line on the terminal, hidden if it is a secret. Loads Ink, so import it only to ask.

import { Box, render, Text, useInput, usePaste } from "ink"
import { type ReactNode, useRef, useState } from "react"
import { CliError, ExitCode } from "../errors/cli-error.ts"
import { plainText, type Terminal } from "./terminal.ts"

/** What the prompt asks and where the answer goes. */
interface PromptProps {
  readonly question: string
  readonly isHidden: boolean
  /** Called once; null when the person pressed Ctrl-C or Ctrl-D. */
  readonly onAnswer: (answer: string | null) => void
}

/**
 * Enter answers, Backspace takes one character back, Ctrl-U all of them. A paste may end with a
 * line break, which answers too where the terminal does not mark pastes.
 */
const Prompt = ({ question, isHidden, onAnswer }: PromptProps): ReactNode => {
  // Keys can arrive faster than the screen is drawn, so the answer does not live in its state.
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

/** What is asked. */
interface Question {
  readonly question: string
  readonly isHidden: boolean
}

/** The question goes to standard error. Errors: interrupted, for Ctrl-C and Ctrl-D. */
export const ask = async (
  terminal: Terminal,
  { question, isHidden }: Question,
): Promise<string> => {
  const { promise, resolve } = Promise.withResolvers<string | null>()
  // Ink stops the echo only after it has drawn the question; a person may type faster.
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
