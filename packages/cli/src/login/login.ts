// `footfall login`, `logout`, `whoami` and `accept-invitation`.

import type { Footfall, Me, Tokens } from "@footfall/sdk"
import { define } from "../command/define.ts"
import { asId } from "../command/reference.ts"
import { clientOf, waitHooks } from "../connection/connect.ts"
import { credentialsMissing } from "../connection/credential.ts"
import { readSecretInput } from "../connection/secret-input.ts"
import { keepSession, loginPlace, type LoginPlace } from "../connection/login-place.ts"
import { credentialSent, type LoadedSettings, loadSettings } from "../connection/settings.ts"
import { deviceLogin } from "./device-login.ts"
import { usageError } from "../errors/cli-error.ts"
import { ownOrganization } from "../organizations/own.ts"
import { factsText } from "../output/print-result.ts"
import {
  type KeyOrganization,
  requireProfile,
  type Session,
  sessionOf,
  withProfile,
  withSession,
} from "../profiles/profile.ts"
import { canAsk, lines, note, plainText, type Terminal, warnOn } from "../terminal/terminal.ts"
import type { Fact } from "../ui/facts.tsx"

interface AcceptOptions {
  readonly name?: string
  readonly stdin?: true
  readonly signedIn?: true
}

export const acceptInvitationCommand = define<AcceptOptions>("accept-invitation", {
  takes: (command) =>
    command
      .option("--name <name>", "your name, as others see it")
      .option("--stdin", "read the invitation and the password from standard input, on two lines")
      .option("--signed-in", "accept it as the signed-in user, without a password"),
  examples: [
    "footfall accept-invitation --base-url https://footfall.example.com",
    "footfall accept-invitation --name 'Lee Park' --stdin < invitation-and-password.txt",
    "footfall accept-invitation --signed-in",
  ],
  run: async ({ options, print, terminal, command }) => {
    if (options.signedIn) {
      const client = await clientOf(
        await loadSettings(terminal, command),
        "accessToken",
        waitHooks(terminal),
      )
      const token = await givenInvitation(terminal, options)
      const joined = await client.auth.join({ token })
      return print(joined, () =>
        lines(
          `You are now ${joined.role} of ${joined.name}.`,
          `To use it: footfall login --organization ${joined.id}`,
        ),
      )
    }
    const place = await loginPlace(terminal, command)
    const { Footfall } = await import("@footfall/sdk")
    const client = new Footfall({ baseUrl: place.baseUrl, hooks: waitHooks(terminal) })
    const { token, password } = await givenSecrets(terminal, options, client)
    const tokens = await client.auth.acceptInvite({ token, password, name: options.name })

    const me = await fetchMe(place, tokens.accessToken)
    await keepSession(place, sessionOf(me.user.email, tokens, Date.now()))

    const { user, organization, role } = me
    const data = { profile: place.profile, user, organization, role }
    await print(data, () => lines(signedInSentence(me, place.profile)))
  },
})

interface LoginOptions {
  readonly email?: string
  readonly passwordStdin?: true
  readonly organization?: string
  readonly keyring?: true
  /** False prints the URL without opening it. */
  readonly browser?: boolean
}

export const loginCommand = define<LoginOptions>("login", {
  takes: (command) =>
    command
      .description(
        "Sign in as a user, to do what an API key cannot: manage keys, members and organizations, and\n" +
          "import data. Opens your browser, where you approve the code that is shown here. With --email,\n" +
          "it prompts for the password instead.\n" +
          "The session is saved in the profile and stays valid for 30 days after its last use.",
      )
      .option(
        "--no-browser",
        "print the URL where you approve the sign-in, and do not open a browser",
      )
      .option("--email <address>", "sign in with this email address and a password")
      .option("--password-stdin", "read the password from standard input")
      .option("--keyring", "keep the session in the system keyring instead of a file")
      .option(
        "--organization <organization>",
        "the organization to use: its slug, name or id (default: the one you joined first)",
      ),
  examples: [
    "footfall login",
    "footfall login --no-browser",
    "footfall login --organization tidewater",
    "footfall login --profile production --base-url https://footfall.example.com",
    "footfall login --email ci@example.com --password-stdin < password.txt",
  ],
  run: async ({ options, print, terminal, command }) => {
    const place = await loginPlace(terminal, command)
    const { Footfall } = await import("@footfall/sdk")
    const footfall = new Footfall({ baseUrl: place.baseUrl, hooks: waitHooks(terminal) })
    const signedIn =
      (await approvedTokens(terminal, footfall, options)) ??
      (await footfall.auth.login({
        email: await givenEmail(terminal, options),
        password: await givenPassword(terminal, options),
        organizationId: options.organization === undefined ? undefined : asId(options.organization),
      }))
    const { me, tokens } = await inOrganization(terminal, place, signedIn, options.organization)
    await keepSession(place, sessionOf(me.user.email, tokens, Date.now()), options)

    const { user, organization, role } = me
    const data = { profile: place.profile, user, organization, role }
    await print(data, () => lines(signedInSentence(me, place.profile)))
  },
})

