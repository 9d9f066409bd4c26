// The configuration of access tokens: the public address, which is the issuer of local tokens, and the optional
// external issuer (spec 1.2, 7).
import { Context, type Redacted } from "effect"

export interface ExternalIssuer {
  /** `OIDC_ISSUER`, exactly as the `iss` of its tokens. */
  readonly issuer: string
  /** `OIDC_AUDIENCE`, one of the `aud` values of its access tokens. Undefined: the API accepts none of them. */
  readonly audience: string | undefined
  /** Undefined: users cannot sign in to the console there. */
  readonly client: IssuerClient | undefined
}

/** This server's registration at the issuer. */
export interface IssuerClient {
  /** `OIDC_CLIENT_ID`. */
  readonly clientId: string
  /** `OIDC_CLIENT_SECRET`; undefined: a public client. */
  readonly clientSecret: Redacted.Redacted | undefined
  /** `OIDC_NAME`: shown on pages. Not escaped. */
  readonly name: string
}

export class AccessConfig extends Context.Service<
  AccessConfig,
  {
    /** `BASE_URL`, without a trailing slash. */
    readonly baseUrl: string
    readonly externalIssuer: ExternalIssuer | undefined
    /** Whether the console is served, where users approve terminal sign-ins. */
    readonly hasConsole: boolean
  }
>()("@footfall/server/access/AccessConfig") {}
