// Access tokens: how a user signs in, renews a token and signs out. The client does not store the tokens from these
// calls. Pass them to a new client. spec 2.21, 5.12, 7 and 17.2

import type { ApiCall } from "../core/api-call.ts"
import { ApiError, BadRequestError } from "../errors/api-error.ts"
import { ConnectionError, TimeoutError } from "../errors/footfall-error.ts"
import { path } from "../core/path.ts"
import type { RequestOptions } from "../core/request-options.ts"
import type { Transport } from "../core/transport.ts"
import type { Deleted } from "../extensions/common.ts"
import type { Role } from "./members.ts"
import type { Organization } from "./organizations.ts"

/**
 * `footfall.auth`. Needs no credentials, except for `me`, `join`, `logout`, `changePassword`, `getDeviceLogin` and
 * `decideDeviceLogin`, which need an access token.
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

  /** Exchanges a refresh token for new tokens. Each refresh token works once. Errors: AuthenticationError. */
  refresh(params: RefreshParams, options: RequestOptions = {}): ApiCall<Tokens> {
    return this.#transport.post("/v1/auth/refresh", {
      body: params,
      credentials: "none",
      secrets: [params.refreshToken],
      options,
    })
  }

  /** Signs out: ends the session of the refresh token, or all of the user's sessions. Errors: AuthenticationError. */
  logout(params: LogoutParams = {}, options: RequestOptions = {}): ApiCall<LoggedOut> {
    return this.#transport.post("/v1/auth/logout", {
      body: params,
      credentials: "accessToken",
      secrets: params.refreshToken === undefined ? [] : [params.refreshToken],
      options,
    })
  }

  /** Gets the token's user and organization. Errors: AuthenticationError. */
  me(options: RequestOptions = {}): ApiCall<Me> {
    return this.#transport.get("/v1/auth/me", { credentials: "accessToken", options })
  }

  /**
   * Signs in to the console. Works in a browser, on a page of the server. The refresh token stays in a cookie that
   * scripts cannot read. Errors: same as `login`; PermissionError on a page of another site.
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
   * Gets a new access token for the console session. Errors: AuthenticationError if the session has ended;
   * PermissionError if the user is not in the given organization (the session continues).
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

  /** Lists the user's sessions, most recently used first. Errors: AuthenticationError. */
  listSessions(options: RequestOptions = {}): ApiCall<ReadonlyArray<UserSession>> {
    return this.#transport.get("/v1/auth/sessions", { credentials: "accessToken", options })
  }

  /**
   * Ends one of the user's sessions. Its access token stays valid until it expires, at most one hour. Errors:
   * NotFoundError.
   */
  deleteSession(sessionId: string, options: RequestOptions = {}): ApiCall<Deleted> {
    return this.#transport.requestData({
      method: "DELETE",
      path: path`/v1/auth/sessions/${sessionId}`,
      credentials: "accessToken",
      options,
    })
  }

  /** Ends all of the user's sessions except the one of the access token. */
  endOtherSessions(options: RequestOptions = {}): ApiCall<SessionsEnded> {
    return this.#transport.post("/v1/auth/sessions/end-others", {
      credentials: "accessToken",
      options,
    })
  }

  /**
   * Accepts an invitation and signs in to its organization. A new user chooses a password. An existing user gives their
   * current one. Errors: AuthenticationError (unknown, used or expired token, wrong password), RateLimitedError.
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
   * Gets the organization, the email address and the role of an open invitation, without accepting it. Errors:
   * AuthenticationError (unknown, used or expired token), RateLimitedError.
   */
  invitation(params: InvitationParams, options: RequestOptions = {}): ApiCall<Invitation> {
    return this.#transport.requestData({
      method: "POST",
      path: "/v1/auth/invitation",
      body: params,
      credentials: "none",
      secrets: [params.token],
      options,
    })
  }

  /**
   * Accepts an invitation as the signed-in user. To get a token for the organization, sign in or refresh with its id.
   * Errors: AuthenticationError, NotFoundError (the invitation is unknown, used, expired or for another user).
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
   * Starts a device sign-in, to sign in from a terminal. Show the user the code and the URL, then wait with
   * `waitForDeviceLogin`. Errors: PermissionError if the server has no console, RateLimitedError.
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
   * Gets the tokens of an approved device login. This works once. Errors: BadRequestError with `details.reason`
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
   * Waits until the user approves a device login. Tries again if the server cannot be reached. Errors: BadRequestError
   * if the login was denied (`access_denied`) or has expired (`expired_token`), AbortedError.
   */
  async waitForDeviceLogin(
    login: DeviceLoginStarted,
    options: RequestOptions = {},
  ): Promise<Tokens> {
    const untilMs = this.#transport.nowMs() + login.expiresIn * 1000
    let seconds = login.interval
    for (;;) {
      await this.#transport.sleep(seconds * 1000, "the device sign-in", options.signal)
      try {
        return await this.deviceTokens({ deviceCode: login.deviceCode }, options)
      } catch (error) {
        const reason = error instanceof BadRequestError ? error.deviceLoginReason : null
        const isPending = reason === "authorization_pending" || reason === "slow_down"
        if (!isPending && !(isTemporary(error) && this.#transport.nowMs() < untilMs)) throw error
        if (reason !== "authorization_pending") seconds += SLOW_DOWN_SECONDS
      }
    }
  }

  /**
   * Gets the client that requested a pending device login. Errors: NotFoundError, RateLimitedError.
   */
  getDeviceLogin(params: DeviceLoginLookup, options: RequestOptions = {}): ApiCall<DeviceLogin> {
    return this.#transport.get("/v1/auth/device", {
      query: { userCode: params.userCode },
      credentials: "accessToken",
      options,
    })
  }

  /**
   * Approves or denies a device login. If approved, the terminal signs in as the user of the access token. Errors:
   * NotFoundError (the code is unknown, expired or already decided), RateLimitedError (5 unknown codes a minute).
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
   * Changes the signed-in user's password. This ends every other session and invalidates every access token, so refresh
   * yours. Errors: BadRequestError (`details.reason` is `wrong_password`), RateLimitedError.
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
   * Emails a link to set a new password. The response is the same whether or not the address has an account. Errors:
   * PermissionError (`details.reason` is `mail_not_configured`), RateLimitedError.
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

  /**
   * Sets a new password with the token from the email, and ends every session. Errors: AuthenticationError,
   * RateLimitedError.
   */
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

