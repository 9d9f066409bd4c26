// `footfall-server secrets`: replaces FOOTFALL_SECRET without losing stored values (spec 1.2.6). `rotate` wraps the
// data keys with the secret's first value. If the data directory's file is in use, it generates that value and keeps
// both there until the database has followed, so a kill at any time leaves an installation that starts. `reset` gives
// up the values that a lost secret protected.
import { Effect, FileSystem, Redacted, Schema } from "effect"
import { ServerConfig } from "../config/config.ts"
import { guidePage } from "../../platform/guide-page.ts"
import { Migrations } from "../../platform/database/migrations.ts"
import { completed, openedKeys, replaced, rewrapped } from "../../platform/secrets/data-keys.ts"
import { DataKeyStore } from "../../platform/secrets/store.ts"
import { secretKeysOf } from "../../platform/secrets/secrets.ts"
import { newSecretValue, replaceSecretFile, storedSecretValues } from "../config/secret-file.ts"
import { FormerInstallation } from "../server/sealed-values.ts"
import { Output } from "./output.ts"

/** The secret opens the data keys, so nothing needs to be given up. */
export class SecretOpens extends Schema.TaggedError<SecretOpens>()("SecretOpens", {}) {
  override get message(): string {
    return "The secret opens every data key in this database. Nothing is lost, so nothing was changed."
  }
}

export const rotateSecrets = Effect.fn("secrets rotate")(
  function* ({ keepsFormer }: { readonly keepsFormer: boolean }) {
    const store = yield* DataKeyStore
    const output = yield* Output
    yield* Migrations.run
    const { file, rewrappedCount, total } = yield* store.exclusively(
      Effect.gen(function* () {
        const opened = yield* completed(keysOf(yield* currentValues))
        const { file, values } = yield* valuesToWrapBy(
          opened.some(({ wrappedBy }) => wrappedBy > 0),
        )
        if (file !== undefined) yield* replaceSecretFile(file, values)
        const secrets = keysOf(values)
        const rewrappedCount = yield* rewrapped(secrets, yield* openedKeys(secrets, opened))
        return { file, rewrappedCount, total: opened.length }
      }),
    )
    if (file !== undefined && !keepsFormer) yield* store.exclusively(leaveFirst(file))
    yield* output.result(
      { dataKeys: total, rewrapped: rewrappedCount, secretFile: file ?? null },
      [
        rewrappedCount === 0
          ? `All ${total} data keys already use the first value.`
          : `Encrypted ${rewrappedCount} of ${total} data keys with the ${file === undefined ? "first value" : "new secret"}.`,
        file === undefined
          ? "FOOTFALL_SECRET now needs only its first value."
          : `${file} contains the new secret${keepsFormer ? " and the old one, which still verifies" : ""}. Restart the server.`,
      ].join("\n"),
    )
  },
  Effect.provide(FormerInstallation),
  Effect.provide(DataKeyStore.layer),
)

export const resetSecrets = Effect.fn("secrets reset")(function* () {
  const store = yield* DataKeyStore
  const output = yield* Output
  const secrets = keysOf(yield* currentValues)
  yield* Migrations.run
  const made = yield* store.exclusively(
    Effect.gen(function* () {
      const isOpen = yield* Effect.match(openedKeys(secrets, yield* store.all), {
        onFailure: () => false,
        onSuccess: () => true,
      })
      if (isOpen) return yield* new SecretOpens()
      return yield* replaced(secrets)
    }),
  )
  yield* output.result(
    { dataKeys: made },
    "Created new data keys. Rotate the secret of every webhook and reconnect every account: " +
      `see ${guidePage("operations/backup-and-restore")}. footfall-server doctor lists what cannot be ` +
      "read.",
  )
}, Effect.provide(DataKeyStore.layer))

const keysOf = (values: ReadonlyArray<string>) =>
  secretKeysOf(values.map((value) => Redacted.make(value)))

/** Reads the file again, because another rotation may have written it since this one started. */
const currentValues = Effect.gen(function* () {
  const { areSecretsGiven, secrets } = yield* ServerConfig
  const stored = areSecretsGiven ? undefined : yield* storedValues
  return stored ?? secrets.map(Redacted.value)
})

/** Undefined if there is no file that a start would read. */
const storedValues = Effect.gen(function* () {
  const { databaseUrl } = yield* ServerConfig
  if (databaseUrl._tag === "Some") return undefined
  const files = yield* FileSystem.FileSystem
  const path = yield* secretFile
  return (yield* files.exists(path))
    ? storedSecretValues(yield* files.readFileString(path))
    : undefined
})

const secretFile = Effect.map(ServerConfig, ({ dataDir }) => `${dataDir}/secret`)

/**
 * Returns the values to wrap the keys with, and the file that must contain them too. `isUnfinished`: some keys are
 * still wrapped with the second value.
 */
const valuesToWrapBy = Effect.fnUntraced(function* (isUnfinished: boolean) {
  const { areSecretsGiven } = yield* ServerConfig
  const path = yield* secretFile
  const current = yield* currentValues
  if (!areSecretsGiven) {
    const values = isUnfinished ? current : [yield* newSecretValue, current[0]!]
    return { file: path, values }
  }
  // The file is in use if it contains a given value; otherwise it belongs to something else.
  const stored = yield* storedValues
  const isInUse = stored !== undefined && stored.some((value) => current.includes(value))
  return { file: isInUse ? path : undefined, values: current }
})

/** Runs in the transaction that holds the lock: another rotation may have started since, and its values must stay. */
const leaveFirst = Effect.fnUntraced(function* (file: string) {
  const stored = yield* storedValues
  if (stored === undefined) return
  const [first] = stored
  const store = yield* DataKeyStore
  const alone = keysOf([first!])
  const isEnough = yield* Effect.match(openedKeys(alone, yield* store.all), {
    onFailure: () => false,
    onSuccess: () => true,
  })
  if (isEnough) yield* replaceSecretFile(file, [first!])
})
