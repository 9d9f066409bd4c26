// The RFC 8785 canonical form of a value, identical exactly for equal values, and its hash.
import canonicalize from "canonicalize"
import { hash } from "node:crypto"

export const canonicalForm = (value: object): string => canonicalize(value)! // Never undefined for an object.

/** SHA-256 of the RFC 8785 form, lower-case hex. */
export const canonicalHash = (value: object): string => hash("sha256", canonicalForm(value), "hex")
