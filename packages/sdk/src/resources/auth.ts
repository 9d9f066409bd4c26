// Access tokens: how a user gets one, renews it and gives it back. The client does not keep what it
// is given here; pass the token to a client of its own. Source: spec 5.12 and 7.

import type { RequestOptions } from "../core/request-options.ts"
import type { Transport } from "../core/transport.ts"
import type {
  AcceptInviteParams,
  LoggedOut,
  LoginParams,
  LogoutParams,
  Me,
  RefreshParams,
  Tokens,
} from "./tokens.ts"

/** `footfall.auth`. Needs no credentials, but for `me` and `logout`: these need an access token. */
export class Auth {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Errors: AuthenticationError for every wrong pair, RateLimitedError (5 a minute and account). */
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

  /** New tokens for a refresh token, which is used up. Errors: AuthenticationError. */
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

  /** Ends the session of a refresh token, or every one of the user. Errors: AuthenticationError. */
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

  /** Whose token it is, and for which organization. Errors: AuthenticationError. */
  me(options: RequestOptions = {}): Promise<Me> {
    return this.#transport.requestData({
      method: "GET",
      path: "/v1/auth/me",
      credentials: "accessToken",
      options,
    })
  }

  /** Sets the password of an invited user. Errors: AuthenticationError (unknown, used or expired). */
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
