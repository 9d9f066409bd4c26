// Access tokens: how a user signs in, renews a token and signs out. The client does not store the tokens from these calls. Pass them to a new client. spec 2.21, 5.12, 7 and 17.2
// Generated from the server's contract by `npm run reference`: edit packages/server, not this file.

import type { ApiCall } from "../core/api-call.ts"
import { path } from "../core/path.ts"
import type { RequestOptions } from "../core/request-options.ts"
import type { Transport } from "../core/transport.ts"
import type { Deleted } from "../extensions/common.ts"
import type { Role } from "./members.ts"
import type { Organization } from "./organizations.ts"

/**
 * `footfall.auth`. Needs no credentials, except for `me`, `join`, `logout`, the calls about sessions,
 * `changePassword`, `getDeviceLogin` and `decideDeviceLogin`, which need an access token.
 */
export class Auth {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Ends the session of a refresh token. Without one, ends every session of the user. Errors: BadRequestError. */
  logout(params: LogoutParams = {}, options: RequestOptions = {}): ApiCall<LoggedOut> {
    return this.#transport.post("/v1/auth/logout", {
      body: params,
      credentials: "accessToken",
      secrets: [params.refreshToken],
      options,
    })
  }

  /** Returns the user, the organization and role of the access token, and every organization the user belongs to. */
  me(options: RequestOptions = {}): ApiCall<Me> {
    return this.#transport.get("/v1/auth/me", { credentials: "accessToken", options })
  }

  /**
   * Accepts an invitation as the signed-in user. To use the organization, sign in or refresh with its id. Errors:
   * BadRequestError, NotFoundError (the invitation is unknown, used, expired or for another user).
   */
  join(params: JoinParams, options: RequestOptions = {}): ApiCall<JoinedOrganization> {
    return this.#transport.post("/v1/auth/join", {
      body: params,
      credentials: "accessToken",
      secrets: [params.token],
      options,
    })
  }

  /** Returns where you are signed in, most recently used first. */
  listSessions(options: RequestOptions = {}): ApiCall<ReadonlyArray<UserSession>> {
    return this.#transport.get("/v1/auth/sessions", { credentials: "accessToken", options })
  }

  /**
   * Ends one of your sessions. It can no longer be refreshed, but its access token works until it expires, at most an
   * hour later. Errors: NotFoundError.
   */
  deleteSession(sessionId: string, options: RequestOptions = {}): ApiCall<Deleted> {
    return this.#transport.delete(path`/v1/auth/sessions/${sessionId}`, {
      credentials: "accessToken",
      options,
    })
  }

  /** Ends all of your sessions except the current one. */
  endOtherSessions(options: RequestOptions = {}): ApiCall<SessionsEnded> {
    return this.#transport.post("/v1/auth/sessions/end-others", {
      credentials: "accessToken",
      options,
    })
  }

  /**
   * Exchanges an email address and a password for an access token and a refresh token. The access token works for one
   * hour. Errors: BadRequestError, AuthenticationError (wrong email or password), RateLimitedError (5 attempts a
   * minute per account).
   */
  login(params: LoginParams, options: RequestOptions = {}): ApiCall<Tokens> {
    return this.#transport.post("/v1/auth/login", {
      body: params,
      credentials: "none",
      secrets: [params.password],
      options,
    })
  }

  /**
   * Exchanges a refresh token for new tokens. Each refresh token works once: using it a second time ends the session.
   * Errors: BadRequestError, AuthenticationError (the token is unknown, used or expired).
   */
  refresh(params: RefreshParams, options: RequestOptions = {}): ApiCall<Tokens> {
    return this.#transport.post("/v1/auth/refresh", {
      body: params,
      credentials: "none",
      secrets: [params.refreshToken],
      options,
    })
  }

  /**
   * Exchanges an email address and a password for an access token. The server sets the refresh token as a cookie that
   * scripts cannot read. Only pages of this server can call it. Errors: BadRequestError, AuthenticationError (wrong
   * email or password), PermissionError (a page of another site sent it), RateLimitedError (5 attempts a minute per
   * account).
   */
  startSession(params: LoginParams, options: RequestOptions = {}): ApiCall<SessionToken> {
    return this.#transport.post("/v1/auth/session", {
      body: params,
      credentials: "none",
      secrets: [params.password],
      options,
    })
  }

  /** Ends the session in the cookie and deletes the cookie. Errors: PermissionError. */
  endSession(options: RequestOptions = {}): ApiCall<LoggedOut> {
    return this.#transport.delete("/v1/auth/session", { credentials: "none", options })
  }

  /**
   * Returns a new access token for the session in the cookie, and replaces the cookie. Do not call it in parallel:
   * using a refresh token twice ends the session, except within ten seconds. If the user is not a member of the
   * organization, returns 403 and the session continues. Errors: BadRequestError, AuthenticationError (the session
   * has ended), PermissionError (the user is not a member of the organization).
   */
  refreshSession(
    params: RefreshSessionParams = {},
    options: RequestOptions = {},
  ): ApiCall<SessionToken> {
    return this.#transport.post("/v1/auth/session/refresh", {
      body: params,
      credentials: "none",
      options,
    })
  }

  /**
   * Accepts an invitation to one organization and signs in to it. A new user chooses a password; a user who has an
   * account gives its password. An invitation works once. The emailed token also verifies the email address. If the
   * account's address was never verified, its owner sets a new password with that token, which ends all of the
   * account's sessions. Errors: BadRequestError, AuthenticationError (the token is unknown, used or expired, or the
   * password is wrong).
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
   * Returns the organization, the email address and the role of an open invitation. It stays open. Errors:
   * BadRequestError, AuthenticationError (the token is unknown, used or expired).
   */
  invitation(params: InvitationParams, options: RequestOptions = {}): ApiCall<Invitation> {
    return this.#transport.post("/v1/auth/invitation", {
      body: params,
      credentials: "none",
      secrets: [params.token],
      options,
    })
  }

  /**
   * Returns the client that is waiting to sign in with a code, so that the user can check that it is theirs. Finds
   * only sign-ins that are waiting for a decision. Errors: BadRequestError, NotFoundError.
   */
  getDeviceLogin(params: DeviceLoginLookup, options: RequestOptions = {}): ApiCall<DeviceLogin> {
    return this.#transport.get("/v1/auth/device", {
      query: { ...params },
      credentials: "accessToken",
      options,
    })
  }

  /**
   * Starts signing in a terminal or another client that has no browser, as RFC 8628 describes. Show the user
   * `userCode` and `verificationUri`, and poll for the tokens every `interval` seconds. The request expires after 10
   * minutes. A server without the console returns 403. Errors: BadRequestError, PermissionError (the server has no
   * console).
   */
  startDeviceLogin(
    params: DeviceLoginParams = {},
    options: RequestOptions = {},
  ): ApiCall<DeviceLoginStarted> {
    return this.#transport.post("/v1/auth/device", { body: params, credentials: "none", options })
  }

  /**
   * Signs in the terminal with this code as the signed-in user, in the organization of the access token, or denies
   * it. Each code can be approved or denied once. Errors: BadRequestError, NotFoundError (the code is unknown,
   * expired or already decided), RateLimitedError (5 unknown codes a minute).
   */
  decideDeviceLogin(
    params: DeviceLoginDecision,
    options: RequestOptions = {},
  ): ApiCall<DeviceLoginDecided> {
    return this.#transport.post("/v1/auth/device/approve", {
      body: params,
      credentials: "accessToken",
      options,
    })
  }

  /**
   * Returns the tokens once, after the user approves. Until then, returns 400 with `details.reason`:
   * `authorization_pending` (poll again), `slow_down` (add 5 seconds to your polling interval), `access_denied` or
   * `expired_token` (start another sign-in). Errors: BadRequestError (`details.reason` is `authorization_pending`,
   * `slow_down`, `access_denied` or `expired_token`).
   */
  deviceTokens(params: DeviceTokensParams, options: RequestOptions = {}): ApiCall<Tokens> {
    return this.#transport.post("/v1/auth/device/token", {
      body: params,
      credentials: "none",
      secrets: [params.deviceCode],
      options,
    })
  }

  /**
   * Changes the password of the signed-in user. Ends every other session. Every access token, including this one,
   * stops working within 5 seconds, so refresh yours. A wrong current password returns 400 with `details.reason`
   * `wrong_password`. Errors: BadRequestError (`details.reason` is `wrong_password`).
   */
  changePassword(
    params: PasswordChangeParams,
    options: RequestOptions = {},
  ): ApiCall<PasswordChanged> {
    return this.#transport.post("/v1/auth/password", {
      body: params,
      credentials: "accessToken",
      secrets: [params.currentPassword, params.newPassword, params.refreshToken],
      options,
    })
  }

  /**
   * Emails a link to set a new password. The response is the same whether or not the address has an account. A server
   * without SMTP returns 403 with `details.reason` `mail_not_configured`. Errors: BadRequestError, PermissionError
   * (`details.reason` is `mail_not_configured`).
   */
  requestPasswordReset(
    params: PasswordResetRequestParams,
    options: RequestOptions = {},
  ): ApiCall<PasswordResetRequested> {
    return this.#transport.post("/v1/auth/password/reset-request", {
      body: params,
      credentials: "none",
      options,
    })
  }

  /**
   * Sets a new password with an emailed token and ends every session of the user. The token works once, for one hour.
   * If the email address was never verified before, the user has to accept the invitations of their organizations
   * again. `invitationsSent` is how many were emailed. Errors: BadRequestError, AuthenticationError (the token is
   * unknown, used or expired).
   */
  resetPassword(params: PasswordResetParams, options: RequestOptions = {}): ApiCall<PasswordReset> {
    return this.#transport.post("/v1/auth/password/reset", {
      body: params,
      credentials: "none",
      secrets: [params.token, params.newPassword],
      options,
    })
  }
}

