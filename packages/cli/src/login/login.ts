// `footfall login`, `logout`, `whoami` and `accept-invitation`.

import type { Me } from "@footfall/sdk"
import { Option } from "commander"
import { define } from "../command/define.ts"
import { uuid } from "../command/values.ts"
import { clientOf } from "../connection/connect.ts"
import { credentialsMissing, readSecretInput } from "../connection/credential.ts"
import { keepSession, loginPlace, type LoginPlace } from "../connection/login-place.ts"
import { credentialSent, settle } from "../connection/settings.ts"
import { usageError } from "../errors/cli-error.ts"
import { fieldsOption } from "../output/output-format.ts"
import { factsText } from "../output/print-result.ts"
import {
  requireProfile,
  type Session,
  sessionOf,
  withProfile,
  withSession,
} from "../profiles/profile.ts"
import { canAsk, lines, type Terminal, warnOn } from "../terminal/terminal.ts"
import type { Fact } from "../ui/facts.tsx"

interface AcceptOptions {
  readonly name?: string
  readonly stdin?: true
}

export const acceptInvitationCommand = define<AcceptOptions>("accept-invitation", {
  takes: (command) =>
    command
      .option("--name <name>", "your name, as others see it")
      .option("--stdin", "read the invitation and the password from standard input, on two lines"),
  examples: [
    "footfall accept-invitation --base-url https://footfall.example.com",
    "footfall accept-invitation --name 'Lee Park' --stdin < invitation-and-password.txt",
  ],
  run: async ({ options, print, terminal, command }) => {
    const place = loginPlace(terminal, command)
    const { token, password } = await givenSecrets(terminal, options)

    const { Footfall } = await import("@footfall/sdk")
    const client = new Footfall({ baseUrl: place.baseUrl })
    const tokens = await client.auth.acceptInvite({ token, password, name: options.name })

    const me = await meOf(place, tokens.accessToken)
    await keepSession(place, sessionOf(me.user.email, tokens, Date.now()))

    const { user, organization, role } = me
    const data = { profile: place.profile, user, organization, role }
    await print(data, () => lines(loggedInSentence(me, place.profile)))
  },
})

interface LoginOptions {
  readonly email?: string
  readonly passwordStdin?: true
  readonly organization?: string
}

export const loginCommand = define<LoginOptions>("login", {
  takes: (command) =>
    command
      .description(
        "Sign in as a user, to manage what an API key cannot: keys, members, organizations, imports.\n" +
          "The session is saved in the profile and stays valid for 30 days after its last use.",
      )
      .option("--email <address>", "your email address (asked for otherwise)")
      .option("--password-stdin", "read the password from standard input")
      .addOption(
        new Option(
          "--organization <id>",
          "the organization to use (default: the one you joined first)",
        ).argParser(uuid("an organization", "footfall organizations list")),
      ),
  examples: [
    "footfall login",
    "footfall login --profile production --base-url https://footfall.example.com",
    "footfall login --email ci@example.com --password-stdin < password.txt",
  ],
  run: async ({ options, print, terminal, command }) => {
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

    const me = await meOf(place, tokens.accessToken)
    const { user, organization, role } = me
    const data = { profile: place.profile, user, organization, role }
    await print(data, () => lines(loggedInSentence(me, place.profile)))
  },
})

export const logoutCommand = define("logout", {
  examples: ["footfall logout", "footfall logout --profile production"],
  run: async ({ print, terminal, command }) => {
    const { file, settings } = await settle(terminal, command)
    const { baseUrl, sessionProfile: name } = settings
    if (name === undefined) throw credentialsMissing("accessToken")
    const warn = warnOn(terminal)
    let ended: Session | undefined
    // Under the lock, or a renewal at the same moment would bring the log-in back.
    await file.change(
      () => {},
      async (profiles) => {
        const profile = requireProfile(profiles, name)
        ended = profile.session
        if (ended !== undefined) await endOnServer(baseUrl, ended, warn)
        return withProfile(profiles, name, withSession(profile, undefined))
      },
    )
    const data = { profile: name, email: ended?.email ?? null, loggedOut: true }
    await print(data, () =>
      lines(`${ended?.email ?? "No one"} is signed out of the profile ${name}.`),
    )
  },
})

/** Of each of at most three requests; other commands wait longer for the file. */
const TIMEOUT_MS = 3_000

