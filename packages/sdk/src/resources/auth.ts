// Access tokens: how a user signs in, renews a token and signs out. The client does not keep the tokens that it
// gets here; pass them to a client of its own. spec 2.21, 5.12, 7 and 17.2

import type { ApiCall } from "../core/api-call.ts"
import { ApiError, BadRequestError } from "../errors/api-error.ts"
import { ConnectionError, TimeoutError } from "../errors/footfall-error.ts"
import { path } from "../core/path.ts"
import type { RequestOptions } from "../core/request-options.ts"
import type { Transport } from "../core/transport.ts"
import type { Deleted } from "./common.ts"
import type { Role } from "./members.ts"
import type { Organization } from "./organizations.ts"

/**
 * `footfall.auth`. Needs no credentials, except that `me`, `join`, `logout`, `changePassword`, `getDeviceLogin` and
 * `decideDeviceLogin` need an access token.
 */
export class Auth {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Signs in. Errors: AuthenticationError for a wrong email or password, RateLimitedError (5 attempts a minute per
   * account).
   */
  login(params: LoginParams, options: RequestOptions = {}): ApiCall<Tokens> {
    return this.#transport.post("/v1/auth/login", {
      body: params,
      credentials: "none",
      secrets: [params.password],
      options,
    })
  }

  /** Exchanges a refresh token for new tokens. It works once. Errors: AuthenticationError. */
  refresh(params: RefreshParams, options: RequestOptions = {}): ApiCall<Tokens> {
    return this.#transport.post("/v1/auth/refresh", {
      body: params,
      credentials: "none",
      secrets: [params.refreshToken],
      options,
    })
  }

  /** Signs out: ends the session of a refresh token, or every session of the user. Errors: AuthenticationError. */
  logout(params: LogoutParams = {}, options: RequestOptions = {}): ApiCall<LoggedOut> {
    return this.#transport.post("/v1/auth/logout", {
      body: params,
      credentials: "accessToken",
      secrets: params.refreshToken === undefined ? [] : [params.refreshToken],
      options,
    })
  }

  /** Gets the user and the organization of the token. Errors: AuthenticationError. */
  me(options: RequestOptions = {}): ApiCall<Me> {
    return this.#transport.get("/v1/auth/me", { credentials: "accessToken", options })
  }

  /**
   * Signs in to the console, in a browser on a page of the server. The refresh token stays in a cookie that no script can
   * read. Errors: as `login`, PermissionError on a page of another site.
   */
  startSession(params: LoginParams, options: RequestOptions = {}): ApiCall<SessionToken> {
    return this.#transport.requestData({
      method: "POST",
      path: "/v1/auth/session",
      body: params,
      credentials: "none",
      secrets: [params.password],
      options,
    })
  }

  /**
   * Gets a new access token for the session of the console. Errors: AuthenticationError when it has ended,
   * PermissionError for an organization that the user is not in: the session goes on.
   */
  refreshSession(
    params: RefreshSessionParams = {},
    options: RequestOptions = {},
  ): ApiCall<SessionToken> {
    return this.#transport.requestData({
      method: "POST",
      path: "/v1/auth/session/refresh",
      body: params,
      credentials: "none",
      options,
    })
  }

  /** Signs out of the console. */
  endSession(options: RequestOptions = {}): ApiCall<LoggedOut> {
    return this.#transport.requestData({
      method: "DELETE",
      path: "/v1/auth/session",
      credentials: "none",
      options,
    })
  }

  /** Lists where the user is signed in, the session that was used last first. Errors: AuthenticationError. */
  listSessions(options: RequestOptions = {}): ApiCall<ReadonlyArray<UserSession>> {
    return this.#transport.get("/v1/auth/sessions", { credentials: "accessToken", options })
  }

  /**
   * Ends one session of the user. Its access token is good until it expires, at most an hour. Errors: NotFoundError.
   */
  deleteSession(sessionId: string, options: RequestOptions = {}): ApiCall<Deleted> {
    return this.#transport.requestData({
      method: "DELETE",
      path: path`/v1/auth/sessions/${sessionId}`,
      credentials: "accessToken",
      options,
    })
  }

  /** Ends every session of the user but the one of the access token. */
  endOtherSessions(options: RequestOptions = {}): ApiCall<SessionsEnded> {
    return this.#transport.post("/v1/auth/sessions/end-others", {
      credentials: "accessToken",
      options,
    })
  }

  /**
   * Accepts an invitation and signs in to its organization. A new user chooses a password; a user who has an
   * account gives its password. Errors: AuthenticationError (unknown, used or expired token, wrong password),
   * RateLimitedError.
   */
  acceptInvite(params: AcceptInviteParams, options: RequestOptions = {}): ApiCall<Tokens> {
    return this.#transport.post("/v1/auth/accept-invite", {
      body: params,
      credentials: "none",
      secrets: [params.token, params.password],
      options,
    })
  }

  /**
   * Accepts an invitation as the signed-in user. For a token of the organization, sign in or refresh with its id.
   * Errors: AuthenticationError, NotFoundError (unknown, used or expired invitation, or one of another user).
   */
  join(params: JoinParams, options: RequestOptions = {}): ApiCall<JoinedOrganization> {
    return this.#transport.requestData({
      method: "POST",
      path: "/v1/auth/join",
      body: params,
      credentials: "accessToken",
      secrets: [params.token],
      options,
    })
  }

  /**
   * Starts signing in a terminal: show the user the code and the address, then wait with `waitForDeviceLogin`.
   * Errors: PermissionError when the server has no console, RateLimitedError.
   */
  startDeviceLogin(
    params: DeviceLoginParams = {},
    options: RequestOptions = {},
  ): ApiCall<DeviceLoginStarted> {
    return this.#transport.requestData({
      method: "POST",
      path: "/v1/auth/device",
      body: params,
      credentials: "none",
      options,
    })
  }

  /**
   * Gets the tokens of an approved device log-in, once. Errors: BadRequestError, whose `details.reason` is
   * `authorization_pending`, `slow_down`, `access_denied` or `expired_token`.
   */
  deviceTokens(params: DeviceTokensParams, options: RequestOptions = {}): ApiCall<Tokens> {
    return this.#transport.requestData({
      method: "POST",
      path: "/v1/auth/device/token",
      body: params,
      credentials: "none",
      secrets: [params.deviceCode],
      options,
    })
  }

  /**
   * Waits until the user approves a device log-in; a server that can't be reached is asked again. Errors:
   * BadRequestError when it was denied (`access_denied`) or has expired (`expired_token`), AbortedError.
   */
  async waitForDeviceLogin(
    login: DeviceLoginStarted,
    options: RequestOptions = {},
  ): Promise<Tokens> {
    const untilMs = this.#transport.nowMs() + login.expiresIn * 1000
    let seconds = login.interval
    for (;;) {
      await this.#transport.sleep(seconds * 1000, "the device log-in", options.signal)
      try {
        return await this.deviceTokens({ deviceCode: login.deviceCode }, options)
      } catch (error) {
        const reason = error instanceof BadRequestError ? error.deviceLoginReason : null
        const isPending = reason === "authorization_pending" || reason === "slow_down"
        if (!isPending && !(isPassing(error) && this.#transport.nowMs() < untilMs)) throw error
        if (reason !== "authorization_pending") seconds += SLOW_DOWN_SECONDS
      }
    }
  }

  /** Gets who asks for a device log-in that waits. Errors: NotFoundError, RateLimitedError. */
  getDeviceLogin(params: DeviceLoginLookup, options: RequestOptions = {}): ApiCall<DeviceLogin> {
    return this.#transport.get("/v1/auth/device", {
      query: { userCode: params.userCode },
      credentials: "accessToken",
      options,
    })
  }

  /**
   * Lets a terminal sign in as the user of the access token, or refuses it. Errors: NotFoundError (unknown, expired or
   * decided code), RateLimitedError (5 unknown codes a minute).
   */
  decideDeviceLogin(
    params: DeviceLoginDecision,
    options: RequestOptions = {},
  ): ApiCall<DeviceLoginDecided> {
    return this.#transport.requestData({
      method: "POST",
      path: "/v1/auth/device/approve",
      body: params,
      credentials: "accessToken",
      options,
    })
  }

  /**
   * Changes the password of the signed-in user. Ends every other session and every access token, so refresh yours.
   * Errors: BadRequestError (`details.reason` is `wrong_password`), RateLimitedError.
   */
  changePassword(
    params: PasswordChangeParams,
    options: RequestOptions = {},
  ): ApiCall<PasswordChanged> {
    const { currentPassword, newPassword, refreshToken } = params
    return this.#transport.requestData({
      method: "POST",
      path: "/v1/auth/password",
      body: params,
      credentials: "accessToken",
      secrets: [
        currentPassword,
        newPassword,
        ...(refreshToken === undefined ? [] : [refreshToken]),
      ],
      options,
    })
  }

  /**
   * Mails a link to set a new password. Answers the same whether or not the address has an account.
   * Errors: PermissionError (`details.reason` is `mail_not_configured`), RateLimitedError.
   */
  requestPasswordReset(
    params: PasswordResetRequestParams,
    options: RequestOptions = {},
  ): ApiCall<PasswordResetRequested> {
    return this.#transport.requestData({
      method: "POST",
      path: "/v1/auth/password/reset-request",
      body: params,
      credentials: "none",
      options,
    })
  }

  /** Sets a new password with a mailed token and ends every session. Errors: AuthenticationError, RateLimitedError. */
  resetPassword(params: PasswordResetParams, options: RequestOptions = {}): ApiCall<PasswordReset> {
    return this.#transport.requestData({
      method: "POST",
      path: "/v1/auth/password/reset",
      body: params,
      credentials: "none",
      secrets: [params.token, params.newPassword],
      options,
    })
  }
}

