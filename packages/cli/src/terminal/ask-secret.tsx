// Asks for a secret on the terminal without showing it. Loads Ink, so import it only to ask.

import { render } from "ink"
import { CliError } from "../errors/cli-error.ts"
import { ExitCode } from "../errors/exit-code.ts"
import { SecretPrompt } from "../screens/SecretPrompt.tsx"
import type { Terminal } from "./terminal.ts"

/** The question goes to standard error. Errors: interrupted, for Ctrl-C and Ctrl-D. */
export const askSecret = async (terminal: Terminal, question: string): Promise<string> => {
  const { promise, resolve } = Promise.withResolvers<string | null>()
  // Ink stops the echo only after it has drawn the question; somebody may type faster.
  terminal.stdin.setRawMode(true)
  const screen = render(<SecretPrompt question={question} onAnswer={resolve} />, {
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
