// An API key as it can be shown: its secret is shown once, when it is made.
// Source: spec 2.21, 5.13 and 7.

/** A key of the organization, revoked or not. */
export interface ApiKey {
  readonly id: string
  /** 1 to 100 characters. */
  readonly name: string
  /** `sk_` and the next 4 characters. */
  readonly prefix: string
  readonly last4: string
  readonly createdAt: string
  readonly lastUsedAt: string | null
  /** Null: never. */
  readonly expiresAt: string | null
  /** Null: not revoked. */
  readonly revokedAt: string | null
}

/** A new key. */
export interface ApiKeyCreateParams {
  /** 1 to 100 characters. */
  readonly name: string
  /** ISO 8601. Default: never. */
  readonly expiresAt?: string | undefined
}

/** A key that was made just now. */
export interface CreatedApiKey {
  readonly apiKey: ApiKey
  /** `sk_` and 43 characters; it is never shown again. */
  readonly secret: string
}