/** A terminal that is asked to slow down waits so much longer from then on. Source: RFC 8628, 3.5. */
const SLOW_DOWN_SECONDS = 5

/** The server restarts, or the network is away. */
const isPassing = (error: unknown): boolean =>
  error instanceof ConnectionError ||
  error instanceof TimeoutError ||
  (error instanceof ApiError && (error.status === 429 || error.status >= 500))

/** The access token of a session of the console; the browser keeps the refresh token in a cookie. */
export type SessionToken = Omit<Tokens, "refreshToken">

/** An access token and the refresh token that renews it. */
export interface Tokens {
  /** A JWT, for the option `accessToken`. */
  readonly accessToken: string
  readonly tokenType: "Bearer"
  /** Seconds the access token is valid: 3600. */
  readonly expiresIn: number
  /** Valid for 30 days and for one refresh; using it twice ends the whole chain. */
  readonly refreshToken: string
}

/** Email and password of a user. */
export interface LoginParams {
  readonly email: string
  readonly password: string
  /** Which of the user's organizations the token is for. Default: the one joined first. */
  readonly organizationId?: string | undefined
}

export interface RefreshParams {
  readonly refreshToken: string
  /** See `LoginParams`. */
  readonly organizationId?: string | undefined
}

export interface RefreshSessionParams {
  /** See `LoginParams`. */
  readonly organizationId?: string | undefined
}

