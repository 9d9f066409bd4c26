// What is asked of the database at most once in a while. A failure is not remembered: who asks next asks again, so
// a database that was away is back at once.
import { type Duration, Effect } from "effect"

export const remembered = <A, E, R>(question: Effect.Effect<A, E, R>, duration: Duration.Input) =>
  Effect.map(Effect.cachedInvalidateWithTTL(question, duration), ([answer, forget]) =>
    Effect.onError(answer, () => forget),
  )
