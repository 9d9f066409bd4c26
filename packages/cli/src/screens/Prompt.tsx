// A question that is answered with one line. Of a hidden answer it shows how many characters came
// in, never which.

import { Box, Text, useInput, usePaste } from "ink"
import { useRef, useState } from "react"
import type { ReactNode } from "react"
import { plainText } from "../terminal/plain-text.ts"

/** What the prompt asks and where the answer goes. */
export interface PromptProps {
  readonly question: string
  readonly isHidden: boolean
  /** Called once; null when the person pressed Ctrl-C or Ctrl-D. */
  readonly onAnswer: (answer: string | null) => void
}

/**
 * Enter answers, Backspace takes one character back, Ctrl-U all of them. A paste may end with a
 * line break, which answers too where the terminal does not mark pastes.
 */
export const Prompt = ({ question, isHidden, onAnswer }: PromptProps): ReactNode => {
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