/** Which session to end. */
export interface LogoutParams {
  /** The session to end. Default: every session of the user. */
  readonly refreshToken?: string | undefined
}

/** The end of a session. */
export interface LoggedOut {
  /** Always `true`. */
  readonly loggedOut: true
}

/** A token's user and organization. */
export interface Me {
  /** You. */
  readonly user: User
  /** The token's organization. */
  readonly organization: Organization
  /** The user's role in it. */
  readonly role: Role
  /** All organizations of the user. */
  readonly organizations: ReadonlyArray<JoinedOrganization>
}

/** An invitation. */
export interface JoinParams {
  /** The token of the invitation. */
  readonly token: string
  /** Returns only the organization and the role. The invitation stays open. */
  readonly preview?: boolean | undefined
}

/** One of the user's organizations, and the user's role in it. */
export interface JoinedOrganization {
  /** Id of the organization. */
  readonly id: string
  /** Name of the organization. */
  readonly name: string
  /** Short name of the organization. */
  readonly slug: string
  /** Your role in it. */
  readonly role: Role
}

/** One of the user's sessions. */
export interface UserSession {
  /** Id of the session. */
  readonly id: string
  /** Whether this is the session of the access token. */
  readonly isCurrent: boolean
  /** True for a console session, false for a terminal or a program. */
  readonly isConsole: boolean
  /** The client's user agent at sign-in. */
  readonly userAgent: string | null
  /** When the session was created. */
  readonly createdAt: string
  /** When the session was last renewed. */
  readonly lastUsedAt: string
  /** When the session ends, unless it is renewed before. */
  readonly expiresAt: string
}

