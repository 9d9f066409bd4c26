// A token that names a person in a link, encrypted and signed. Source: spec 5.1 and 6.7.

/** For whom tokens are made, and for how long. */
export interface LinkTokenCreateParams {
  /** 1 to 1,000. */
  readonly people: ReadonlyArray<LinkTokenPerson>
  /** 1 to 365, default 90. */
  readonly expiresInDays?: number | undefined
}

/** A person, by an address or by the SHA-256 of one. */
export type LinkTokenPerson =
  | { readonly email: string; readonly emailHash?: undefined }
  | { readonly emailHash: string; readonly email?: undefined }

/** The tokens that were made. */
export interface LinkTokenBatch {
  /** In the order of the people. */
  readonly tokens: ReadonlyArray<LinkToken>
  readonly expiresAt: string
}

export interface LinkToken {
  readonly emailHash: string
  /** The value of `_vid`. */
  readonly token: string
}