/** Seconds to add to the polling interval each time the server responds `slow_down`. Source: RFC 8628, 3.5. */
const SLOW_DOWN_SECONDS = 5

/** The server is restarting, or the network is down. */
const isTemporary = (error: unknown): boolean =>
  error instanceof ConnectionError ||
  error instanceof TimeoutError ||
  (error instanceof ApiError && (error.status === 429 || error.status >= 500))

/** The access token of a console session. The browser keeps the refresh token in a cookie. */
export type SessionToken = Omit<Tokens, "refreshToken">

/** An access token and the refresh token that renews it. */
export interface Tokens {
  /** A JWT. Pass it to a client as `accessToken`. */
  readonly accessToken: string
  readonly tokenType: "Bearer"
  /** Lifetime of the access token in seconds: 3600. */
  readonly expiresIn: number
  /** Valid for 30 days and one refresh. Using it twice ends the session. */
  readonly refreshToken: string
}

/** A user's email and password. */
export interface LoginParams {
  readonly email: string
  readonly password: string
  /** Which of the user's organizations the token is for. Default: the one the user joined first. */
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
  /** Refresh token of the session to end. Default: all of the user's sessions. */
  readonly refreshToken?: string | undefined
}

/** An invitation, and the account's password. A new user chooses one. */
export interface AcceptInviteParams {
  /** The `inviteToken` from `members.add` or from the invitation email. */
  readonly token: string
  /** 10 to 200 characters. */
  readonly password: string
  readonly name?: string | undefined
}

