// The session of the signed-in user. The access token is only in memory. The refresh token is in a cookie that scripts
// can't read. It works once, so tabs renew one after the other. If the server refuses a renewal, the page stays and
// shows a password prompt over it (`expired`). It does not ask the server again until someone signs in, in this tab
// or another. Each tab stays in its organization, and a call that started in one organization is never sent in another.
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
import { withoutDirections } from "../ui/isolated.ts"
import { consolePath, consoleUrl, serverUrl } from "./addresses.ts"
import { fileFetch } from "./file-fetch.ts"
import { type Identity, identityOf, isSameIdentity, OtherIdentityError } from "./identity.ts"
import { sessionSign } from "./session-sign.ts"
import { tabOrganization } from "./tab-organization.ts"

/** `starting`: not known yet. `expired`: was signed in, and the open page stays. */
export type SessionState = "starting" | "signedOut" | "signedIn" | "expired"

interface HeldToken {
  readonly token: string
  readonly renewAtMs: number
}

/** Messages between tabs. */
type Message = { readonly is: "ended" } | { readonly is: "started"; readonly userId: string }

/** Another server may use another path of the same origin. */
const renewalName = `footfall-session ${consolePath}`

/** How long before expiry to renew a token. In seconds. */
const marginSeconds = 60

type Fetch = (request: Request) => Promise<Response>

/** Removes from every answer the characters that let a visitor's name reorder the text around it. */
const plain = (send: Fetch) => async (request: Request) => {
  const response = await send(request)
  if (response.headers.get("content-type")?.startsWith("application/json") !== true) return response
  const { headers, status } = response
  return new Response(withoutDirections(await response.text()), { headers, status })
}

const client = { baseUrl: serverUrl, fetch: plain((request) => fetch(request)) }

/** Client for requests without a signed-in user. */
export const anyone = new Footfall({ ...client, maxRetries: 0 }).auth

class Session {
  #state: SessionState = "starting"
  #identity: Identity | undefined
  #held: HeldToken | undefined
  /** Why the session ended. Every call fails with this until someone signs in. */
  #refusal: AuthenticationError | undefined
  #renewing: Promise<HeldToken> | undefined
  readonly #listeners = new Set<() => void>()
  readonly #tabs = new BroadcastChannel(renewalName)

  /** Client for requests that need a signed-in user. */
  readonly footfall = this.#client(client.fetch)

