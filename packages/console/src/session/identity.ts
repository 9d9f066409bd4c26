// The user and organization of a token. Data read as one is never shown to another.
import { FootfallError } from "@footfall/sdk"

export interface Identity {
  readonly userId: string
  readonly organizationId: string
}

/** Reads an access token of this server. */ // spec 7.2.1
export const identityOf = (accessToken: string): Identity => {
  const [, payload = ""] = accessToken.split(".")
  const claims = JSON.parse(atob(payload.replaceAll("-", "+").replaceAll("_", "/"))) as {
    readonly sub: string
    readonly org: string
  }
  return { userId: claims.sub, organizationId: claims.org }
}

export const isSameIdentity = (one: Identity | undefined, other: Identity | undefined): boolean =>
  one?.userId === other?.userId && one?.organizationId === other?.organizationId

/** The page belonged to another user or organization than the current session. Nothing was sent. */
export class OtherIdentityError extends FootfallError {
  declare readonly _tag: "OtherIdentityError"
  readonly code = "OTHER_IDENTITY"

  constructor() {
    super("You are signed in as someone else or in another organization now, so nothing was sent.")
  }
}