/** How many sessions ended. */
export interface SessionsEnded {
  /** How many sessions ended. */
  readonly ended: number
}

/** A user's email and password. */
export interface LoginParams {
  /** Email address of the user. */
  readonly email: string
  /** Password of the user. */
  readonly password: string
  /** Organization to sign in to. Default: the one the user joined first. */
  readonly organizationId?: string | undefined
}

/** An access token and the refresh token that renews it. */
export interface Tokens {
  /** A JWT. */
  readonly accessToken: string
  /** Always `Bearer`. */
  readonly tokenType: "Bearer"
  /** Lifetime of the access token in seconds: 3600. */
  readonly expiresIn: number
  /** Valid for 30 days and one refresh. Using it twice ends the session. */
  readonly refreshToken: string
}

/** A refresh token, and the organization to get a token for. */
export interface RefreshParams {
  /** Works once. */
  readonly refreshToken: string
  /** Organization to sign in to. Default: the one the user joined first. */
  readonly organizationId?: string | undefined
}

/** The access token of a console session. The browser keeps the refresh token in a cookie. */
export interface SessionToken {
  /** A JWT. */
  readonly accessToken: string
  /** Always `Bearer`. */
  readonly tokenType: "Bearer"
  /** Lifetime of the access token in seconds: 3600. */
  readonly expiresIn: number
}

