// This server as a client of the external issuer (spec 7.5): the authorization code flow of OpenID Connect with PKCE,
// state and nonce. The library checks the issuer's responses. access-tokens.ts checks the ID token's signature and its
// claims about the user.
import { Cache, Context, Duration, Effect, Layer, Redacted, Schema } from "effect"
import type * as openidClient from "openid-client"
import { operatorFetch } from "../../../platform/outbound/operator-pool.ts"
import { NameLookup } from "../../../platform/outbound/vetted-addresses.ts"
import { AccessConfig, type IssuerClient as Registered } from "../../access-config.ts"
import { clockSkewSeconds } from "../../tokens/access-tokens.ts"

/** What the browser keeps until the issuer sends the user back. */
export interface Attempt {
  readonly state: string
  readonly nonce: string
  /** The PKCE code verifier. */
  readonly verifier: string
}

interface Redeemed {
  readonly idToken: Redacted.Redacted
  /** Undefined if the ID token has an email address or the issuer has no user info endpoint. */
  readonly userInfo: Readonly<Record<string, unknown>> | undefined
}

/** `denied`: the user canceled or the issuer forbids it. `expired`: the attempt is old, used or from another browser. */
export class IssuerFailed extends Schema.TaggedError<IssuerFailed>()("IssuerFailed", {
  reason: Schema.Literals(["unreachable", "denied", "expired", "refused"]),
}) {}

/** The path of the redirect URI, relative to `BASE_URL`. */
export const callbackPath = "/v1/auth/external/callback"

/** The timeout of each request to the issuer. */
const timeoutSeconds = 5
const discoveredFor = Duration.minutes(10)

type Library = typeof openidClient

const make = Effect.gen(function* () {
  const { baseUrl, externalIssuer } = yield* AccessConfig
  const fetch = operatorFetch(yield* NameLookup)
  const redirectUri = `${baseUrl}${callbackPath}`
  // Loaded on first use: most servers have no issuer.
  const library = Effect.promise(() => import("openid-client"))

  const withLibrary = <A>(ask: (openid: Library) => Promise<A>) =>
    Effect.flatMap(library, (openid) =>
      Effect.tryPromise({ try: () => ask(openid), catch: (error) => error }).pipe(
        Effect.tapError((error) =>
          Effect.logWarning(`sign-in at the issuer failed: ${wordsOf(error)}`),
        ),
        Effect.mapError((error) => new IssuerFailed({ reason: reasonOf(openid, error) })),
      ),
    )

  const configurations = yield* Cache.makeWith(
    (issuer: string) =>
      withLibrary((openid) => {
        const client = externalIssuer?.client
        if (client === undefined) throw new Error("OIDC_CLIENT_ID is not set")
        return discovered(openid, { client, issuer, fetch })
      }),
    {
      capacity: 1,
      timeToLive: (exit) => (exit._tag === "Success" ? discoveredFor : Duration.zero),
    },
  )
  // A browser that disconnects must not cancel the look-up for others.
  const configured = Effect.uninterruptible(
    Cache.get(configurations, externalIssuer?.issuer ?? ""),
  ).pipe(Effect.mapError(() => new IssuerFailed({ reason: "unreachable" })))

  return {
    /** Returns the URL to sign in at, and what the browser must keep. */
    begin: Effect.gen(function* () {
      const configuration = yield* configured
      return yield* withLibrary(async (openid) => {
        const attempt: Attempt = {
          state: openid.randomState(),
          nonce: openid.randomNonce(),
          verifier: openid.randomPKCECodeVerifier(),
        }
        const url = openid.buildAuthorizationUrl(configuration, {
          redirect_uri: redirectUri,
          scope: "openid email",
          state: attempt.state,
          nonce: attempt.nonce,
          code_challenge: await openid.calculatePKCECodeChallenge(attempt.verifier),
          code_challenge_method: "S256",
        })
        return { url, attempt }
      })
    }),

    /** Exchanges the code. `query`: the query of the request to the redirect URI. */
    redeem: Effect.fn("IssuerClient.redeem")(function* (query: URLSearchParams, attempt: Attempt) {
      if (query.get("state") !== attempt.state)
        return yield* new IssuerFailed({ reason: "expired" })
      const configuration = yield* configured
      return yield* withLibrary(async (openid): Promise<Redeemed> => {
        const tokens = await openid.authorizationCodeGrant(
          configuration,
          new URL(`${redirectUri}?${query}`),
          {
            pkceCodeVerifier: attempt.verifier,
            expectedState: attempt.state,
            expectedNonce: attempt.nonce,
            idTokenExpected: true,
          },
        )
        const { email, sub } = tokens.claims()!
        const hasMore = configuration.serverMetadata().userinfo_endpoint !== undefined
        return {
          idToken: Redacted.make(tokens.id_token!),
          userInfo:
            email === undefined && hasMore
              ? await openid.fetchUserInfo(configuration, tokens.access_token, sub)
              : undefined,
        }
      })
    }),
  }
})

