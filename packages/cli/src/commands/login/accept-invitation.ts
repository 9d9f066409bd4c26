// `footfall accept-invitation`: an invited user sets a password, and is logged in. Invitation and
// password are asked for without showing them, or read from standard input as two lines.

import type { Command } from "commander"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { keepSession, loginPlace } from "../../connection/login-place.ts"
import { readSecretInput } from "../../connection/secret-input.ts"
import { usageError } from "../../errors/usage-error.ts"
import { printResult } from "../../output/print-result.ts"
import { sessionOf } from "../../profiles/session.ts"
import { lines } from "../../terminal/lines.ts"
import { canAsk, type Terminal } from "../../terminal/terminal.ts"
import { examples } from "../examples.ts"

/** As commander hands them over. */
interface AcceptOptions extends GlobalOptions {
  readonly name?: string
  readonly stdin?: true
}

/** What the command takes and does. */
export const defineAcceptInvitation = (command: Command, terminal: Terminal): void => {
  command
    .option("--name <name>", "your name, as others will see it")
    .option("--stdin", "read the invitation and the password from standard input, a line each")
    .addHelpText(
      "after",
      examples(
        "footfall accept-invitation --base-url https://footfall.example.com",
        "footfall accept-invitation --name 'Lee Park' --stdin < invitation-and-password.txt",
      ),
    )
    .action(async () => {
      const options = command.optsWithGlobals<AcceptOptions>()
      const place = loginPlace(terminal, command)
      const { token, password } = await givenSecrets(terminal, options)

      const { Footfall } = await import("@footfall/sdk")
      const client = new Footfall({ baseUrl: place.baseUrl })
      const tokens = await client.auth.acceptInvite({ token, password, name: options.name })

      const { loggedInSentence, meOf } = await import("./who.ts")
      const me = await meOf(place, tokens.accessToken)
      await keepSession(place, sessionOf(me.user.email, tokens, Date.now()))

      const { user, organization, role } = me
      const data = { profile: place.profile, user, organization, role }
      await printResult(terminal, options, data, () => lines(loggedInSentence(me, place.profile)))
    })
}

const givenSecrets = async (
  terminal: Terminal,
  { stdin }: AcceptOptions,
): Promise<{ readonly token: string; readonly password: string }> => {
  if (stdin && !terminal.stdin.isTTY) {
    const [token = "", password = ""] = (await readSecretInput(terminal)).split(/\r?\n/)
    return { token: token.trim(), password }
  }
  if (!canAsk(terminal)) {
    throw usageError(
      "There is no terminal to ask for the invitation on.",
      "Send invitation and password on standard input, a line each, with --stdin.",
    )
  }
  const { ask } = await import("../../terminal/ask.tsx")
  const token = await ask(terminal, { question: "Invitation", isHidden: true })
  const password = await ask(terminal, { question: "New password", isHidden: true })
  const again = await ask(terminal, { question: "Once more", isHidden: true })
  if (password !== again) throw usageError("The two passwords differ.")
  return { token, password }
}