/** The organization to get a token for. */
export interface RefreshSessionParams {
  /** Organization to sign in to. Default: the one the user joined first. */
  readonly organizationId?: string | undefined
}

/** An invitation, and the account's password. A new user chooses one. */
export interface AcceptInviteParams {
  /** The token of the invitation. */
  readonly token: string
  /** The password of the account. For a new account, a password of 10 to 200 characters. */
  readonly password: string
  /** Name of the user, 1 to 160 characters. */
  readonly name?: string | undefined
}

/** The token of an invitation. */
export interface InvitationParams {
  /** The token of the invitation. */
  readonly token: string
}

/** What an open invitation is for. */
export interface Invitation {
  /** The organization that invites. */
  readonly organization: {
    /** Name of the organization. */
    readonly name: string
  }
  /** The address of the user who was invited. They sign in with it. */
  readonly email: string
  /** The role they will have. */
  readonly role: Role
}

/** The code of a device login. */
export interface DeviceLoginLookup {
  /** The code that the terminal shows. Ignores case and hyphens. */
  readonly userCode: string
}

/** The client that requested a device login. */
export interface DeviceLogin {
  /** The name the client gave itself. */
  readonly clientName: string | null
  /** Address that the login came from. */
  readonly clientAddress: string
  /** Until when it can be approved. */
  readonly expiresAt: string
}

/** The client that requests a device login. */
export interface DeviceLoginParams {
  /** Name of the client, such as `footfall on lee-laptop`, 1 to 100 characters. The console shows it to the user. */
  readonly clientName?: string | undefined
}

/** A device login that waits for the user's approval. */
export interface DeviceLoginStarted {
  /** Send it to `/v1/auth/device/token`. Keep it secret. */
  readonly deviceCode: string
  /** Show it to the user, for example `WDJB-MJHT`. */
  readonly userCode: string
  /** Where the user enters the code. */
  readonly verificationUri: string
  /** The same URL, with the code included. */
  readonly verificationUriComplete: string
  /** Seconds until the login expires: 600. */
  readonly expiresIn: number
  /** Seconds to wait between requests for its tokens. */
  readonly interval: number
}

/** The code of a device login, and whether to approve it. */
export interface DeviceLoginDecision {
  /** The code that the terminal shows. Ignores case and hyphens. */
  readonly userCode: string
  /** `true` signs the terminal in as you. `false` denies it. */
  readonly approve: boolean
}

/** The decision about a device login. */
export interface DeviceLoginDecided {
  /** Whether the login was approved. */
  readonly approved: boolean
}

/** The code that a device login returned. */
export interface DeviceTokensParams {
  /** Returns tokens once. */
  readonly deviceCode: string
}

/** The current password and a new one. */
export interface PasswordChangeParams {
  /** The user's current password. */
  readonly currentPassword: string
  /** 10 to 200 characters. */
  readonly newPassword: string
  /** The session to keep. Default: the one in the console's cookie. */
  readonly refreshToken?: string | undefined
}

/** A changed password. */
export interface PasswordChanged {
  /** Always `true`. */
  readonly changed: true
}

/** The address to email a link to. */
export interface PasswordResetRequestParams {
  /** Email address of the user. */
  readonly email: string
}

/** A requested link to set a new password. */
export interface PasswordResetRequested {
  /** Always `true`, whether or not an account has the address. */
  readonly requested: true
}

/** The token of the email and a new password. */
export interface PasswordResetParams {
  /** The token that was emailed. Works once. */
  readonly token: string
  /** 10 to 200 characters. */
  readonly newPassword: string
}

/** A new password, and the number of invitations that were emailed. */
export interface PasswordReset {
  /** Always `true`. */
  readonly changed: true
  /**
   * Number of invitations that were emailed. The user must join these organizations again, because the email address
   * had never been verified.
   */
  readonly invitationsSent: number
}

/** A user, as they see themselves. */
export interface User {
  /** Id of the user. */
  readonly id: string
  /** Address of the user. */
  readonly email: string
  /** Name of the user; null before an invitation is accepted. */
  readonly name: string | null
}
