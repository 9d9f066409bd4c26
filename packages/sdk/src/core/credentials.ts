// The key and the token of a client. They leave this object in one request header only, never in a
// URL, never in print, and a key is never taken into a browser (service.md, Authentication 1).

import { ConfigurationError } from "../errors/configuration-error.ts"

/**
 * Which credentials an endpoint takes. `either` sends the token when there is one: the server
 * counts it first as well (decisions.md 7, Both sent).
 */
export type CredentialKind = "apiKey" | "accessToken" | "either"

const apiKeyForm = /^sk_[0-9A-Za-z]{43}$/
const accessTokenForm = /^[\w-]+\.[\w-]+\.[\w-]+$/

/** At most one API key and one access token, checked for their form. */
export class Credentials {
  // Private fields are out of reach for inspection, serialization and cloning alike.
  readonly #apiKey: string | undefined
  readonly #accessToken: string | undefined

  /** Errors: ConfigurationError for a wrong form, or a key in a browser; never repeats the value. */
  constructor(given: { apiKey: string | undefined; accessToken: string | undefined }) {
    if (given.apiKey !== undefined && isBrowser()) {
      throw new ConfigurationError(
        "An API key must not be used in a browser: everyone who opens the page could read it",
      )
    }
    if (given.apiKey !== undefined && !apiKeyForm.test(given.apiKey)) {
      throw new ConfigurationError(
        `apiKey (FOOTFALL_API_KEY) must be sk_ and 43 letters or digits; received ${given.apiKey.length} characters` +
          " of another form",
      )
    }
    if (given.accessToken !== undefined && !accessTokenForm.test(given.accessToken)) {
      throw new ConfigurationError(
        "accessToken (FOOTFALL_ACCESS_TOKEN) must be a JWT: three base64url parts with dots between them",
      )
    }
    this.#apiKey = given.apiKey
    this.#accessToken = given.accessToken
  }

  /** The header to send. Errors: ConfigurationError `CREDENTIALS_MISSING`. */
  header(kind: CredentialKind): readonly [name: string, value: string] {
    if (kind !== "apiKey" && this.#accessToken !== undefined) {
      return ["authorization", `Bearer ${this.#accessToken}`]
    }
    if (kind !== "accessToken" && this.#apiKey !== undefined) return ["x-api-key", this.#apiKey]
    throw new ConfigurationError(missing[kind], "CREDENTIALS_MISSING")
  }

  /** The text without the credentials, for what others wrote: an echoing proxy, a foreign error. */
  redact(text: string): string {
    const secrets = [this.#apiKey, this.#accessToken].filter((secret) => secret !== undefined)
    return secrets.reduce((rest, secret) => rest.replaceAll(secret, "[redacted]"), text)
  }
}

const missing: Readonly<Record<CredentialKind, string>> = {
  apiKey: "This call needs an API key: set apiKey or FOOTFALL_API_KEY",
  accessToken: "This call needs an access token: set accessToken or FOOTFALL_ACCESS_TOKEN",
  either: "This call needs credentials: set FOOTFALL_API_KEY or FOOTFALL_ACCESS_TOKEN",
}

function isBrowser(): boolean {
  return "window" in globalThis && "document" in globalThis
}
