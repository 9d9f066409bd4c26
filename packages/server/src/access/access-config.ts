// What the configuration says about access tokens: the public address that local ones name as their
// issuer, and the one external issuer (spec 1.2, 7).
import { Context } from "effect"

export interface ExternalIssuer {
  /** `OIDC_ISSUER`, exactly as the `iss` of its tokens. */
  readonly issuer: string
  /** `OIDC_AUDIENCE`, one of the `aud` of its tokens. */
  readonly audience: string
}

export class AccessConfig extends Context.Service<
  AccessConfig,
  {
    /** `BASE_URL`, without a slash at the end. */
    readonly baseUrl: string
    readonly externalIssuer: ExternalIssuer | undefined
    /** Whether the console is served, which approves log-ins of terminals. */
    readonly hasConsole: boolean
  }
>()("@footfall/server/access/AccessConfig") {}