export interface LogoutParams {
  /** Refresh token of the session to end. Default: every session of the user. */
  readonly refreshToken?: string | undefined
}

/** An invitation, and the password of the account or the one chosen for a new account. */
export interface AcceptInviteParams {
  /** `inviteToken` of `members.add`. */
  readonly token: string
  /** 10 to 200 characters. */
  readonly password: string
  readonly name?: string | undefined
}

/** An invitation. */
export interface JoinParams {
  /** `inviteToken` of `members.add`, or the one that came by mail. */
  readonly token: string
  /** Only returns the organization and the role. The invitation stays open. */
  readonly preview?: boolean | undefined
}

/** An organization of the user, and the user's role in it. */
export interface JoinedOrganization {
  readonly id: string
  readonly name: string
  readonly slug: string
  readonly role: Role
}

/** Where a user is signed in. */
export interface UserSession {
  readonly id: string
  /** The session of the access token that asks. */
  readonly isCurrent: boolean
  /** A session of the console; else of a terminal or a program. */
  readonly isConsole: boolean
  /** What the client called itself when it signed in. */
  readonly userAgent: string | null
  readonly createdAt: string
  /** When it was last renewed. */
  readonly lastUsedAt: string
  /** It ends then unless it is used before. */
  readonly expiresAt: string
}

export interface SessionsEnded {
  readonly ended: number
}

export interface LoggedOut {
  readonly loggedOut: true
}

/** The user and the organization of a token. */
export interface Me {
  readonly user: User
  /** The organization of the token. */
  readonly organization: Organization
  /** The user's role in it. */
  readonly role: Role
  /** Every organization of the user. */
  readonly organizations: ReadonlyArray<JoinedOrganization>
}

export interface User {
  readonly id: string
  readonly email: string
  readonly name: string | null
}

/** What asks for a device log-in. */
export interface DeviceLoginParams {
  /** The console shows it, for example `footfall on lee-laptop`. 1 to 100 characters. */
  readonly clientName?: string | undefined
}

/** A device log-in that waits for the user. */
export interface DeviceLoginStarted {
  /** For `deviceTokens`; show it to no one. */
  readonly deviceCode: string
  /** For the user, such as `WDJB-MJHT`. */
  readonly userCode: string
  /** Where the user types the code. */
  readonly verificationUri: string
  /** The same address with the code in it. */
  readonly verificationUriComplete: string
  /** Seconds until it expires: 600. */
  readonly expiresIn: number
  /** Seconds to wait between two calls of `deviceTokens`. */
  readonly interval: number
}

export interface DeviceTokensParams {
  readonly deviceCode: string
}

export interface DeviceLoginLookup {
  /** The code that the terminal shows. */
  readonly userCode: string
}

/** Who asks for a device log-in. */
export interface DeviceLogin {
  /** As the client calls itself. */
  readonly clientName: string | null
  readonly clientAddress: string
  readonly expiresAt: string
}

export interface DeviceLoginDecision extends DeviceLoginLookup {
  /** True signs the terminal in as you; false refuses it. */
  readonly approve: boolean
}

export interface DeviceLoginDecided {
  readonly approved: boolean
}

export interface PasswordChangeParams {
  readonly currentPassword: string
  /** 10 to 200 characters. */
  readonly newPassword: string
  /** The session that goes on. Default: that of the console, or none. */
  readonly refreshToken?: string | undefined
}

export interface PasswordChanged {
  readonly changed: true
}

export interface PasswordResetRequestParams {
  readonly email: string
}

export interface PasswordResetRequested {
  readonly requested: true
}

export interface PasswordResetParams {
  /** From the mail. */
  readonly token: string
  /** 10 to 200 characters. */
  readonly newPassword: string
}

export interface PasswordReset extends PasswordChanged {
  /** Organizations the user has to join again, because the address was never proven before. */
  readonly invitationsSent: number
}