export const whoamiCommand = define("whoami", {
  takes: (command) => command.addOption(fieldsOption()),
  examples: ["footfall whoami", "footfall whoami --json | jq -r .data.role"],
  run: async ({ print, terminal, command }) => {
    const settled = await settle(terminal, command)
    const { baseUrl, sessionProfile, apiKey } = settled.settings
    const hasKey = apiKey !== undefined
    if (credentialSent(settled.settings, "accessToken") === null) {
      if (!hasKey) throw credentialsMissing("either")
      const client = await clientOf(settled, "apiKey")
      const { organization } = await client.account.get()
      const data = { user: null, role: null, organization, server: baseUrl, hasApiKey: true }
      return print(data, factsText(keyFacts(organization.name, baseUrl)))
    }
    const client = await clientOf(settled, "accessToken")
    const { user, role, organization, organizations } = await client.auth.me()
    const data = { user, role, organization, organizations, server: baseUrl, hasApiKey: hasKey }
    return print(
      data,
      factsText([
        ["User", user.name === null ? user.email : `${user.name} <${user.email}>`],
        ["Organization", `${organization.name} (${organization.slug})`],
        ["Role", role],
        ["Others", others(organizations, organization.id)],
        ["Server", baseUrl],
        ["Profile", sessionProfile ?? null],
        ["API key", hasKey ? "yes" : "none. Run: footfall keys create <name> --save"],
      ]),
    )
  },
})

/** Asks the server whose token it is. Errors: those of the server. */
const meOf = async ({ baseUrl }: LoginPlace, accessToken: string): Promise<Me> => {
  const { Footfall } = await import("@footfall/sdk")
  return new Footfall({ baseUrl, accessToken }).auth.me()
}

/** For example `Signed in as jane@…, owner of Tidewater, in the profile demo.` */
const loggedInSentence = (me: Me, profile: string): string =>
  `Signed in as ${me.user.email}, ${me.role} of ${me.organization.name}, in the profile ${profile}.`

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
      "Can't ask for the invitation: this is not a terminal.",
      "Pass the invitation and the password on standard input, on two lines, with --stdin.",
    )
  }
  const { ask } = await import("../terminal/ask.tsx")
  const token = await ask(terminal, { question: "Invitation", isHidden: true })
  const password = await ask(terminal, { question: "New password", isHidden: true })
  const again = await ask(terminal, { question: "Repeat password", isHidden: true })
  if (password !== again) throw usageError("The passwords do not match.")
  return { token, password }
}

const givenEmail = async (terminal: Terminal, { email }: LoginOptions): Promise<string> => {
  if (email !== undefined) return email.trim()
  if (!canAsk(terminal)) {
    throw usageError(
      "Can't ask for the email address: this is not a terminal.",
      "Add --email <address>.",
    )
  }
  const { ask } = await import("../terminal/ask.tsx")
  return ask(terminal, { question: "Email", isHidden: false })
}

const givenPassword = async (terminal: Terminal, options: LoginOptions): Promise<string> => {
  if (options.passwordStdin && !terminal.stdin.isTTY) return readSecretInput(terminal)
  if (!canAsk(terminal)) {
    throw usageError(
      "Can't ask for the password: this is not a terminal.",
      "Pass it on standard input: footfall login --email <address> --password-stdin < password.txt",
    )
  }
  const { ask } = await import("../terminal/ask.tsx")
  return ask(terminal, { question: "Password", isHidden: true })
}

const endOnServer = async (
  baseUrl: string,
  { accessToken, refreshToken }: Session,
  warn: (message: string) => void,
): Promise<void> => {
  const { AuthenticationError, Footfall } = await import("@footfall/sdk")
  const options = { baseUrl, timeoutMs: TIMEOUT_MS, retriesMax: 0 }
  try {
    await new Footfall({ ...options, accessToken }).auth.logout({ refreshToken })
  } catch (error) {
    // An access token that has run out cannot end its chain, and one that was ended has none.
    if (error instanceof AuthenticationError) return endAfterRenewal(options, refreshToken)
    const reason = error instanceof Error ? error.message : String(error)
    warn(`Could not sign out on the server (${reason}). The session there expires within 30 days.`)
  }
}

const endAfterRenewal = async (
  options: { readonly baseUrl: string; readonly timeoutMs: number; readonly retriesMax: number },
  refreshToken: string,
): Promise<void> => {
  const { Footfall } = await import("@footfall/sdk")
  try {
    const tokens = await new Footfall(options).auth.refresh({ refreshToken })
    const client = new Footfall({ ...options, accessToken: tokens.accessToken })
    await client.auth.logout({ refreshToken: tokens.refreshToken })
  } catch {
    // The chain has ended already, which is what was wanted.
  }
}

const keyFacts = (organization: string, baseUrl: string): ReadonlyArray<Fact> => [
  ["User", "none (API key)"],
  ["Organization", organization],
  ["Server", baseUrl],
]

const others = (
  organizations: ReadonlyArray<{ readonly id: string; readonly slug: string }>,
  idInUse: string,
): string =>
  organizations
    .filter(({ id }) => id !== idInUse)
    .map(({ slug }) => slug)
    .join(", ")
