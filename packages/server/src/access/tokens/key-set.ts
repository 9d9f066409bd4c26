// A set of public keys as an issuer publishes it (RFC 7517), and which of them may have signed a
// token: those of its algorithm, for signing, and of its name when it names one. Symmetric and
// private keys are none of them.
import { createLocalJWKSet, type CryptoKey, errors, type JSONWebKeySet } from "jose"

export interface WantedKey {
  readonly algorithm: string
  readonly keyId: string | undefined
}

export interface KeySet {
  matching(wanted: WantedKey): Promise<ReadonlyArray<CryptoKey>>
}

/** Throws when the document is no key set. */
export const readKeySet = (document: unknown): KeySet => {
  // The library checks what it is given; the type only says what it hopes for.
  const resolve = createLocalJWKSet(document as JSONWebKeySet)
  return {
    matching: async ({ algorithm, keyId }) => {
      try {
        return [await resolve({ alg: algorithm, ...(keyId === undefined ? {} : { kid: keyId }) })]
      } catch (error) {
        // Anything else is a key that is not there or cannot be used.
        if (!(error instanceof errors.JWKSMultipleMatchingKeys)) return []
        const keys: Array<CryptoKey> = []
        for await (const key of error) keys.push(key)
        return keys
      }
    },
  }
}