/** The token of an invitation. */
export interface InvitationParams {
  /** The `inviteToken` from `members.add` or from the invitation email. */
  readonly token: string
}

/** What an open invitation is for. */
export interface Invitation {
  readonly organization: { readonly name: string }
  /** The address of the user who was invited. They sign in with it. */
  readonly email: string
  /** The role they will have. */
  readonly role: Role
}

/** An invitation. */
export interface JoinParams {
  /** The `inviteToken` from `members.add` or from the invitation email. */
  readonly token: string
  /** Returns the organization and the role without accepting the invitation. */
  readonly preview?: boolean | undefined
}

/** One of the user's organizations, and the user's role in it. */
export interface JoinedOrganization {
  readonly id: string
  readonly name: string
  readonly slug: string
  readonly role: Role
}

/** One of the user's sessions. */
export interface UserSession {
  readonly id: string
  /** Whether this is the session of the access token. */
  readonly isCurrent: boolean
  /** True for a console session, false for a terminal or a program. */
  readonly isConsole: boolean
  /** The client's user agent at sign-in. */
  readonly userAgent: string | null
  readonly createdAt: string
  /** When the session was last renewed. */
  readonly lastUsedAt: string
  /** When the session ends, unless it is renewed before. */
  readonly expiresAt: string
}

export interface SessionsEnded {
  readonly ended: number
}

export interface LoggedOut {
  readonly loggedOut: true
}

/** A token's user and organization. */
export interface Me {
  readonly user: User
  /** The token's organization. */
  readonly organization: Organization
  /** The user's role in it. */
  readonly role: Role
  /** All organizations of the user. */
  readonly organizations: ReadonlyArray<JoinedOrganization>
}

export interface User {
  readonly id: string
  readonly email: string
  readonly name: string | null
}

/** The client that requests a device login. */
export interface DeviceLoginParams {
  /** Name to show in the console, for example `footfall on lee-laptop`. 1 to 100 characters. */
  readonly clientName?: string | undefined
}

/** A device login that waits for the user's approval. */
export interface DeviceLoginStarted {
  /** Pass it to `deviceTokens`. Keep it secret. */
  readonly deviceCode: string
  /** Show it to the user, for example `WDJB-MJHT`. */
  readonly userCode: string
  /** Where the user enters the code. */
  readonly verificationUri: string
  /** The same URL, with the code included. */
  readonly verificationUriComplete: string
  /** Seconds until the login expires: 600. */
  readonly expiresIn: number
  /** Seconds to wait between calls of `deviceTokens`. */
  readonly interval: number
}

export interface DeviceTokensParams {
  readonly deviceCode: string
}

export interface DeviceLoginLookup {
  /** The code that the terminal shows. */
  readonly userCode: string
}

/** The client that requested a device login. */
export interface DeviceLogin {
  /** The name the client gave itself. */
  readonly clientName: string | null
  readonly clientAddress: string
  readonly expiresAt: string
}

export interface DeviceLoginDecision extends DeviceLoginLookup {
  /** True signs the terminal in as you. False denies the login. */
  readonly approve: boolean
}

export interface DeviceLoginDecided {
  readonly approved: boolean
}

export interface PasswordChangeParams {
  readonly currentPassword: string
  /** 10 to 200 characters. */
  readonly newPassword: string
  /** The session to keep. Default: the console session, if there is one. */
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
  /** The token from the email. */
  readonly token: string
  /** 10 to 200 characters. */
  readonly newPassword: string
}

export interface PasswordReset extends PasswordChanged {
  /**
   * Number of invitations that were emailed. The user must join these organizations again, because the email address
   * had never been verified.
   */
  readonly invitationsSent: number
}
