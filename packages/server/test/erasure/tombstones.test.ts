// A tombstone of an erased person shows the server that an address is theirs, and reveals nothing to others (spec
// 1.2 rule 4, 5.1).
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { DataKeys, dataKeysOf } from "../../src/platform/secrets/data-keys.ts"
import { secretKeysOf } from "../../src/platform/secrets/secrets.ts"
import { TombstoneStore } from "../../src/people/person/tombstones/store.ts"
import { Tombstones } from "../../src/people/person/tombstones/tombstones.ts"
import { hashEmail } from "../../src/collect/visits/email-address.ts"
import { TestDatabase } from "../support/database.ts"

const organizationId = "3a4938b4-a270-4a2a-969a-f5c8cc7f2e2f"
const otherId = "99999999-9999-4999-8999-999999999999"
const jane = { organizationId, emailHash: hashEmail("jane@tidewater.example").sha256 }
const tom = { organizationId, emailHash: hashEmail("tom@tidewater.example").sha256 }
const first = "the first data key, from a text that is long enough"
const second = "the second data key, from a text that is long enough"

/** The tombstones of an installation with one data key for each of these values. */
const withKeys = <A, E, R>(
  effect: Effect.Effect<A, E, R | Tombstones>,
  ...values: ReadonlyArray<string>
) => {
  const secrets = secretKeysOf(values.map((value) => Redacted.make(value)))
  const keys = Layer.succeed(
    DataKeys,
    dataKeysOf((purpose) => secrets.formerKeys(purpose)),
  )
  const services = Layer.provide(Tombstones.layer, Layer.merge(keys, TombstoneStore.layer))
  return Effect.provide(effect, services)
}

const leave = (...keys: Parameters<Tombstones["Service"]["leave"]>[0]) =>
  Tombstones.use((tombstones) => tombstones.leave(keys))

const among = (...keys: Parameters<Tombstones["Service"]["leave"]>[0]) =>
  Tombstones.use((tombstones) => tombstones.among(keys))

layer(TestDatabase.layer, { excludeTestServices: true })("tombstones", (it) => {
  it.effect("distinguish addresses of erased people from others, in the order given", () =>
    Effect.gen(function* () {
      const ann = { organizationId, emailHash: hashEmail("ann@tidewater.example").sha256 }
      yield* withKeys(leave(jane, ann), first)

      const found = yield* withKeys(among(ann, tom, jane), first)

      assert.deepStrictEqual(found, [ann, jane])
      assert.deepStrictEqual(yield* withKeys(among(), first), [])
    }),
  )

  it.effect("for one address differ between two organizations", () =>
    Effect.gen(function* () {
      const una = { organizationId, emailHash: hashEmail("una@tidewater.example").sha256 }
      const sql = yield* SqlClient.SqlClient
      const digests = sql`select digest from tombstone`.values
      const before = new Set((yield* digests).map(String))

      yield* withKeys(leave(una, { ...una, organizationId: otherId }), first)

      const left = (yield* digests).map(String).filter((digest) => !before.has(digest))
      assert.strictEqual(new Set(left).size, 2)
    }),
  )

  it.effect("belong to one organization", () =>
    Effect.gen(function* () {
      yield* withKeys(leave(jane), first)

      const found = yield* withKeys(among({ ...jane, organizationId: otherId }), first)

      assert.deepStrictEqual(found, [])
    }),
  )

  it.effect("stored twice are stored once", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`delete from tombstone`

      yield* withKeys(Effect.andThen(leave(tom, tom), leave(tom)), first)

      assert.deepStrictEqual(yield* sql`select count(*)::int as n from tombstone`, [{ n: 1 }])
    }),
  )

  it.effect("are found with every data key of the installation, and not with another", () =>
    Effect.gen(function* () {
      yield* withKeys(leave(jane), first)

      assert.deepStrictEqual(yield* withKeys(among(jane), second, first), [jane])
      assert.deepStrictEqual(yield* withKeys(among(jane), second), [])
    }),
  )

  it.effect("contain neither the address nor a hash of it", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`delete from tombstone`
      yield* withKeys(leave(jane), first)

      const [row] = yield* sql<{ digest: Uint8Array }>`select digest from tombstone`

      assert.strictEqual(row?.digest.length, 32)
      assert.notInclude(
        Object.values(hashEmail("jane@tidewater.example")),
        Buffer.from(row?.digest ?? []).toString("hex"),
      )
    }),
  )
})
