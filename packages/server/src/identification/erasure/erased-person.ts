// Whom an erasure is about: everything that the organization, and later rooms, may know the person by.

/** An address of the person; the email is null where only its hash is known. */
export interface KnownAddress {
  /** SHA-256, lower-case hex. */
  readonly emailHash: string
  readonly email: string | null
}

export interface ErasedPerson {
  readonly organizationId: string
  readonly visitorId: string
  readonly addresses: ReadonlyArray<KnownAddress>
}
