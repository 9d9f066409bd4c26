// What a log-in gives and says. Source: spec 2.21, 5.12 and 7.

import type { Role } from "./member.ts"
import type { Organization } from "./organization.ts"

/** An access token and what renews it. */
export interface Tokens {
  /** A JWT, for the option `accessToken`. */
  readonly accessToken: string
  readonly tokenType: "Bearer"
  /** Seconds the access token is valid: 3600. */
  readonly expiresIn: number
  /** Valid for 30 days and for one refresh; using it twice ends the whole chain. */
  readonly refreshToken: string
}

/** Address and password of a user. */
export interface LoginParams {
  readonly email: string
  readonly password: string
  /** Which of the user's organizations the token is for. Default: the one joined first. */
  readonly organizationId?: string | undefined
}

export interface RefreshParams {
  readonly refreshToken: string
  /** As in `LoginParams`. */
  readonly organizationId?: string | undefined
}

export interface LogoutParams {
  /** The session to end. Default: every one of the user. */
  readonly refreshToken?: string | undefined
}

/** How an invited user comes in. */
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

/** Whose token it is. */
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
