// A real OpenID provider on loopback that signs in the account set by a test, without asking. It responds after
// `serve`, because the server and the provider need each other's URL.
import { once } from "node:events"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { generateKeyPairSync, randomUUID } from "node:crypto"
import { Provider } from "oidc-provider"

interface ProviderAccount {
  readonly email?: string
  readonly email_verified?: unknown
  readonly org?: string
}

interface RegisteredClient {
  readonly clientId: string
  /** Undefined: a public client. */
  readonly clientSecret?: string
  readonly redirectUri: string
  /** Whether the address is only in the user info and not in the ID token. Default: false. */
  readonly isEmailElsewhere?: boolean
}

export interface OpenIdProvider {
  /** The issuer, without a trailing slash. */
  readonly url: string
  /** The account that signs in next. Undefined: the user cancels. */
  account: ProviderAccount | undefined
  serve(client: RegisteredClient): void
  close(): Promise<void>
}

const jwk = () => ({
  ...generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({ format: "jwk" }),
  alg: "RS256",
  use: "sig",
  kid: "test",
})

export const startOpenIdProvider = async (): Promise<OpenIdProvider> => {
  let provider: Provider | undefined
  const accounts = new Map<string, ProviderAccount>()

  const signIn = async (request: IncomingMessage, response: ServerResponse) => {
    const { account } = self
    if (account === undefined) {
      return provider!.interactionFinished(request, response, { error: "access_denied" })
    }
    const accountId = randomUUID()
    accounts.set(accountId, account)
    return provider!.interactionFinished(request, response, { login: { accountId } })
  }

  const http = createServer((request, response) => {
    if (provider === undefined) response.writeHead(502).end("starting")
    else if (request.url?.startsWith("/interaction/") === true) {
      signIn(request, response).catch((error: Error) => response.writeHead(500).end(String(error)))
    } else void provider.callback()(request, response)
  })
  http.listen(0, "127.0.0.1")
  await once(http, "listening")
  // A socket that listens on TCP has an address of this form.
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`

  const self: OpenIdProvider = {
    url,
    account: undefined,
    serve: ({ clientId, clientSecret, isEmailElsewhere = false, redirectUri }) => {
      provider = new Provider(url, {
        clients: [
          {
            client_id: clientId,
            redirect_uris: [redirectUri],
            ...(clientSecret === undefined
              ? { token_endpoint_auth_method: "none" }
              : { client_secret: clientSecret }),
          },
        ],
        jwks: { keys: [jwk()] },
        cookies: { keys: ["test"] },
        features: { devInteractions: { enabled: false } },
        interactions: { url: (_, { uid }) => `/interaction/${uid}` },
        ttl: { Session: 60, Interaction: 60, Grant: 60, AccessToken: 60, IdToken: 60 },
        conformIdTokenClaims: isEmailElsewhere,
        claims: { openid: ["sub", "org"], email: ["email", "email_verified"] },
        findAccount: (_, accountId) => ({
          accountId,
          claims: () => ({ sub: accountId, ...accounts.get(accountId) }),
        }),
        loadExistingGrant: async ({ oidc }) => {
          const grant = new oidc.provider.Grant({
            clientId: oidc.client!.clientId,
            accountId: oidc.session!.accountId!,
          })
          grant.addOIDCScope("openid email")
          await grant.save()
          return grant
        },
      })
    },
    close: async () => {
      http.close()
      http.closeAllConnections()
      await once(http, "close")
    },
  }
  return self
}
