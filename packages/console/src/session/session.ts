// Who is signed in. The access token is in memory only; the refresh token is in a cookie that no script reads, and
// works once, so tabs renew one after the other. When a renewal is refused the page stays as it is and asks for the
// password over it (`expired`); until someone signs in, in this tab or another, the server is not asked again. Each tab
// stays in its organization, and no call that began in one is sent in another.
import {
  ApiError,
  AuthenticationError,
  ConnectionError,
  Footfall,
  PermissionError,
  RateLimitedError,
  type SessionToken,
} from "@footfall/sdk"
import { connection } from "../frame/connection.ts"
import { consolePath, consoleUrl, serverUrl } from "./addresses.ts"
import { type Identity, identityOf, isSameIdentity, OtherIdentityError } from "./identity.ts"
import { tabOrganization } from "./tab-organization.ts"

/** `starting`: not known yet. `expired`: was signed in, and what was open still is. */
export type SessionState = "starting" | "signedOut" | "signedIn" | "expired"

interface Held {
  readonly token: string
  readonly renewAtMs: number
}

/** What tabs tell each other. */
type Message = { readonly is: "ended" } | { readonly is: "started"; readonly userId: string }

/** Another server may be below another path of the same origin. */
const renewalName = `footfall-session ${consolePath}`

/** A token is renewed so long before it expires. Units: seconds. */
const marginSeconds = 60

/** What needs no signed-in user. */
export const anyone = new Footfall({ baseUrl: serverUrl, maxRetries: 0 }).auth

class Session {
  #state: SessionState = "starting"
  #identity: Identity | undefined
  #held: Held | undefined
  /** Why the session ended: the answer to every call until someone signs in. */
  #refusal: AuthenticationError | undefined
  #renewing: Promise<Held> | undefined
  readonly #listeners = new Set<() => void>()
  readonly #tabs = new BroadcastChannel(renewalName)

