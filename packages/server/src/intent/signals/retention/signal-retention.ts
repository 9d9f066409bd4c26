// Keeps signals for 400 days by their date, and staged signals of interrupted imports for one day (spec 1.8). Hashes
// that no signal can reference anymore are deleted too.
import { Context, Effect, Layer } from "effect"
import { DataVersions } from "../../../people/imports/data-versions.ts"
import { type ExpiredDate, SignalRetentionStore } from "./store.ts"
import { every } from "../../../platform/jobs/every.ts"

/** People per statement. */
const peoplePerBatchMax = 10_000

const make = Effect.gen(function* () {
  const store = yield* SignalRetentionStore
  const versions = yield* DataVersions

  const expire = (expired: ExpiredDate) =>
    store.transaction(Effect.andThen(store.deleteDate(expired), versions.raise("signals")))

  /**
   * Deletes everything past its retention.
   *
   * *Guarantee*: a date is deleted as a whole; safe from several processes.
   */
  const apply = Effect.gen(function* () {
    yield* Effect.forEach(yield* store.expiredDates, expire, { discard: true })
    yield* store.deleteStaged
    yield* store
      .deletePeople(peoplePerBatchMax)
      .pipe(Effect.repeat({ while: (people) => people === peoplePerBatchMax }))
  }).pipe(Effect.withSpan("SignalRetention.apply"))

  return { apply }
})

export class SignalRetention extends Context.Service<
  SignalRetention,
  Effect.Success<typeof make>
>()("@footfall/server/topics/SignalRetention") {
  static readonly layer = Layer.effect(SignalRetention, make)
}

/** Runs once an hour, and at start. */
export const SignalRetentionWorker = Layer.effectDiscard(
  every(
    "1 hour",
    "retention of signals not applied",
    Effect.flatMap(SignalRetention, ({ apply }) => apply),
  ),
)
