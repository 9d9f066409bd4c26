// What remains of an erased person: for each address a keyed hash, which shows whether a given address belongs to
// an erased person and reveals nothing without the key (spec 1.8, 5.1). Each organization has its own tombstones.
// The data key survives every change of FOOTFALL_SECRET, and so do the tombstones. The hash covers the address's
// SHA-256, because some addresses are known only by that.
import { Context, Effect, Layer } from "effect"
import { createHmac } from "node:crypto"
import type { DatabaseError } from "../../../platform/database/database-error.ts"
import { DataKeys } from "../../../platform/secrets/data-keys.ts"
import { TombstoneStore } from "./store.ts"

/** An address within an organization, by its SHA-256. */
export interface AddressKey {
  readonly organizationId: string
  readonly emailHash: string
}

export class Tombstones extends Context.Service<
  Tombstones,
  {
    /**
     * Returns the given addresses that belong to erased people, in the same order. Whoever adds or imports people
     * calls this and leaves them out, in one transaction that holds the organization's turn
     * (organization-turns.ts). An erasure waits for the same turn.
     */
    among<Key extends AddressKey>(
      keys: ReadonlyArray<Key>,
    ): Effect.Effect<ReadonlyArray<Key>, DatabaseError>
    /** Stores a tombstone for each address. Guarantee: idempotent. */
    leave(keys: ReadonlyArray<AddressKey>): Effect.Effect<void, DatabaseError>
  }
>()("@footfall/server/people/Tombstones") {
  static readonly layer = Layer.effect(
    Tombstones,
    Effect.gen(function* () {
      const store = yield* TombstoneStore
      const keys = (yield* DataKeys).keys("tombstone")

      const rowsOf = (address: AddressKey, keys: ReturnType<DataKeys["Service"]["keys"]>) =>
        keys.map((key) => ({
          organizationId: address.organizationId,
          digest: createHmac("sha256", key)
            .update(`${address.organizationId} ${address.emailHash}`)
            .digest("hex"),
        }))

      return Tombstones.of({
        among: Effect.fnUntraced(function* (addresses) {
          if (addresses.length === 0) return []
          const rows = addresses.map((address) => ({ address, rows: rowsOf(address, keys) }))
          const found = new Set(
            (yield* store.among(rows.flatMap(({ rows }) => rows))).map(({ digest }) => digest),
          )
          return rows
            .filter(({ rows }) => rows.some(({ digest }) => found.has(digest)))
            .map(({ address }) => address)
        }),
        leave: (addresses) =>
          store.leave(addresses.flatMap((address) => rowsOf(address, keys.slice(0, 1)))),
      })
    }),
  )
}
