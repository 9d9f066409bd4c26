// Access tokens: how a user signs in, renews a token and signs out. The client does not keep the tokens that it
// gets here; pass them to a client of its own. spec 2.21, 5.12 and 7

import type { RequestOptions } from "../core/request-options.ts"
import type { Transport } from "../core/transport.ts"
import type { Role } from "./members.ts"
import type { Organization } from "./organizations.ts"

/** `footfall.auth`. Needs no credentials, except that `me` and `logout` need an access token. */
export class Auth {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Signs in. Errors: AuthenticationError for a wrong email or password, RateLimitedError (5 attempts a minute per
   * account).
   */
  login(params: LoginParams, options: RequestOptions = {}): Promise<Tokens> {
    return this.#transport.requestData({
      method: "POST",
      path: "/v1/auth/login",
      body: params,
      credentials: "none",
      secrets: [params.password],
      options,
    })
  }

  /** Exchanges a refresh token for new tokens. It works once. Errors: AuthenticationError. */
  refresh(params: RefreshParams, options: RequestOptions = {}): Promise<Tokens> {
    return this.#transport.requestData({
      method: "POST",
      path: "/v1/auth/refresh",
      body: params,
      credentials: "none",
      secrets: [params.refreshToken],
      options,
    })
  }

  /** Signs out: ends the session of a refresh token, or every session of the user. Errors: AuthenticationError. */
  logout(params: LogoutParams = {}, options: RequestOptions = {}): Promise<LoggedOut> {
    return this.#transport.requestData({
      method: "POST",
      path: "/v1/auth/logout",
      body: params,
      credentials: "accessToken",
      secrets: params.refreshToken === undefined ? [] : [params.refreshToken],
      options,
    })
  }

  /** Gets the user and the organization of the token. Errors: AuthenticationError. */
  me(options: RequestOptions = {}): Promise<Me> {
    return this.#transport.requestData({
      method: "GET",
      path: "/v1/auth/me",
      credentials: "accessToken",
      options,
    })
  }

  /**
   * Sets the password of an invited user and signs in. Errors: AuthenticationError (unknown, used or expired
   * token).
   */
  acceptInvite(params: AcceptInviteParams, options: RequestOptions = {}): Promise<Tokens> {
    return this.#transport.requestData({
      method: "POST",
      path: "/v1/auth/accept-invite",
      body: params,
      credentials: "none",
      secrets: [params.token, params.password],
      options,
    })
  }
}

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

export interface LogoutParams {
  /** Refresh token of the session to end. Default: every session of the user. */
  readonly refreshToken?: string | undefined
}

/** An invitation and the new user's password. */
export interface AcceptInviteParams {
  /** `inviteToken` of `members.add`. */
  readonly token: string
  /** 10 to 200 characters. */
  readonly password: string
  readonly name?: string | undefined
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
  readonly organizations: ReadonlyArray<{
    readonly id: string
    readonly name: string
    readonly slug: string
    readonly role: Role
  }>
}

export interface User {
  readonly id: string
  readonly email: string
  readonly name: string | null
}
