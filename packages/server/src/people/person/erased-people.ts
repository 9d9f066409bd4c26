// Drops rows about erased people from imports. Costs one lookup if an organization has erased no one. Shared rows
// are not visitors: erased people are filtered out when shared rows enrich visitors (spec 5.1).
import { Context, Effect, Layer } from "effect"
import { sharedOrganizationId } from "../../access/organization.ts"
import type { ImportRow } from "../imports/merged-import.ts"
import { Tombstones } from "./tombstones/tombstones.ts"
import { PeopleStore } from "./store.ts"

const make = Effect.gen(function* () {
  const store = yield* PeopleStore
  const tombstones = yield* Tombstones
  return {
    /** Returns the rows that contain no address (by SHA-256) of an erased person, in order. */
    withoutErased: Effect.fnUntraced(function* (
      organizationId: string,
      rows: ReadonlyArray<ImportRow>,
      hashesOf: (row: ImportRow) => ReadonlyArray<string>,
    ) {
      if (organizationId === sharedOrganizationId) return rows
      if (!(yield* store.hasErased(organizationId))) return rows
      const keys = rows.flatMap((row) =>
        hashesOf(row).map((emailHash) => ({ organizationId, emailHash })),
      )
      const erased = new Set((yield* tombstones.among(keys)).map(({ emailHash }) => emailHash))
      return rows.filter((row) => !hashesOf(row).some((hash) => erased.has(hash)))
    }),
  }
})

export class ErasedPeople extends Context.Service<ErasedPeople, Effect.Success<typeof make>>()(
  "@footfall/server/people/ErasedPeople",
) {
  static readonly layer = Layer.effect(ErasedPeople, make)
}
