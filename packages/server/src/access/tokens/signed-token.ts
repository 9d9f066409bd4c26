// A signed token in compact form (RFC 7515, 7519): first its format is checked, then its signature, with the issuer's
// algorithms and keys, never those the token names. `jku`, `x5u`, `jwk` and `x5c` are ignored; `crit` and `b64` are
// rejected (spec 7).
import { Effect, Predicate } from "effect"
import { compactVerify, type CryptoKey, type KeyObject } from "jose"

/** Units: characters. Longer tokens are rejected unread. */
export const tokenLengthMax = 8192

export interface SignedToken {
  readonly text: string
  readonly algorithm: string
  readonly keyId: string | undefined
  /** Not trusted before `isSignedBy`. Undefined unless it is a JSON object. */
  readonly claims: Readonly<Record<string, unknown>> | undefined
}

type Key = KeyObject | CryptoKey

/** The parts of a token. Undefined if it is malformed or longer than `lengthMax` characters. */
export const parseSignedToken = (
  text: string,
  lengthMax = tokenLengthMax,
): SignedToken | undefined => {
  if (text.length > lengthMax) return undefined
  const parts = text.split(".")
  if (parts.length !== 3 || !parts.every(isCanonicalBase64Url)) return undefined
  const header = readObject(parts[0]!)
  if (header === undefined || "crit" in header || "b64" in header) return undefined
  const { alg, kid, typ } = header
  if (typeof alg !== "string" || !(kid === undefined || typeof kid === "string")) return undefined
  if (!(typ === undefined || (typeof typ === "string" && types.has(typ.toLowerCase())))) {
    return undefined
  }
  return { text, algorithm: alg, keyId: kid, claims: readObject(parts[1]!) }
}

/** Whether one of the keys signed the token with one of the algorithms. */
export const isSignedBy = Effect.fnUntraced(function* (
  { text }: SignedToken,
  {
    algorithms,
    keys,
  }: {
    readonly algorithms: ReadonlyArray<string>
    readonly keys: ReadonlyArray<Key>
  },
) {
  for (const key of keys) {
    const isSigned = yield* Effect.promise(() =>
      compactVerify(text, key, { algorithms: [...algorithms] }).then(
        () => true,
        // The library throws for a wrong signature and for another kind of key; both mean no.
        () => false,
      ),
    )
    if (isSigned) return true
  }
  return false
})

/** A logout token or another kind of statement is not an access token (RFC 8725, 3.11). */
const types = new Set(["jwt", "at+jwt", "application/at+jwt"])

/** Node's decoder skips unknown characters and ignores leftover bits. */
const isCanonicalBase64Url = (part: string): boolean =>
  part !== "" && Buffer.from(part, "base64url").toString("base64url") === part

const readObject = (part: string): Readonly<Record<string, unknown>> | undefined => {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(part, "base64url"))
    const value: unknown = JSON.parse(text)
    if (!Predicate.isReadonlyObject(value) || hasRepeatedMember(text)) return undefined
    return value
  } catch {
    return undefined
  }
}

// Whether a JSON object repeats a member. Parsers differ on which one counts, so such a token can't be trusted (RFC
// 7519, section 4).
/** `text` must be valid JSON. Only checks the outermost object. */
export const hasRepeatedMember = (text: string): boolean => {
  const names = new Set<string>()
  let depth = 0
  let name: string | undefined
  for (const [lexeme] of text.matchAll(/"(?:[^"\\]|\\[^]?)*"?|[{}[\]:]/g)) {
    if (lexeme === "{" || lexeme === "[") depth++
    else if (lexeme === "}" || lexeme === "]") depth--
    else if (lexeme !== ":") name = lexeme
    else if (depth === 1 && name !== undefined) {
      // Two spellings of a name, as with \u escapes, are the same name.
      const read = JSON.parse(name) as string
      if (names.has(read)) return true
      names.add(read)
    }
  }
  return false
}
