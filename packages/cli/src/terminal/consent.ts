// Asks for confirmation before something irreversible. Without a terminal `--yes` is required: a
// command never hangs and never assumes consent.

import { CliError, ExitCode, usageError } from "../errors/cli-error.ts"
import { canAsk, type Terminal } from "./terminal.ts"

/** What the user must confirm. */
export interface Consent {
  /** A sentence that says what will happen. */
  readonly what: string
  /** What the user must type; without it, `y` is enough. */
  readonly phrase?: string
  /** Whether `--yes` was given. */
  readonly isConfirmed: boolean
}

/** Errors: usage, without a terminal; `DECLINED` (exit code 1); interrupted. */
export const requireConsent = async (terminal: Terminal, consent: Consent): Promise<void> => {
  const { what, phrase, isConfirmed } = consent
  if (isConfirmed) return
  if (!canAsk(terminal)) {
    throw usageError(
      `${what} Can't prompt for confirmation: this is not a terminal.`,
      "Add --yes to skip the confirmation.",
    )
  }
  const { ask } = await import("./ask.tsx")
  const question =
    phrase === undefined ? `${what} Continue? [y/N]` : `${what} Type ${phrase} to continue:`
  const answer = (await ask(terminal, { question, isHidden: false })).trim()
  const isAgreed = phrase === undefined ? /^y(es)?$/i.test(answer) : answer === phrase
  if (isAgreed) return
  throw new CliError({
    code: "DECLINED",
    message: "Canceled. Nothing was changed.",
    exitCode: ExitCode.failed,
  })
}
