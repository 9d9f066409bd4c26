// Who is signed in. The access token is in memory only; the refresh token is in a cookie that no script reads, and
// works once, so tabs renew one after the other. When a renewal is refused the page stays as it is and asks for the
// password over it (`expired`).
import {
  ApiError,
  AuthenticationError,
  ConnectionError,
  Footfall,
  type SessionToken,
} from "@footfall/sdk"
import { connection } from "../frame/connection.ts"
import { consoleUrl, serverUrl } from "./addresses.ts"

/** `starting`: not known yet. `expired`: was signed in, and what was open still is. */
export type SessionState = "starting" | "signedOut" | "signedIn" | "expired"

interface Held {
  readonly token: string
  readonly renewAtMs: number
}

const renewalName = "footfall-session"

/** Which organization was chosen last in this browser; no credential. */
const organizationKey = "footfall.organization"

/** A token is renewed so long before it expires. Units: seconds. */
const marginSeconds = 60

/** What needs no signed-in user. */
export const anyone = new Footfall({ baseUrl: serverUrl, maxRetries: 0 }).auth

class Session {
  #state: SessionState = "starting"
  #held: Held | undefined
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
    this.#tabs.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
      if (data === "ended") this.#end("signedOut")
      // The cookie that another tab got is good for this one too.
      if (data === "started" && this.#state !== "signedIn") void this.start().catch(() => {})
    })
  }

  readonly state = (): SessionState => this.#state

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

  /** Errors: AuthenticationError for a wrong email or password; RateLimitedError. */
  async signIn(email: string, password: string): Promise<void> {
    const params = { email, password, organizationId: this.organizationId }
    const token = await this.#locked(() =>
      anyone.startSession(params).catch((error: unknown) => {
        // The organization that was chosen last may be another user's.
        if (params.organizationId === undefined || !isRefusal(error)) throw error
        this.#remember(undefined)
        return anyone.startSession({ email, password })
      }),
    )
    this.#hold(token)
    this.#tell("started")
  }

  /** Sets the password of an invited user and signs in. Errors: AuthenticationError for a token that is used or unknown. */
  async acceptInvitation(params: {
    readonly token: string
    readonly password: string
    readonly name: string | undefined
  }): Promise<void> {
    const { accessToken, refreshToken } = await anyone.acceptInvite(params)
    const invited = new Footfall({ baseUrl: serverUrl, accessToken })
    const { user } = await invited.auth.me()
    this.#remember(undefined)
    await this.signIn(user.email, params.password)
    // Its place is the cookie's now.
    await invited.auth.logout({ refreshToken })
  }

  async signOut(): Promise<void> {
    await this.#locked(() => anyone.endSession())
    this.#remember(undefined)
    this.#tell("ended")
    this.#end("signedOut")
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

  /** Goes on as a member of another organization of the user. */
  async switchTo(organizationId: string): Promise<void> {
    const token = await this.#locked(() => anyone.refreshSession({ organizationId }))
    this.#remember(organizationId)
    this.#hold(token)
  }

  /** Whether the server answers, whatever it says. */
  async isServerThere(): Promise<boolean> {
    try {
      await this.footfall.auth.me({ maxRetries: 0 })
    } catch (error) {
      if (!isUnreachable(error)) return true
      connection.lost()
      return false
    }
    return true
  }

  get organizationId(): string | undefined {
    return localStorage.getItem(organizationKey) ?? undefined
  }

  #remember(organizationId: string | undefined): void {
    if (organizationId === undefined) localStorage.removeItem(organizationKey)
    else localStorage.setItem(organizationKey, organizationId)
  }

  #current(): Promise<Held> {
    if (this.#held !== undefined && Date.now() < this.#held.renewAtMs) {
      return Promise.resolve(this.#held)
    }
    return (this.#renewing ??= this.#renew().finally(() => (this.#renewing = undefined)))
  }

  async #renew(): Promise<Held> {
    try {
      const { organizationId } = this
      const token = await this.#locked(() =>
        anyone.refreshSession(organizationId === undefined ? {} : { organizationId }),
      )
      return this.#hold(token)
    } catch (error) {
      if (error instanceof AuthenticationError) {
        this.#end(this.#state === "signedIn" || this.#state === "expired" ? "expired" : "signedOut")
      }
      throw error
    }
  }

  /** One tab at a time. */
  #locked<A>(run: () => Promise<A>): Promise<A> {
    return navigator.locks.request(renewalName, run)
  }

  #hold({ accessToken, expiresIn }: SessionToken): Held {
    const renewAtMs = Date.now() + (expiresIn - marginSeconds) * 1000
    this.#held = { token: accessToken, renewAtMs }
    this.#become("signedIn")
    return this.#held
  }

  #tell(what: "started" | "ended"): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has only this origin
    this.#tabs.postMessage(what)
  }

  #end(state: SessionState): void {
    this.#held = undefined
    this.#become(state)
  }

  #become(state: SessionState): void {
    if (state === this.#state) return
    this.#state = state
    for (const listener of this.#listeners) listener()
  }
}

/** Also a proxy before a server that restarts. */
const isUnreachable = (error: unknown): boolean =>
  error instanceof ConnectionError || (error instanceof ApiError && error.status >= 502)

const isRefusal = (error: unknown): boolean =>
  error instanceof Error && "status" in error && (error.status === 401 || error.status === 403)

export const session = new Session()

/** The client of everything that needs a signed-in user. */
export const { footfall } = session

/** Where an invitation is accepted. Its token is behind `#`, which is sent to no server. */
export const invitationUrl = (token: string): string => `${consoleUrl}invitation#${token}`
