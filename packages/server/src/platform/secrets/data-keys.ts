// The keys that protect stored values: sealed secrets, tombstones and other keyed hashes (spec 1.2, rule 5). They are
// created once and never change. The database stores them wrapped by FOOTFALL_SECRET, so the secret can be replaced any
// number of times. All processes of an installation hold the same keys in memory.
import { Context, Effect, Layer, Schema } from "effect"
import { createHmac, type KeyObject } from "node:crypto"
import { guidePage } from "../guide-page.ts"
import { type KeptPurpose, keptPurposes, type SecretKeys, Secrets } from "./secrets.ts"
import { type DataKeyRow, DataKeyStore, type DataKeyStoreError } from "./store.ts"
import { newDataKey, unwrap, wrap } from "./wrapping.ts"

/** No value of the secret opens the data keys, or the values stored before data keys existed. */
export class SecretWrong extends Schema.TaggedError<SecretWrong>()("SecretWrong", {}) {
  override get message(): string {
    return (
      "FOOTFALL_SECRET, or DATA_DIR/secret, does not open what this database has encrypted: expected the " +
      "secret of its last start, alone or as the second value after a new one. " +
      `If it is lost, see ${guidePage("operations/backup-and-restore")}`
    )
  }
}

/** The schema predates data keys, and this process must not migrate it. */
export class DataKeysMissing extends Schema.TaggedError<DataKeysMissing>()("DataKeysMissing", {}) {
  override get message(): string {
    return "The schema of the database is older than this version of the server. Run footfall-server migrate first."
  }
}

/** What an installation stored before data keys existed; read once. */
export class StoredBefore extends Context.Service<
  StoredBefore,
  {
    /**
     * `none`: a new installation. `open`: these keys open its sealed values, or it has none. `closed`: it has sealed
     * values that these keys can't open.
     */
    readonly openedBy: (
      keys: DataKeys["Service"],
    ) => Effect.Effect<"closed" | "none" | "open", DataKeyStoreError>
  }
>()("@footfall/server/secrets/StoredBefore") {}

export class DataKeys extends Context.Service<
  DataKeys,
  {
    /** The first key seals and hashes; all of them open and look up. */
    keys(purpose: KeptPurpose): ReadonlyArray<KeyObject>
    /** HMAC-SHA-256 with the first key. */
    sign(purpose: KeptPurpose, text: string): Buffer
  }
>()("@footfall/server/secrets/DataKeys") {
  /**
   * Opens the data keys and creates missing ones.
   *
   * *Errors*: SecretWrong, DataKeysMissing, SqlError. *Guarantee*: processes that start at the same time end up with
   * the same keys.
   */
  static readonly layer = Layer.effect(
    DataKeys,
    Effect.suspend(() => made),
  )
}

export const dataKeysOf = (
  keysOf: (purpose: KeptPurpose) => ReadonlyArray<KeyObject>,
): DataKeys["Service"] => {
  const keys = new Map(keptPurposes.map((purpose) => [purpose, keysOf(purpose)]))
  return {
    keys: (purpose) => keys.get(purpose)!,
    sign: (purpose, text) => createHmac("sha256", keys.get(purpose)![0]!).update(text).digest(),
  }
}

export interface OpenedKey extends DataKeyRow {
  readonly key: KeyObject
  /** Which value of the secret wraps it; 0 is the first. */
  readonly wrappedBy: number
}

/** Fails with SecretWrong if one of them does not open. */
export const openedKeys = (
  secrets: SecretKeys,
  rows: ReadonlyArray<DataKeyRow>,
): Effect.Effect<ReadonlyArray<OpenedKey>, SecretWrong> =>
  Effect.forEach(rows, (row) => {
    const [opened] = secrets.wrappingKeys().flatMap((wrappingKey, wrappedBy) => {
      const key = unwrap(wrappingKey, row, row.wrapped)
      return key === undefined ? [] : [{ ...row, key, wrappedBy }]
    })
    return opened === undefined ? Effect.fail(new SecretWrong()) : Effect.succeed(opened)
  })

export const dataKeysOfOpened = (opened: ReadonlyArray<OpenedKey>): DataKeys["Service"] =>
  dataKeysOf((purpose) => opened.filter((row) => row.purpose === purpose).map(({ key }) => key))

const isWhole = (rows: ReadonlyArray<DataKeyRow>): boolean =>
  keptPurposes.every((purpose) => rows.some((row) => row.purpose === purpose))

const made = Effect.gen(function* () {
  const store = yield* DataKeyStore
  const secrets = yield* Secrets
  if (!(yield* store.exists)) return yield* new DataKeysMissing()
  const rows = yield* store.all
  return dataKeysOfOpened(
    isWhole(rows) ? yield* openedKeys(secrets, rows) : yield* store.exclusively(completed(secrets)),
  )
}).pipe(Effect.withSpan("DataKeys.made"))

/** Returns every key, creating missing ones. Runs in the transaction that holds the lock. */
export const completed = Effect.fnUntraced(function* (secrets: SecretKeys) {
  const store = yield* DataKeyStore
  const rows = yield* store.all
  const opened = yield* openedKeys(secrets, rows)
  if (isWhole(rows)) return opened
  const isUpgrade = rows.length === 0 && (yield* isUpgradeWith(secrets))
  const added = keptPurposes
    .filter((purpose) => !rows.some((row) => row.purpose === purpose))
    .flatMap((purpose) =>
      // Keys derived earlier, one per value: old values stay readable, and servers of the previous version, which may
      // still be running, can read new ones.
      namedKeys(secrets, purpose, isUpgrade ? secrets.formerKeys(purpose) : [newDataKey()]),
    )
  yield* store.insert(added)
  return [...opened, ...added]
})

const isUpgradeWith = Effect.fnUntraced(function* (secrets: SecretKeys) {
  const before = yield* (yield* StoredBefore).openedBy(
    dataKeysOf((purpose) => secrets.formerKeys(purpose)),
  )
  if (before === "closed") return yield* new SecretWrong()
  return before === "open"
})

const namedKeys = (
  secrets: SecretKeys,
  purpose: KeptPurpose,
  keys: ReadonlyArray<KeyObject>,
): ReadonlyArray<OpenedKey> =>
  keys.map((key, number) => ({
    purpose,
    number,
    key,
    wrapped: wrap(secrets.wrappingKeys()[0]!, { purpose, number }, key),
    wrappedBy: 0,
  }))

/**
 * Wraps every key with the first value of the secret and returns how many were not yet. Fails with SecretWrong,
 * changing nothing, if one does not open. Runs in the transaction that holds the lock.
 */
export const rewrapped = Effect.fnUntraced(function* (
  secrets: SecretKeys,
  opened: ReadonlyArray<OpenedKey>,
) {
  const store = yield* DataKeyStore
  const first = secrets.wrappingKeys()[0]!
  const others = opened.filter(({ wrappedBy }) => wrappedBy > 0)
  yield* store.rewrap(
    others.map(({ key, number, purpose }) => ({
      purpose,
      number,
      wrapped: wrap(first, { purpose, number }, key),
    })),
  )
  return others.length
})

/**
 * Replaces every key, for an installation whose secret is lost. New values use new keys; values the current secret
 * derived before data keys existed stay readable. Runs in the transaction that holds the lock.
 */
export const replaced = Effect.fnUntraced(function* (secrets: SecretKeys) {
  const store = yield* DataKeyStore
  yield* store.clear
  const added = keptPurposes.flatMap((purpose) =>
    namedKeys(secrets, purpose, [newDataKey(), ...secrets.formerKeys(purpose)]),
  )
  yield* store.insert(added)
  return added.length
})
