// The question before something that cannot be taken back. Without a terminal nobody can answer, so
// `--yes` has to say it; a command never hangs and never assumes.

import { CliError } from "../errors/cli-error.ts"
import { ExitCode } from "../errors/exit-code.ts"
import { usageError } from "../errors/usage-error.ts"
import { canAsk, type Terminal } from "./terminal.ts"

/** What has to be agreed to. */
export interface Consent {
  /** A sentence that says what will happen. */
  readonly what: string
  /** What has to be typed; without it, `y` is enough. */
  readonly phrase?: string
  /** Whether `--yes` was given. */
  readonly isGiven: boolean
}

/** Errors: usage, when nobody can be asked; `DECLINED` (exit code 1); interrupted. */
export const requireConsent = async (terminal: Terminal, consent: Consent): Promise<void> => {
  const { what, phrase, isGiven } = consent
  if (isGiven) return
  if (!canAsk(terminal)) {
    throw usageError(`${what} There is no terminal to ask on.`, "Add --yes to do it unasked.")
  }
  const { ask } = await import("./ask.tsx")
  const question =
    phrase === undefined ? `${what} Go on? [y/N]` : `${what} Type ${phrase} to go on:`
  const answer = (await ask(terminal, { question, isHidden: false })).trim()
  const isAgreed = phrase === undefined ? /^y(es)?$/i.test(answer) : answer === phrase
  if (isAgreed) return
  throw new CliError({
    code: "DECLINED",
    message: "Nothing was changed.",
    exitCode: ExitCode.failed,
  })
}
