// The hidden question for a key. Shows how many characters came in, never which.

import { Box, Text, useInput, usePaste } from "ink"
import { useRef, useState } from "react"
import type { ReactNode } from "react"

/** What the prompt asks and where the answer goes. */
export interface SecretPromptProps {
  readonly question: string
  /** Called once; null when the person pressed Ctrl-C or Ctrl-D. */
  readonly onAnswer: (answer: string | null) => void
}

/**
 * Enter answers, Backspace takes one character back, Ctrl-U all of them. A paste may end with a
 * line break, which answers too where the terminal does not mark pastes.
 */
export const SecretPrompt = ({ question, onAnswer }: SecretPromptProps): ReactNode => {
  // Keys can arrive faster than the screen is drawn, so the answer does not live in its state.
  const answer = useRef("")
  const [length, setLength] = useState(0)
  const change = (text: string): void => {
    answer.current = text
    setLength(text.length)
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
      <Text bold>{question}</Text>
      <Text dimColor>(hidden)</Text>
      <Text wrap="truncate">{"•".repeat(length)}</Text>
    </Box>
  )
}
