// Merges visitors whom earlier versions stored once for each spelling of an international address. The migration to this
// version lists them, so it has nothing to do afterwards. Every process may run it: each address takes its
// organization's turn. Logs failures and retries.
import { Effect, Layer } from "effect"
import { every } from "../../jobs/every.ts"
import { CompanyUpkeepStore } from "../companies/store.ts"
import { Merging } from "./merging.ts"
import { MergingStore } from "./store.ts"

export const SpellingWorker = Layer.effectDiscard(
  Effect.gen(function* () {
    const store = yield* MergingStore
    const merging = yield* Merging
    const companies = yield* CompanyUpkeepStore

    /** Returns whether there was one. */
    const joinNext = Effect.gen(function* () {
      const next = yield* store.nextSpelling
      if (next === undefined) return false
      const settled = Effect.gen(function* () {
        yield* merging.settle([next])
        yield* companies.settle([next.organizationId])
        yield* store.endSpelling(next)
      })
      yield* Effect.uninterruptible(store.inTurn(next.organizationId, settled))
      return true
    })

    const joinAll = Effect.repeat(joinNext, { while: (wasAny) => wasAny })
    yield* every("10 seconds", "could not merge the spellings of an address", joinAll)
  }),
)
