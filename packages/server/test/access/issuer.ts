// An OpenID issuer on loopback whose key set a test controls: other keys, slow, down, too large, HTML. Tokens are built
// by hand, so that tests can build invalid ones.
import { createHmac, generateKeyPairSync, type KeyObject, sign as signBytes } from "node:crypto"
import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

/** A key pair and its name in the key set. */
export interface SigningKey {
  readonly kid: string
  readonly alg: "RS256" | "PS256" | "ES256" | "EdDSA"
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
  /** Whether the key set leaves out the key's purpose. Default: false. */
  readonly isBare?: boolean
}

export const makeKey = (alg: SigningKey["alg"], kid: string = alg): SigningKey => {
  const pair =
    alg === "EdDSA"
      ? generateKeyPairSync("ed25519")
      : alg === "ES256"
        ? generateKeyPairSync("ec", { namedCurve: "P-256" })
        : generateKeyPairSync("rsa", { modulusLength: 2048 })
  return { kid, alg, ...pair }
}

export const jwkOf = ({ alg, isBare, kid, publicKey }: SigningKey) => ({
  ...publicKey.export({ format: "jwk" }),
  kid,
  ...(isBare === true ? {} : { alg, use: "sig" }),
})

export const encode = (value: unknown): string =>
  Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url")

/** Signs with an algorithm and any key, a secret or a private key. */
export const signatureOf = (
  alg: string,
  key: KeyObject | string | Buffer,
  input: string,
): Buffer => {
  const bytes = Buffer.from(input)
  const digest = `sha${alg.slice(2)}`
  // Each case gets the kind of key it needs from its test.
  switch (alg.slice(0, 2)) {
    case "HS":
      return createHmac(digest, key).update(input).digest()
    case "PS":
      return signBytes(digest, bytes, { key: key as KeyObject, padding: 6, saltLength: 32 })
    case "ES":
      return signBytes(digest, bytes, { key: key as KeyObject, dsaEncoding: "ieee-p1363" })
    case "Ed":
      return signBytes(null, bytes, key as KeyObject)
    default:
      return signBytes(digest, bytes, key as KeyObject)
  }
}

/** Builds a token with any header and any claims. Strings are used as they are. */
export const makeToken = (options: {
  readonly header: object | string
  readonly claims: object | string
  readonly alg: string
  readonly key: KeyObject | string | Buffer
}): string => {
  const input = `${encode(options.header)}.${encode(options.claims)}`
  return `${input}.${signatureOf(options.alg, options.key, input).toString("base64url")}`
}

type Serve = (response: ServerResponse) => void

export interface Issuer {
  readonly url: string
  /** Sets the response for the key set. */
  serve(keys: ReadonlyArray<SigningKey> | Serve): void
  /** Sets the issuer in its discovery document. Default: itself. */
  claim(issuer: string): void
  /** How many times the key set was requested. */
  readonly fetches: number
  close(): Promise<void>
}

export const startIssuer = async (keys: ReadonlyArray<SigningKey>): Promise<Issuer> => {
  let serving: ReadonlyArray<SigningKey> | Serve = keys
  let fetches = 0
  let claimed: string | undefined
  const json = (response: ServerResponse, body: object) =>
    response.setHeader("content-type", "application/json").end(JSON.stringify(body))
  const server = createServer((request, response) => {
    if (request.url === "/.well-known/openid-configuration") {
      return void json(response, { issuer: claimed ?? url, jwks_uri: `${url}/keys` })
    }
    fetches++
    if (typeof serving === "function") return serving(response)
    json(response, { keys: serving.map(jwkOf) })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  // A server that listens on a port has an address of this form.
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    serve: (next) => {
      serving = next
    },
    claim: (name) => {
      claimed = name
    },
    get fetches() {
      return fetches
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
