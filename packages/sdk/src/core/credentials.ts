// The key and the token of a client. They leave this object in one request header only, never in a
// URL, never in print, and a key is never taken into a browser. spec 5.7 and 7.1.4

import { ConfigurationError, FootfallError } from "../errors/footfall-error.ts"
import { isBrowser } from "./is-browser.ts"

/**
 * Which credentials an endpoint takes. An endpoint that takes both gets the key, because it does not expire
 * within the hour, otherwise the token. In a browser an endpoint for keys gets the token. `optional`: like `either` if the client has credentials, which get a
 * higher rate limit; otherwise nothing is sent.
 */
export type CredentialKind = "apiKey" | "accessToken" | "either" | "optional" | "none"

/** A token, or a function that returns one for each attempt, so that it can be renewed in time. */
export type AccessToken = string | (() => string | Promise<string>)

/** The header that carries a credential. */
export interface CredentialHeader {
  readonly name: "x-api-key" | "authorization"
  readonly value: string
  /** The credential alone, to be taken out of whatever is printed. */
  readonly secret: string
}

const apiKeyForm = /^sk_[0-9A-Za-z]{43}$/
const accessTokenForm = /^[\w-]+\.[\w-]+\.[\w-]+$/

/** At most one API key and one access token, checked for their form. */
export class Credentials {
  // Private fields are out of reach for inspection, serialization and cloning alike.
  readonly #apiKey: string | undefined
  readonly #accessToken: AccessToken | undefined

  /** Errors: ConfigurationError for a wrong form, or a key in a browser; never repeats the value. */
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
   * The header to send; undefined for `none`, and for `optional` without credentials. Calls the function that
   * returns the token every time.
   * Errors: ConfigurationError `CREDENTIALS_MISSING`, also if the function returns no token. An error of the SDK
   * that the function throws passes through.
   */
  async header(kind: CredentialKind): Promise<CredentialHeader | undefined> {
    if (kind === "none") return undefined
    if (kind !== "accessToken" && this.#apiKey !== undefined) {
      return { name: "x-api-key", value: this.#apiKey, secret: this.#apiKey }
    }
    // A browser has no key: the token of a session works on its endpoints too.
    if ((kind !== "apiKey" || isBrowser()) && this.#accessToken !== undefined) {
      const secret = await currentToken(this.#accessToken)
      return { name: "authorization", value: `Bearer ${secret}`, secret }
    }
    if (kind === "optional") return undefined
    const isTokenOnly = kind === "apiKey" && isBrowser()
    throw new ConfigurationError(missing[isTokenOnly ? "accessToken" : kind], "CREDENTIALS_MISSING")
  }

  /** The credentials that are known without asking. */
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

async function currentToken(given: AccessToken): Promise<string> {
  if (typeof given === "string") return given
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
