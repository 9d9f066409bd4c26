// The client's API key and access token. They are sent in one request header only. They are never put into a URL or
// printed, and an API key is refused in a browser. spec 5.7 and 7.1.4

import { ConfigurationError, FootfallError } from "../errors/footfall-error.ts"

/**
 * Which credentials an endpoint accepts. `either`: sends the API key if there is one, because it does not expire within
 * the hour, otherwise the token. In a browser, an endpoint for keys gets the token. `optional`: like `either` if the
 * client has credentials, which raise the rate limit; otherwise sends none.
 */
export type CredentialKind = "apiKey" | "accessToken" | "either" | "optional" | "none"

/**
 * An access token, or a function that returns one. The function is called before each attempt, so it can renew the
 * token in time.
 */
export type AccessToken = string | (() => string | Promise<string>)

/** The header that sends a credential. */
export interface CredentialHeader {
  readonly name: "x-api-key" | "authorization"
  readonly value: string
  /** The credential itself, to remove from anything printed. */
  readonly secret: string
}

const apiKeyForm = /^sk_[0-9A-Za-z]{43}$/
const accessTokenForm = /^[\w-]+\.[\w-]+\.[\w-]+$/

/** At most one API key and one access token, each with a valid format. */
export class Credentials {
  // Inspection, serialization and cloning cannot reach private fields.
  readonly #apiKey: string | undefined
  readonly #accessToken: AccessToken | undefined

  /**
   * Errors: ConfigurationError for an invalid format, or for a key in a browser. The message never includes the value.
   */
  constructor(given: { apiKey: string | undefined; accessToken: AccessToken | undefined }) {
    if (given.apiKey !== undefined && isBrowser()) {
      throw new ConfigurationError(
        "An API key must not be used in a browser: anyone who opens the page can read it",
      )
    }
    if (given.apiKey !== undefined && !apiKeyForm.test(given.apiKey)) {
      throw new ConfigurationError(
        `apiKey (FOOTFALL_API_KEY) must be sk_ and 43 letters or digits; received ${given.apiKey.length} characters` +
          " in another format",
      )
    }
    if (typeof given.accessToken === "string") checkAccessToken(given.accessToken)
    this.#apiKey = given.apiKey
    this.#accessToken = given.accessToken
  }

  /**
   * Returns the header to send; undefined for `none`, and for `optional` without credentials. Calls the token function
   * every time. Errors: ConfigurationError `CREDENTIALS_MISSING`, also if the function returns no token. SDK errors
   * that the function throws pass through.
   */
  header(kind: CredentialKind): CredentialHeader | undefined | Promise<CredentialHeader> {
    if (kind === "none") return undefined
    if (kind !== "accessToken" && this.#apiKey !== undefined) {
      return { name: "x-api-key", value: this.#apiKey, secret: this.#apiKey }
    }
    // A browser has no API key, but a session token works on endpoints for keys too.
    if ((kind !== "apiKey" || isBrowser()) && this.#accessToken !== undefined) {
      const token = this.#accessToken
      return typeof token === "string" ? bearer(token) : currentToken(token).then(bearer)
    }
    if (kind === "optional") return undefined
    const isTokenOnly = kind === "apiKey" && isBrowser()
    throw new ConfigurationError(missing[isTokenOnly ? "accessToken" : kind], "CREDENTIALS_MISSING")
  }

  /** The credentials known without calling the token function. */
  get secrets(): ReadonlyArray<string> {
    return [this.#apiKey, this.#accessToken].filter((secret) => typeof secret === "string")
  }
}

const missing: Readonly<Record<Exclude<CredentialKind, "optional" | "none">, string>> = {
  apiKey: "This call needs an API key: set apiKey or FOOTFALL_API_KEY",
  accessToken: "This call needs an access token: set accessToken or FOOTFALL_ACCESS_TOKEN",
  either:
    "This call needs credentials: set apiKey or accessToken, FOOTFALL_API_KEY or FOOTFALL_ACCESS_TOKEN",
}

const bearer = (token: string): CredentialHeader => ({
  name: "authorization",
  value: `Bearer ${token}`,
  secret: token,
})

async function currentToken(given: () => string | Promise<string>): Promise<string> {
  let token: unknown
  try {
    token = await given()
  } catch (error) {
    if (error instanceof FootfallError) throw error
    const reason = error instanceof Error ? error.message : "no reason given"
    throw new ConfigurationError(`accessToken() failed: ${reason}`, "CREDENTIALS_MISSING")
  }
  return checkAccessToken(token)
}

function checkAccessToken(given: unknown): string {
  if (typeof given === "string" && accessTokenForm.test(given)) return given
  throw new ConfigurationError(
    "accessToken (FOOTFALL_ACCESS_TOKEN) must be a JWT: three base64url parts with dots between them",
  )
}

// Detects a browser page, where anyone can read the scripts.

/** False in a worker, which has no `document`. */
export const isBrowser = (): boolean => "window" in globalThis && "document" in globalThis
