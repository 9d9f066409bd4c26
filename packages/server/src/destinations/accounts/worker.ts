// Probes every connected account each 15 minutes (spec 4.5). Safe with many processes: each takes
// accounts that are due off the table. A failure is logged and tried again at the next look.
import { Effect, Layer } from "effect"
import { AccountProbes } from "./probes.ts"
import { type AccountKey, AccountsStore } from "./store.ts"

const lookInterval = "15 seconds"
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
    yield* probeDue.pipe(
      Effect.catchCause((cause) => Effect.logError("connected accounts not probed", cause)),
      Effect.andThen(Effect.sleep(lookInterval)),
      Effect.forever,
      Effect.forkScoped,
    )
  }),
)