export class IssuerClient extends Context.Service<IssuerClient, Effect.Success<typeof make>>()(
  "@footfall/server/access/IssuerClient",
) {
  static readonly layer = Layer.effect(IssuerClient, make)
}

/** Reads the issuer's configuration. Rejects if it names another issuer, which the library permits for some issuers. */
export const discovered = async (
  openid: Library,
  {
    client,
    fetch,
    issuer,
  }: {
    readonly client: Pick<Registered, "clientId" | "clientSecret">
    readonly fetch: ReturnType<typeof operatorFetch>
    readonly issuer: string
  },
) => {
  const configuration = await openid.discovery(
    new URL(issuer),
    client.clientId,
    { [openid.clockTolerance]: clockSkewSeconds },
    authentication(openid, client.clientSecret),
    {
      [openid.customFetch]: fetch,
      timeout: timeoutSeconds,
      execute: issuer.startsWith("http:") ? [openid.allowInsecureRequests] : [],
    },
  )
  const named = configuration.serverMetadata().issuer
  if (named !== issuer)
    throw new Error(`OIDC_ISSUER is ${issuer}, but its configuration names ${named}`)
  return configuration
}

/** OpenID Connect defaults to the header. The body is for issuers that accept only that. */
const authentication = (
  openid: Library,
  secret: Redacted.Redacted | undefined,
): openidClient.ClientAuth => {
  if (secret === undefined) return openid.None()
  const text = Redacted.value(secret)
  const [basic, post] = [openid.ClientSecretBasic(text), openid.ClientSecretPost(text)]
  return (issuer, ...rest) => {
    const { token_endpoint_auth_methods_supported: methods } = issuer
    const isPost =
      methods?.includes("client_secret_basic") === false && methods.includes("client_secret_post")
    return (isPost ? post : basic)(issuer, ...rest)
  }
}

/** Error codes of the library for a missing or unreadable response. */
const unreachableCodes: ReadonlySet<unknown> = new Set([
  "OAUTH_TIMEOUT",
  "OAUTH_RESPONSE_IS_NOT_CONFORM",
  "OAUTH_RESPONSE_IS_NOT_JSON",
])

const reasonOf = (openid: Library, error: unknown): IssuerFailed["reason"] => {
  if (error instanceof openid.AuthorizationResponseError) {
    if (error.error === "temporarily_unavailable" || error.error === "server_error") {
      return "unreachable"
    }
    return "denied"
  }
  // The issuer rejects a code that is used or too old.
  if (error instanceof openid.ResponseBodyError) {
    return error.error === "invalid_grant" ? "expired" : "refused"
  }
  const isUnreachable =
    error instanceof openid.ClientError &&
    (error.code === undefined || unreachableCodes.has(error.code))
  return isUnreachable ? "unreachable" : "refused"
}

/** A description for the log and the doctor. An error name from the URL is included only if it looks like a code. */
export const wordsOf = (error: unknown): string => {
  if (!(error instanceof Error)) return "unknown"
  const code = "error" in error ? error.error : "code" in error ? error.code : undefined
  const isCode = typeof code === "string" && /^\w{1,64}$/.test(code)
  // For a failed connection, the library's own message says only that something went wrong.
  if (!isCode && error.cause instanceof Error) return wordsOf(error.cause)
  return `${error.message || error.name}${isCode ? ` (${code})` : ""}`
}