  /** The client of everything that needs a signed-in user. */
  readonly footfall = new Footfall({
    baseUrl: serverUrl,
    accessToken: async () => (await this.#current()).token,
    hooks: {
      onResponse: ({ status }) => {
        if (status < 502) connection.answered()
        // Revoked, or of a server that was set up again: the next call gets a new one.
        if (status === 401) this.#held = undefined
      },
      onWait: ({ delayMs, error }) =>
        isUnreachable(error) ? connection.lost() : connection.waits(delayMs),
    },
  })

  constructor() {
    this.#tabs.addEventListener("message", ({ data }: MessageEvent<Message>) => {
      if (data.is === "ended") this.#leave()
      else this.#goOnAs(data.userId)
    })
  }

  readonly state = (): SessionState => this.#state

  /** Whose the page is, also while the session has expired. Undefined: no one is signed in. */
  readonly identity = (): Identity | undefined => this.#identity

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Looks for a session in the cookie. Errors: ConnectionError and the like; not for a session that ended. */
  async start(): Promise<void> {
    try {
      await this.#current()
    } catch (error) {
      if (!(error instanceof AuthenticationError)) throw error
    }
  }

  /**
   * Continues with the session that a sign-in at the issuer started, and lets the other tabs continue too. False if there
   * is none. Errors: ConnectionError and the like.
   */
  async arrive(): Promise<boolean> {
    await this.start()
    if (this.#identity === undefined) return false
    this.#tell({ is: "started", userId: this.#identity.userId })
    return true
  }

  /**
   * Goes on in the organization of this tab if the user is a member of it. Errors: AuthenticationError for a wrong email
   * or password; RateLimitedError.
   */
  signIn(email: string, password: string): Promise<void> {
    return this.#signInTo(tabOrganization.get(), email, password)
  }

  /**
   * Accepts an invitation, with a password that is chosen or the one of the account, and signs in to its organization.
   * False: it was accepted, but to sign in failed. Errors: AuthenticationError for a token that is used or unknown, or
   * a password that is not the account's.
   */
  async acceptInvitation(params: {
    readonly token: string
    readonly password: string
    readonly name: string | undefined
  }): Promise<boolean> {
    const { accessToken, refreshToken } = await anyone.acceptInvite(params)
    const { organizationId } = identityOf(accessToken)
    const { auth } = new Footfall({ baseUrl: serverUrl, accessToken })
    // Whoever signs in next in this tab was invited there.
    tabOrganization.choose(organizationId)
    try {
      const { user } = await auth.me()
      await this.#signInTo(organizationId, user.email, params.password)
      return true
    } catch {
      return false
    } finally {
      // Its place is the cookie's now; what is left of it when this fails is one session more.
      void auth.logout({ refreshToken }).catch(() => {})
    }
  }

  /** Errors: ConnectionError and the like; not of a session that has expired. */
  async signOut(): Promise<void> {
    try {
      await this.#locked(() => anyone.endSession())
    } catch (error) {
      if (this.#state !== "expired") throw error
    }
    this.#tell({ is: "ended" })
    this.#leave()
  }

  /** Ends every session of the user, this one included. */
  async signOutEverywhere(): Promise<void> {
    await this.footfall.auth.logout()
    await this.signOut()
  }

  /**
   * Sets another password; other sessions end and this one goes on. Errors: BadRequestError when the current one is
   * not right; RateLimitedError.
   */
  async changePassword(currentPassword: string, newPassword: string): Promise<void> {
    const { token: accessToken } = await this.#current()
    const { auth } = new Footfall({ baseUrl: serverUrl, accessToken, maxRetries: 0 })
    // The cookie says which session goes on, so no other tab may renew it meanwhile.
    await this.#locked(() => auth.changePassword({ currentPassword, newPassword }))
    // Tokens of before are refused.
    this.#held = undefined
    await this.#current()
  }

  /** Goes on as a member of another organization of the user, in this tab and in new ones. */
  async switchTo(organizationId: string): Promise<void> {
    const token = await this.#locked(() =>
      anyone.refreshSession({ organizationId }).catch((error: unknown) => {
        throw error instanceof PermissionError ? new Error(noMember) : error
      }),
    )
    tabOrganization.choose(organizationId)
    this.#hold(token)
  }

  /** Whether the server answers, whatever it says; also to someone who is not signed in. */
  async isServerThere(): Promise<boolean> {
    try {
      const { status } = await fetch(`${serverUrl}/v1/auth/me`, { cache: "no-store" })
      if (status < 502) {
        connection.answered()
        return true
      }
    } catch {
      // As with an answer of a proxy.
    }
    connection.lost()
    return false
  }

  async #signInTo(wanted: string | undefined, email: string, password: string): Promise<void> {
    const token = await this.#locked(async () => {
      const first = await anyone.startSession({ email, password })
      const { organizationId } = identityOf(first.accessToken)
      if (wanted === undefined || wanted === organizationId) return first
      return (await this.#tokenIn(wanted)) ?? first
    })
    this.#hold(token)
    this.#tell({ is: "started", userId: identityOf(token.accessToken).userId })
  }

  /** Undefined: the user is not a member of the organization, which is then forgotten. */
  #tokenIn(organizationId: string): Promise<SessionToken | undefined> {
    return anyone.refreshSession({ organizationId }).catch((error: unknown) => {
      if (!(error instanceof PermissionError)) throw error
      tabOrganization.forget()
      return undefined
    })
  }

  /** Another tab has signed in. The cookie that it got is good for this one too. */
  #goOnAs(userId: string): void {
    if (this.#state === "signedIn" && this.#identity?.userId === userId) return
    this.#held = undefined
    this.#refusal = undefined
    void this.start().catch(() => {})
  }

  #current(): Promise<Held> {
    if (this.#refusal !== undefined) return Promise.reject(this.#refusal)
    if (this.#held !== undefined && isFresh(this.#held)) return Promise.resolve(this.#held)
    return (this.#renewing ??= this.#renew().finally(() => (this.#renewing = undefined)))
  }

  async #renew(): Promise<Held> {
    const before = this.#identity
    let held: Held
    try {
      held = await patiently(() => this.#locked(() => this.#renewed()))
    } catch (error) {
      if (error instanceof AuthenticationError) {
        const hasPage = this.#state === "signedIn" || this.#state === "expired"
        this.#end(hasPage ? "expired" : "signedOut", error)
      }
      throw error
    }
    if (before !== undefined && before !== this.#identity) throw new OtherIdentityError()
    return held
  }

  /** In the organization of this tab; without it in the one that the user joined first. */
  async #renewed(): Promise<Held> {
    // Another call may have got one while this one waited for its turn.
    if (this.#held !== undefined && isFresh(this.#held)) return this.#held
    const wanted = tabOrganization.get()
    const token = wanted === undefined ? undefined : await this.#tokenIn(wanted)
    return this.#hold(token ?? (await anyone.refreshSession()))
  }

  /** One tab at a time. */
  #locked<A>(run: () => Promise<A>): Promise<A> {
    return navigator.locks.request(renewalName, run)
  }

  #hold({ accessToken, expiresIn }: SessionToken): Held {
    const renewAtMs = Date.now() + (expiresIn - marginSeconds) * 1000
    this.#held = { token: accessToken, renewAtMs }
    this.#refusal = undefined
    const identity = identityOf(accessToken)
    tabOrganization.keep(identity.organizationId)
    this.#become("signedIn", isSameIdentity(this.#identity, identity) ? this.#identity : identity)
    return this.#held
  }

  #tell(message: Message): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has only this origin
    this.#tabs.postMessage(message)
  }

  /** Leaves the next user nothing of this one. */
  #leave(): void {
    tabOrganization.forgetAll()
    this.#end("signedOut", signedOut)
  }

  #end(state: "signedOut" | "expired", refusal: AuthenticationError): void {
    this.#held = undefined
    this.#refusal = refusal
    this.#become(state, state === "signedOut" ? undefined : this.#identity)
  }

  #become(state: SessionState, identity: Identity | undefined): void {
    if (state === this.#state && identity === this.#identity) return
    this.#state = state
    this.#identity = identity
    for (const listener of this.#listeners) listener()
  }
}

const signedOut = new AuthenticationError({
  status: 401,
  code: "AUTHENTICATION_ERROR",
  message: "You are signed out.",
  requestId: null,
  details: undefined,
  retryAfterSeconds: null,
})

const noMember =
  "You are not a member of this organization any more. One of its admins can add you again."

const isFresh = ({ renewAtMs }: Held): boolean => Date.now() < renewAtMs

/** Waits as long as the server says when it is asked too often, and asks again. */
const patiently = async <A>(ask: () => Promise<A>): Promise<A> => {
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      if (!(error instanceof RateLimitedError)) throw error
      const delayMs = (error.retryAfterSeconds ?? 60) * 1000
      connection.waits(delayMs)
      await new Promise((resolve) => setTimeout(resolve, delayMs))
    }
  }
}

/** Also a proxy before a server that restarts. */
const isUnreachable = (error: unknown): boolean =>
  error instanceof ConnectionError || (error instanceof ApiError && error.status >= 502)

export const session = new Session()

/** The client of everything that needs a signed-in user. */
export const { footfall } = session

/** Where an invitation is accepted. Its token is behind `#`, which is sent to no server. */
export const invitationUrl = (token: string): string => `${consoleUrl}invitation#${token}`