export const logoutCommand = define("logout", {
  examples: ["footfall logout", "footfall logout --profile production"],
  run: async ({ print, terminal, command }) => {
    const { file, settings } = await loadSettings(terminal, command)
    const { baseUrl, sessionProfile: name } = settings
    if (name === undefined) throw credentialsMissing("accessToken")
    const warn = warnOn(terminal)
    let ended: Session | undefined
    // Holds the lock; otherwise a renewal at the same time could restore the session.
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
      lines(
        ended === undefined
          ? `No one was signed in to the profile ${name}.`
          : `Signed out ${ended.email} of the profile ${name}.`,
      ),
    )
  },
})

/** For each of at most three requests. Other commands wait longer than this for the file. */
const TIMEOUT_MS = 3_000

export const whoamiCommand = define("whoami", {
  fields: "user.email,role",
  examples: ["footfall whoami", "footfall whoami --json | jq -r .data.role"],
  run: async ({ print, terminal, command }) => {
    const loaded = await loadSettings(terminal, command)
    const { baseUrl, sessionProfile, apiKey } = loaded.settings
    const hasKey = apiKey !== undefined
    if (credentialSent(loaded.settings, "accessToken") === null) {
      const client = await clientOf(loaded, hasKey ? "apiKey" : "either", waitHooks(terminal))
      const { organization } = await client.account.get()
      const { id, name } = organization
      const apiKeyOrganization = hasKey ? { id, name } : null
      const keyData = { server: baseUrl, hasApiKey: true, apiKeyOrganization }
      const data = { user: null, role: null, organization, ...keyData }
      return print(data, factsText(keyFacts(name, baseUrl)))
    }
    const client = await clientOf(loaded, "accessToken", waitHooks(terminal))
    const { user, role, organization, organizations } = await client.auth.me()
    const owner = await keyOrganizationOf(terminal, loaded)
    const apiKeyOrganization = owner ?? null
    const keyData = { server: baseUrl, hasApiKey: hasKey, apiKeyOrganization }
    const data = { user, role, organization, organizations, ...keyData }
    return print(
      data,
      factsText([
        ["User", user.name === null ? user.email : `${user.name} <${user.email}>`],
        ["Organization", `${organization.name} (${organization.slug})`],
        ["Role", role],
        ["Others", otherOrganizations(organizations, organization.id)],
        ["Server", baseUrl],
        ["Profile", sessionProfile ?? null],
        ["API key", keyText(loaded, owner)],
      ]),
    )
  },
})

/** Whose key data commands send. Undefined if there is none, or the server does not accept it. */
const keyOrganizationOf = async (
  terminal: Terminal,
  { settings: { apiKey, baseUrl } }: LoadedSettings,
): Promise<KeyOrganization | undefined> => {
  if (apiKey === undefined) return undefined
  const [{ AuthenticationError, Footfall }, { ownerOf }] = await Promise.all([
    import("@footfall/sdk"),
    import("../organizations/key-owner.ts"),
  ])
  try {
    return await ownerOf(new Footfall({ baseUrl, apiKey, hooks: waitHooks(terminal) }))
  } catch (error) {
    if (error instanceof AuthenticationError) return undefined
    throw error
  }
}

const keyText = (
  { settings: { apiKey, withheldKey } }: LoadedSettings,
  owner: KeyOrganization | undefined,
): string => {
  if (withheldKey !== undefined) {
    return `for ${withheldKey.organization}, not used here. Run: footfall keys create <name> --save`
  }
  if (apiKey === undefined) return "none. Run: footfall keys create <name> --save"
  return owner === undefined ? "not accepted by the server" : `for ${owner.name}`
}

/** The tokens of a sign-in approved in the browser. Null: ask for a password instead. */
const approvedTokens = async (
  terminal: Terminal,
  footfall: Footfall,
  { browser = true, email, passwordStdin }: LoginOptions,
): Promise<Tokens | null> => {
  if (email !== undefined || passwordStdin) return null
  // Without a terminal, no one can approve the sign-in, unless the user asked for the URL.
  if (browser && !canAsk(terminal)) return null
  return deviceLogin(terminal, footfall, { opensBrowser: browser })
}

/**
 * Switches the session to the requested organization. Errors: those of `ownOrganization`; the session is then ended,
 * because it is not saved.
 */
const inOrganization = async (
  terminal: Terminal,
  place: LoginPlace,
  tokens: Tokens,
  organization: string | undefined,
): Promise<{ readonly me: Me; readonly tokens: Tokens }> => {
  const { accessToken, refreshToken } = tokens
  const me = await fetchMe(place, accessToken)
  if (organization === undefined) return { me, tokens }
  try {
    const { id } = ownOrganization(me.organizations, organization)
    if (id === me.organization.id) return { me, tokens }
    const { Footfall } = await import("@footfall/sdk")
    const { auth } = new Footfall({ baseUrl: place.baseUrl, hooks: waitHooks(terminal) })
    const switched = await auth.refresh({ refreshToken, organizationId: id })
    return { me: await fetchMe(place, switched.accessToken), tokens: switched }
  } catch (error) {
    await endOnServer(place.baseUrl, tokens, warnOn(terminal))
    throw error
  }
}

