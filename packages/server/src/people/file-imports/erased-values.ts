// Keeps people whom the organization erased out of lists that a file changes (spec 5.17). Suppression rules may name them.
import { Context, Effect, Layer } from "effect"
import { Tombstones } from "../person/tombstones/tombstones.ts"
import { FileImportStore, type StagedImport, subjectOf } from "./store.ts"
import { ListStore } from "../lists/store.ts"

const make = Effect.gen(function* () {
  const store = yield* FileImportStore
  const lists = yield* ListStore
  const tombstones = yield* Tombstones

  /** Rejects staged values that are addresses of erased people. Returns their number. */
  const reject = Effect.fn("ErasedValues.reject")(function* (
    organizationId: string,
    found: Pick<StagedImport, "id" | "listId" | "types">,
  ) {
    if (subjectOf(found) !== "people" || !(yield* store.hasErased(organizationId))) return 0
    return yield* lists.transaction(
      Effect.gen(function* () {
        const erased: Array<string> = []
        yield* store.allowTime
        yield* store.eachKeys(found.id, (keys) =>
          Effect.map(
            tombstones.among(keys.map((emailHash) => ({ organizationId, emailHash }))),
            (among) => void erased.push(...among.map(({ emailHash }) => emailHash)),
          ),
        )
        if (erased.length > 0) yield* store.rejectErased(found.id, erased)
        return erased.length
      }),
    )
  })

  return { reject }
})

export class ErasedValues extends Context.Service<ErasedValues, Effect.Success<typeof make>>()(
  "@footfall/server/file-imports/ErasedValues",
) {
  static readonly layer = Layer.effect(ErasedValues, make)
}
