// Texts that clients send in place of an id they don't have, such as `undefined`. Each of them would make strangers one
// person, so they never identify, join or alias anyone (spec 15.2.10).
import { hash } from "node:crypto"

const zeroUuid = "00000000-0000-0000-0000-000000000000"

const words = [
  "",
  "undefined",
  "null",
  "nil",
  "none",
  "nan",
  "n/a",
  "na",
  "true",
  "false",
  "0",
  "-1",
  "[object object]",
  "anonymous",
  "anon",
  "guest",
  "unknown",
  "user",
  "default",
  "test",
  "distinct_id",
  "id",
  "not_authenticated",
  "email",
  zeroUuid,
]

/** Zeros, or at least three of one character. A number such as 777 may be an id. */
const repeated = /^(?:0+|([^1-9])\1{2,})$/u

/** What a site hashes may still be in the case in which JavaScript, Python or SQL writes it. */
const spellings = words.flatMap((word) => [
  word,
  word.toUpperCase(),
  word.charAt(0).toUpperCase() + word.slice(1),
])

const hashesOfNothing: ReadonlySet<string> = new Set(
  [...spellings, "NaN", "[object Object]"].flatMap((text) =>
    ["sha256", "sha1", "md5"].map((algorithm) => hash(algorithm, text)),
  ),
)

const placeholders: ReadonlySet<string> = new Set([...words, ...hashesOfNothing])

/** Whether the text is an id of no one. */
export const isPlaceholder = (text: string): boolean => {
  const id = text.trim().toLowerCase()
  return placeholders.has(id) || repeated.test(id)
}

/** The SHA-256 hashes of the empty text and of placeholders, in lower-case hex. They are no email hashes. */
export const emailHashesOfNothing: ReadonlySet<string> = new Set(
  [...hashesOfNothing].filter(({ length }) => length === 64),
)
