// Wires the audiences room together. Later rooms react to changes of audiences (AudienceChanges).
import { Effect, Layer } from "effect"
import { IntentUse } from "../../access/account/account.ts"
import { Signals } from "../signals/signals.ts"
import { Aliases } from "./aliases/aliases.ts"
import { AliasStore } from "./aliases/store.ts"
import { Configs } from "./configs.ts"
import { Countings } from "./counting.ts"
import { Filters } from "./filters/filters.ts"
import { FilterStore } from "./filters/store.ts"
import { AudienceFiltersHandlers, PreviewsHandlers } from "./handlers.ts"
import { Audiences } from "./lifecycle/audiences.ts"
import { AudiencesHandlers } from "./lifecycle/handlers.ts"
import { AudienceLifecycleStore } from "./lifecycle/store.ts"
import { Previews } from "./previews.ts"
import { AudienceStore } from "./store.ts"

/** The stores of this room. */
export const AudienceStores = Layer.mergeAll(
  AliasStore.layer,
  AudienceLifecycleStore.layer,
  AudienceStore.layer,
  FilterStore.layer,
)

export const AudienceServices = Layer.mergeAll(
  Layer.provideMerge(Audiences.layer, Configs.layer),
  Filters.layer,
  Layer.provide(Previews.layer, Countings.layer),
).pipe(Layer.provideMerge(Aliases.layer))

/** The account's figures on audiences and signals. */
export const UseOfIntent = Layer.effect(
  IntentUse,
  Effect.gen(function* () {
    const audiences = yield* AudienceLifecycleStore
    const signals = yield* Signals
    return IntentUse.of({
      of: Effect.fnUntraced(function* (organizationId) {
        const { date, hasSignals } = yield* Effect.orDie(signals.dataDate(organizationId))
        const slotsUsed = yield* audiences.slotsUsed(organizationId)
        return { slotsUsed, dataDate: hasSignals ? date : null }
      }),
    })
  }),
).pipe(Layer.provide(Signals.layer))

/** The endpoints of this room. */
export const AudienceHandlers = Layer.mergeAll(
  AudienceFiltersHandlers,
  AudiencesHandlers,
  PreviewsHandlers,
)
