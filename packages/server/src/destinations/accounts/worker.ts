// Probes every connected account each 15 minutes (spec 4.5). Safe with many processes: each takes
// accounts that are due off the table.
import { Effect, Layer } from "effect"
import { every } from "../../jobs/every.ts"
import { AccountProbes } from "./probes.ts"
import { type AccountKey, AccountsStore } from "./store.ts"

/** Accounts of one look, and of one moment. */
const accountsMax = 100
const atOnceMax = 5

export const AccountsWorker = Layer.effectDiscard(
  Effect.gen(function* () {
    const store = yield* AccountsStore
    const probes = yield* AccountProbes

    /** One that cannot be probed takes no other along. */
    const probed = (key: AccountKey) =>
      Effect.catchCause(Effect.asVoid(probes.probe(key)), (cause) =>
        Effect.logWarning("connected account not probed", cause),
      )
    const probeDue = Effect.gen(function* () {
      const due = yield* store.takeDue(accountsMax)
      yield* Effect.forEach(due, (key) => probed(key), {
        concurrency: atOnceMax,
        discard: true,
      })
    })
    yield* every("15 seconds", "connected accounts not probed", probeDue)
  }),
)
