// `footfall login`: exchanges address and password for tokens, which the profile keeps and renews. The
// password is asked for without showing it, or read from standard input; it is kept nowhere.

import type { Command } from "commander"
import { Option } from "commander"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { keepSession, loginPlace } from "../../connection/login-place.ts"
import { readSecretInput } from "../../connection/secret-input.ts"
import { usageError } from "../../errors/usage-error.ts"
import { printResult } from "../../output/print-result.ts"
import { sessionOf } from "../../profiles/session.ts"
import { lines } from "../../terminal/lines.ts"
import { canAsk, type Terminal } from "../../terminal/terminal.ts"
import { examples } from "../examples.ts"
import { uuid } from "../uuid.ts"

/** As commander hands them over. */
interface LoginOptions extends GlobalOptions {
  readonly email?: string
  readonly passwordStdin?: true
  readonly organization?: string
}

/** What the command takes and does. */
export const defineLogin = (command: Command, terminal: Terminal): void => {
  command
    .description(
      "Log in as a user, for what an API key may not: keys, members, organizations, imports.\n" +
        "The log-in is kept in the profile and renewed by itself for 30 days after its last use.",
    )
    .option("--email <address>", "who logs in (asked for otherwise)")
    .option("--password-stdin", "read the password from standard input")
    .addOption(
      new Option("--organization <id>", "another organization than the one joined first").argParser(
        uuid("an organization", "footfall organizations list"),
      ),
    )
    .addHelpText(
      "after",
      examples(
        "footfall login",
        "footfall login --profile production --base-url https://footfall.example.com",
        "footfall login --email ci@example.com --password-stdin < password.txt",
      ),
    )
    .action(async () => {
      const options = command.optsWithGlobals<LoginOptions>()
      const place = loginPlace(terminal, command)
      const email = await givenEmail(terminal, options)
      const password = await givenPassword(terminal, options)

      const { Footfall } = await import("@footfall/sdk")
      const tokens = await new Footfall({ baseUrl: place.baseUrl }).auth.login({
        email,
        password,
        organizationId: options.organization,
      })
      await keepSession(place, sessionOf(email, tokens, Date.now()))

      const { loggedInSentence, meOf } = await import("./who.ts")
      const me = await meOf(place, tokens.accessToken)
      const { user, organization, role } = me
      const data = { profile: place.profile, user, organization, role }
      await printResult(terminal, options, data, () => lines(loggedInSentence(me, place.profile)))
    })
}

const givenEmail = async (terminal: Terminal, { email }: LoginOptions): Promise<string> => {
  if (email !== undefined) return email.trim()
  if (!canAsk(terminal)) {
    throw usageError("There is no terminal to ask for the address on.", "Add --email <address>.")
  }
  const { ask } = await import("../../terminal/ask.tsx")
  return ask(terminal, { question: "Email", isHidden: false })
}

const givenPassword = async (terminal: Terminal, options: LoginOptions): Promise<string> => {
  if (options.passwordStdin && !terminal.stdin.isTTY) return readSecretInput(terminal)
  if (!canAsk(terminal)) {
    throw usageError(
      "There is no terminal to ask for the password on.",
      "Send it on standard input: footfall login --email <address> --password-stdin < password.txt",
    )
  }
  const { ask } = await import("../../terminal/ask.tsx")
  return ask(terminal, { question: "Password", isHidden: true })
}
