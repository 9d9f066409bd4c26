// Asks for one line on the terminal, without showing it where it is a secret. Loads Ink, so import it
// only to ask.

import { render } from "ink"
import { CliError } from "../errors/cli-error.ts"
import { ExitCode } from "../errors/exit-code.ts"
import { Prompt } from "../screens/Prompt.tsx"
import type { Terminal } from "./terminal.ts"

/** What is asked. */
export interface Question {
  readonly question: string
  readonly isHidden: boolean
}

/** The question goes to standard error. Errors: interrupted, for Ctrl-C and Ctrl-D. */
export const ask = async (
  terminal: Terminal,
  { question, isHidden }: Question,
): Promise<string> => {
  const { promise, resolve } = Promise.withResolvers<string | null>()
  // Ink stops the echo only after it has drawn the question; somebody may type faster.
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
