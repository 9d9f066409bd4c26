// The Wycheproof test vectors: every forged signature is rejected, and every valid one of an enabled algorithm is
// accepted. Tokens go through the server's own reader and key sets, bare signatures through the primitive behind them.
import { Effect } from "effect"
import { createSecretKey, type webcrypto } from "node:crypto"
import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { externalAlgorithms, readKeySet } from "../../src/access/tokens/external-keys.ts"
import { isSignedBy, parseSignedToken } from "../../src/access/tokens/signed-token.ts"

interface Group<Key, Test> {
  readonly comment: string
  readonly key: Key
  readonly tests: ReadonlyArray<Test>
}

const read = <Key, Test>(name: string): ReadonlyArray<Group<Key, Test>> =>
  JSON.parse(readFileSync(new URL(`wycheproof/${name}.json`, import.meta.url), "utf8"))

type JwsTest = readonly [id: number, jws: string, isValid: boolean]
interface Jwk {
  readonly kty: string
  readonly k?: string
}
type Keys = Jwk | { readonly keys: ReadonlyArray<Jwk> }

/** Local tokens use one secret. Everything else is published by an issuer. */
const isAccepted = async (set: Keys, jws: string): Promise<boolean> => {
  const token = parseSignedToken(jws)
  if (token === undefined) return false
  if ("k" in set && set.k !== undefined) {
    const keys = [createSecretKey(Buffer.from(set.k, "base64url"))]
    return Effect.runPromise(isSignedBy(token, { algorithms: ["HS256"], keys }))
  }
  const keys = await readKeySet("keys" in set ? set : { keys: [set] }).matching(token)
  return Effect.runPromise(isSignedBy(token, { algorithms: externalAlgorithms, keys }))
}

/** Labeled valid but rejected by us. Neither an issuer nor Footfall creates these. */
const strict: Readonly<Record<string, ReadonlyArray<number>>> = {
  // An empty payload; a `?` that base64url doesn't have.
  "json-web-signature": [259, 264, 268, 272, 320, 325, 372, 373],
  // Sets of secrets, which no issuer publishes.
  "json-web-key": [2, 13],
  "json-web-crypto": [48],
}
/** Labeled invalid but accepted by us. */
const lenient: Readonly<Record<string, ReadonlyArray<number>>> = {
  // The padding in their name is not in the file: both are the same well-formed token.
  "json-web-signature": [367, 370],
  // A badly generated RSA key (ROCA). We trust the issuer with its own keys.
  "json-web-key": [7],
  "json-web-crypto": [46],
}

describe.each(Object.keys(strict))("%s", (name) => {
  const groups = read<Keys, JwsTest>(name)
  const vectors = groups.flatMap(({ key, tests }) =>
    tests.map(([id, jws, isValid]) => ({ key, id, jws, isValid })),
  )

  it("every invalid one is rejected", async () => {
    const invalid = vectors.filter(({ isValid }) => !isValid)
    const accepted: Array<number> = []
    for (const { id, jws, key } of invalid) if (await isAccepted(key, jws)) accepted.push(id)

    expect(accepted).toEqual(lenient[name])
    expect(invalid.length).toBeGreaterThan(20)
  })

  it("every valid one of an enabled algorithm is accepted", async () => {
    const refused: Array<number> = []
    for (const { id, isValid, jws, key } of vectors) {
      const algorithm = parseSignedToken(jws)?.algorithm ?? "HS256"
      const isOn = ["HS256", ...externalAlgorithms].includes(algorithm)
      if (isValid && isOn && !(await isAccepted(key, jws))) refused.push(id)
    }

    expect(refused).toEqual(strict[name])
  })
})

const hex = (text: string) => Buffer.from(text, "hex")
const { subtle } = globalThis.crypto

it("Ed25519: every vector", async () => {
  type Test = readonly [id: number, message: string, signature: string, isValid: boolean]
  const wrong: Array<number> = []
  for (const { key, tests } of read<webcrypto.JsonWebKey, Test>("ed25519")) {
    const imported = await subtle.importKey("jwk", key, "Ed25519", false, ["verify"])
    for (const [id, message, signature, isValid] of tests) {
      const isGood = await subtle.verify("Ed25519", imported, hex(signature), hex(message))
      if (isGood !== isValid) wrong.push(id)
    }
  }

  expect(wrong).toEqual([])
})

it("HMAC-SHA-256: every vector", async () => {
  type Test = readonly [id: number, key: string, message: string, tag: string, isValid: boolean]
  const algorithm = { name: "HMAC", hash: "SHA-256" }
  const wrong: Array<number> = []
  for (const { tests } of read<null, Test>("hmac-sha256")) {
    for (const [id, key, message, tag, isValid] of tests) {
      const imported = await subtle.importKey("raw", hex(key), algorithm, false, ["verify"])
      const isGood = await subtle.verify(algorithm, imported, hex(tag), hex(message))
      if (isGood !== isValid) wrong.push(id)
    }
  }

  expect(wrong).toEqual([])
})
