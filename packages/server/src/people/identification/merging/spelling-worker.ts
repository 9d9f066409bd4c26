// Merges visitors whom earlier versions stored once for each spelling of an international address. The migration to this
// version lists them, so it has nothing to do afterwards. Every process may run it: each address takes its
// organization's turn. Logs failures and retries.
import { Effect, Layer } from "effect"
import { every } from "../../../platform/jobs/every.ts"
import { CompanyUpkeepStore } from "../companies/store.ts"
import { Merging } from "./merging.ts"
import type { AddressKey } from "../store.ts"
import { MergingStore } from "./store.ts"

const failure = "could not merge the spellings of an address"

export const SpellingWorker = Layer.effectDiscard(
  Effect.gen(function* () {
    const store = yield* MergingStore
    const merging = yield* Merging
    const companies = yield* CompanyUpkeepStore

    const join = (one: AddressKey) => {
      const settled = Effect.gen(function* () {
        yield* merging.settle([one])
        yield* companies.settle([one.organizationId])
        yield* store.endSpelling(one)
      })
      return Effect.uninterruptible(store.inTurn(one.organizationId, settled))
    }

    /** An address that fails waits for the next round, and the others are merged. */
    const joinAll = Effect.gen(function* () {
      let one = yield* store.nextSpelling(undefined)
      while (one !== undefined) {
        yield* Effect.catchCause(join(one), (cause) => Effect.logError(failure, cause))
        one = yield* store.nextSpelling(one)
      }
    })
    yield* every("10 seconds", failure, joinAll)
  }),
)
