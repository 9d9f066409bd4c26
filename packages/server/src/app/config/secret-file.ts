// The secret's file, `DATA_DIR/secret` (spec 1.2, rule 3): one value, or two of which the first signs. It is created
// once, replaced atomically, never readable by others, and on disk before the next step.
import { Effect, FileSystem } from "effect"
import { SecureRandom } from "effect/crypto"
import { dirname } from "node:path"

/** Minimum length of each value of FOOTFALL_SECRET. Units: characters. */ // spec 1.2
export const secretLengthMin = 32
const secretBytes = 48
const secretsMax = 2

/** Undefined without a value, with too many, or if one is too short. */
export const readSecretValues = (text: string): ReadonlyArray<string> | undefined => {
  const values = text.split(",").map((value) => value.trim())
  return values.length > secretsMax || values.some(({ length }) => length < secretLengthMin)
    ? undefined
    : values
}

/** In a handwritten file, a comma belongs to the single value unless it separates two valid ones. */
export const storedSecretValues = (text: string): ReadonlyArray<string> | undefined => {
  const whole = text.trim()
  return readSecretValues(whole) ?? (whole.length >= secretLengthMin ? [whole] : undefined)
}

export const newSecretValue = Effect.map(
  Effect.flatMap(SecureRandom.SecureRandom, (random) => random.randomBytes(secretBytes)),
  (bytes) => Buffer.from(bytes).toString("base64url"),
)

/** A hard link appears atomically and only once, so of several first starts one secret remains. */
export const makeSecretFile = Effect.fnUntraced(function* (path: string) {
  const files = yield* FileSystem.FileSystem
  yield* files.makeDirectory(dirname(path), { recursive: true, mode: 0o700 })
  yield* Effect.scoped(
    Effect.gen(function* () {
      const draft = yield* draftOf(path, [yield* newSecretValue])
      yield* files
        .link(draft, path)
        .pipe(Effect.catchReason("PlatformError", "AlreadyExists", () => Effect.void))
    }),
  )
})

/** Concurrent readers see either the old values or these. */
export const replaceSecretFile = Effect.fnUntraced(function* (
  path: string,
  values: ReadonlyArray<string>,
) {
  const files = yield* FileSystem.FileSystem
  yield* Effect.scoped(
    Effect.gen(function* () {
      yield* files.rename(yield* draftOf(path, values), path)
      yield* Effect.ignore(
        Effect.flatMap(files.open(dirname(path), { flag: "r" }), (directory) => directory.sync),
      )
    }),
  )
})

/** A temporary file next to it, synced to disk; removed with the scope. */
const draftOf = Effect.fnUntraced(function* (path: string, values: ReadonlyArray<string>) {
  const files = yield* FileSystem.FileSystem
  const random = yield* SecureRandom.SecureRandom
  const draft = `${path}.${yield* random.uuidV4()}`
  yield* Effect.addFinalizer(() => Effect.ignore(files.remove(draft)))
  const file = yield* files.open(draft, { flag: "wx", mode: 0o600 })
  yield* file.writeAll(new TextEncoder().encode(values.join(",")))
  yield* file.sync
  return draft
})