  constructor() {
    this.#tabs.addEventListener("message", ({ data }: MessageEvent<Message>) => {
      if (data.is === "ended") this.#leave()
      else this.#continueAs(data.userId)
    })
  }

  /** Client whose requests send this file. `onSent`: called with the number of bytes sent so far. */
  sending(file: File, onSent: (bytes: number) => void): Footfall {
    return this.#client(plain(fileFetch(file, onSent)))
  }

  readonly state = (): SessionState => this.#state

  /** User and organization of the page, also while the session is expired. Undefined if no one is signed in. */
  readonly identity = (): Identity | undefined => this.#identity

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /**
   * Looks for a session in the cookie, if this browser has a sign of one. Errors: ConnectionError and the like, but no
   * error if the session ended.
   */
  async start(): Promise<void> {
    try {
      await this.#current()
    } catch (error) {
      if (!(error instanceof AuthenticationError)) throw error
    }
  }

  /**
   * Continues with the session that a sign-in at the issuer started, and tells the other tabs. Returns false if there
   * is none. Errors: ConnectionError and the like.
   */
  async finishExternalSignIn(): Promise<boolean> {
    // The server has just set the cookie, if the browser takes it.
    sessionSign.keep()
    await this.start()
    if (this.#identity === undefined) return false
    this.#tell({ is: "started", userId: this.#identity.userId })
    return true
  }

  /**
   * Stays in this tab's organization if the user is a member of it. Errors: AuthenticationError for
   * a wrong email or password; RateLimitedError.
   */
  signIn(email: string, password: string): Promise<void> {
    return this.#signInTo(tabOrganization.get(), email, password)
  }

  /**
   * Accepts an invitation with a new password or the account's password, and signs in to its organization. Returns
   * false if it was accepted but the sign-in failed. Errors: AuthenticationError for a used or unknown token, or a
   * wrong account password.
   */
  async acceptInvitation(params: {
    readonly token: string
    readonly password: string
    readonly name: string | undefined
  }): Promise<boolean> {
    const { accessToken, refreshToken } = await anyone.acceptInvite(params)
    const { organizationId } = identityOf(accessToken)
    const { auth } = new Footfall({ ...client, accessToken })
    // The next sign-in in this tab starts in the organization of the invitation.
    tabOrganization.choose(organizationId)
    try {
      const { user } = await auth.me()
      await this.#signInTo(organizationId, user.email, params.password)
      return true
    } catch {
      return false
    } finally {
      // The session in the cookie replaces this one. If the logout fails, one extra session remains.
      void auth.logout({ refreshToken }).catch(() => {})
    }
  }

  /** Errors: ConnectionError and the like, but none if the session has expired. */
  async signOut(): Promise<void> {
    try {
      await this.#locked(() => anyone.endSession())
    } catch (error) {
      if (this.#state !== "expired") throw error
    }
    this.#tell({ is: "ended" })
    this.#leave()
  }

  /** Ends every session of the user, including this one. */
  async signOutEverywhere(): Promise<void> {
    await this.footfall.auth.logout()
    await this.signOut()
  }

  /**
   * Changes the password. Other sessions end, and this one continues. Errors: BadRequestError if the current password
   * is wrong; RateLimitedError.
   */
  async changePassword(currentPassword: string, newPassword: string): Promise<void> {
    const { token: accessToken } = await this.#current()
    const { auth } = new Footfall({ ...client, accessToken, maxRetries: 0 })
    // The cookie identifies the session to keep, so no other tab may renew it meanwhile.
    await this.#locked(() => auth.changePassword({ currentPassword, newPassword }))
    // The server refuses earlier tokens.
    this.#held = undefined
    await this.#current()
  }

  /** Switches to another organization of the user, in this tab and in new ones. */
  async switchTo(organizationId: string): Promise<void> {
    const token = await this.#locked(() =>
      anyone.refreshSession({ organizationId }).catch((error: unknown) => {
        throw error instanceof PermissionError ? new Error(noMember) : error
      }),
    )
    tabOrganization.choose(organizationId)
    this.#hold(token)
  }

  /** Whether the server responds, with any status below 502. Works without a signed-in user. */
  async isServerReachable(): Promise<boolean> {
    try {
      const { status } = await fetch(`${serverUrl}/v1/auth/me`, { cache: "no-store" })
      if (status < 502) {
        connection.answered()
        return true
      }
    } catch {
      // No response counts like a 502 from a proxy.
    }
    connection.lost()
    return false
  }

  async #signInTo(preferredId: string | undefined, email: string, password: string): Promise<void> {
    const token = await this.#locked(async () => {
      const first = await anyone.startSession({ email, password })
      const { organizationId } = identityOf(first.accessToken)
      if (preferredId === undefined || preferredId === organizationId) return first
      return (await this.#tokenIn(preferredId)) ?? first
    })
    this.#hold(token)
    this.#tell({ is: "started", userId: identityOf(token.accessToken).userId })
  }

  /** Undefined if the user isn't a member of the organization. The tab then forgets the organization. */
  #tokenIn(organizationId: string): Promise<SessionToken | undefined> {
    return anyone.refreshSession({ organizationId }).catch((error: unknown) => {
      if (!(error instanceof PermissionError)) throw error
      tabOrganization.forget()
      return undefined
    })
  }

  /** Another tab has signed in. Its cookie also works for this tab. */
  #continueAs(userId: string): void {
    if (this.#state === "signedIn" && this.#identity?.userId === userId) return
    this.#held = undefined
    this.#refusal = undefined
    void this.start().catch(() => {})
  }

  #client(send: Fetch): Footfall {
    return new Footfall({
      ...client,
      fetch: send,
      accessToken: async () => (await this.#current()).token,
      hooks: {
        onResponse: ({ status }) => {
          if (status < 502) connection.answered()
          // The token was revoked, or the server was set up again. The next call gets a new token.
          if (status === 401) this.#held = undefined
        },
        onWait: ({ delayMs, error }) =>
          isUnreachable(error) ? connection.lost() : connection.waits(delayMs),
      },
    })
  }

  #current(): Promise<HeldToken> {
    if (this.#refusal !== undefined) return Promise.reject(this.#refusal)
    if (this.#held !== undefined && isFresh(this.#held)) return Promise.resolve(this.#held)
    return (this.#renewing ??= this.#renew().finally(() => (this.#renewing = undefined)))
  }

  async #renew(): Promise<HeldToken> {
    const before = this.#identity
    let held: HeldToken
    try {
      held = await retryWhenLimited(
        () => this.#locked(() => this.#renewed()),
        // Whoever wants to sign in doesn't have to wait.
        () => {
          if (this.#state === "starting") this.#become("signedOut", undefined)
        },
      )
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

  /** Renews in the organization of this tab, or without one, in the organization the user joined first. */
  async #renewed(): Promise<HeldToken> {
    // Another call may have renewed the token while this one waited.
    if (this.#held !== undefined && isFresh(this.#held)) return this.#held
    if (!sessionSign.isKept()) throw signedOut
    const preferredId = tabOrganization.get()
    const token = preferredId === undefined ? undefined : await this.#tokenIn(preferredId)
    return this.#hold(token ?? (await anyone.refreshSession()))
  }

  /** Lets one tab run at a time. */
  #locked<A>(run: () => Promise<A>): Promise<A> {
    return navigator.locks.request(renewalName, run)
  }

  #hold({ accessToken, expiresIn }: SessionToken): HeldToken {
    const renewAtMs = Date.now() + (expiresIn - marginSeconds) * 1000
    this.#held = { token: accessToken, renewAtMs }
    this.#refusal = undefined
    const identity = identityOf(accessToken)
    tabOrganization.keep(identity.organizationId)
    sessionSign.keep()
    this.#become("signedIn", isSameIdentity(this.#identity, identity) ? this.#identity : identity)
    return this.#held
  }

  #tell(message: Message): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has only this origin
    this.#tabs.postMessage(message)
  }

  /** Signs out and forgets the organization, so that the next user sees nothing of this one. */
  #leave(): void {
    tabOrganization.forgetAll()
    this.#end("signedOut", signedOut)
  }

  #end(state: "signedOut" | "expired", refusal: AuthenticationError): void {
    this.#held = undefined
    this.#refusal = refusal
    sessionSign.forget()
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

const noMember = "You are no longer a member of this organization. An admin can add you again."

const isFresh = ({ renewAtMs }: HeldToken): boolean => Date.now() < renewAtMs

/** If rate limited, waits as long as the server says and tries again. */
const retryWhenLimited = async <A>(ask: () => Promise<A>, onLimited: () => void): Promise<A> => {
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      if (!(error instanceof RateLimitedError)) throw error
      const delayMs = (error.retryAfterSeconds ?? 60) * 1000
      connection.waits(delayMs)
      onLimited()
      await new Promise((resolve) => setTimeout(resolve, delayMs))
    }
  }
}

/** Includes a proxy in front of a server that restarts. */
const isUnreachable = (error: unknown): boolean =>
  error instanceof ConnectionError || (error instanceof ApiError && error.status >= 502)

export const session = new Session()

/** Client for requests that need a signed-in user. */
export const { footfall } = session

/** URL for accepting an invitation. The token is after `#`, which browsers never send to a server. */
export const invitationUrl = (token: string): string => `${consoleUrl}invitation#${token}`