/** Asks the server who the token belongs to. Errors: those of the server. */
const fetchMe = async ({ baseUrl }: LoginPlace, accessToken: string): Promise<Me> => {
  const { Footfall } = await import("@footfall/sdk")
  return new Footfall({ baseUrl, accessToken }).auth.me()
}

/** For example `Signed in as jane@…, owner of Tidewater, in the profile demo.` */
const signedInSentence = (me: Me, profile: string): string =>
  `Signed in as ${me.user.email}, ${me.role} of ${me.organization.name}, in the profile ${profile}.`

const givenInvitation = async (terminal: Terminal, { stdin }: AcceptOptions): Promise<string> => {
  if (stdin && !terminal.stdin.isTTY) {
    const [token = ""] = (await readSecretInput(terminal)).split(/\r?\n/)
    return token.trim()
  }
  if (!canAsk(terminal)) {
    throw usageError(
      "Can't prompt for the invitation: this is not a terminal.",
      "Pass the invitation on standard input with --stdin.",
    )
  }
  const { ask } = await import("../terminal/ask.tsx")
  return ask(terminal, { question: "Invitation", isHidden: true })
}

const givenSecrets = async (
  terminal: Terminal,
  { stdin }: AcceptOptions,
  client: Footfall,
): Promise<{ readonly token: string; readonly password: string }> => {
  if (stdin && !terminal.stdin.isTTY) {
    const [token = "", password = ""] = (await readSecretInput(terminal)).split(/\r?\n/)
    return { token: token.trim(), password }
  }
  if (!canAsk(terminal)) {
    throw usageError(
      "Can't prompt for the invitation: this is not a terminal.",
      "Pass the invitation and the password on standard input, on two lines, with --stdin.",
    )
  }
  const { ask } = await import("../terminal/ask.tsx")
  const token = await ask(terminal, { question: "Invitation", isHidden: true })
  await showInvitation(terminal, client, token)
  const password = await ask(terminal, {
    question: "Password (of your account, or a new one)",
    isHidden: true,
  })
  const again = await ask(terminal, { question: "Repeat password", isHidden: true })
  if (password !== again) throw usageError("The passwords do not match.")
  return { token, password }
}

/** Prints what the user is about to accept. Errors: those of the server, such as for a used invitation. */
const showInvitation = async (
  terminal: Terminal,
  client: Footfall,
  token: string,
): Promise<void> => {
  const { NotFoundError } = await import("@footfall/sdk")
  try {
    const { email, organization, role } = await client.auth.invitation({ token })
    note(terminal, plainText(`You join ${organization.name} as ${role}, and sign in as ${email}.`))
  } catch (error) {
    // Older servers can't say.
    if (!(error instanceof NotFoundError)) throw error
  }
}

const givenEmail = async (terminal: Terminal, { email }: LoginOptions): Promise<string> => {
  if (email !== undefined) return email.trim()
  if (!canAsk(terminal)) {
    throw usageError(
      "Can't prompt for the email address: this is not a terminal.",
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
      "Can't prompt for the password: this is not a terminal.",
      "Pass it on standard input: footfall login --email <address> --password-stdin < password.txt",
    )
  }
  const { ask } = await import("../terminal/ask.tsx")
  return ask(terminal, { question: "Password", isHidden: true })
}

const endOnServer = async (
  baseUrl: string,
  { accessToken, refreshToken }: Pick<Session, "accessToken" | "refreshToken">,
  warn: (message: string) => void,
): Promise<void> => {
  const { AuthenticationError, Footfall } = await import("@footfall/sdk")
  const options = { baseUrl, timeoutMs: TIMEOUT_MS, maxRetries: 0 }
  try {
    await new Footfall({ ...options, accessToken }).auth.logout({ refreshToken })
  } catch (error) {
    // An expired or revoked access token cannot end the session, so renew it first.
    if (error instanceof AuthenticationError) return endAfterRenewal(options, refreshToken)
    const reason = error instanceof Error ? error.message : String(error)
    warn(`Could not sign out on the server (${reason}). The session there expires within 30 days.`)
  }
}

const endAfterRenewal = async (
  options: { readonly baseUrl: string; readonly timeoutMs: number; readonly maxRetries: number },
  refreshToken: string,
): Promise<void> => {
  const { Footfall } = await import("@footfall/sdk")
  try {
    const tokens = await new Footfall(options).auth.refresh({ refreshToken })
    const client = new Footfall({ ...options, accessToken: tokens.accessToken })
    await client.auth.logout({ refreshToken: tokens.refreshToken })
  } catch {
    // The session has already ended.
  }
}

const keyFacts = (organization: string, baseUrl: string): ReadonlyArray<Fact> => [
  ["User", "none (API key)"],
  ["Organization", organization],
  ["Server", baseUrl],
]

const otherOrganizations = (
  organizations: ReadonlyArray<{ readonly id: string; readonly slug: string }>,
  idInUse: string,
): string =>
  organizations
    .filter(({ id }) => id !== idInUse)
    .map(({ slug }) => slug)
    .join(", ")
