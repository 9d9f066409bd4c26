// Requests that were taken and are not answered yet. When the scope closes they are waited for, before what
// they work with is closed: an application that embeds the server has no socket of ours to drain.
import { Duration, Effect } from "effect"
import type { ServerResponse } from "node:http"

/** As long as those of a listening socket. */
const drainDuration = Duration.seconds(20)

export const makeTakenRequests = Effect.gen(function* () {
  let underWay = 0
  let whenNone: (() => void) | undefined
  const ended = (): void => {
    underWay -= 1
    if (underWay === 0) whenNone?.()
  }
  yield* Effect.addFinalizer(() =>
    Effect.callback<void>((resume) => {
      whenNone = () => resume(Effect.void)
      if (underWay === 0) whenNone()
    }).pipe(Effect.timeoutOption(drainDuration)),
  )
  return {
    until: async <A>(answer: Promise<A>): Promise<A> => {
      underWay += 1
      try {
        return await answer
      } finally {
        ended()
      }
    },
    untilClosed: (response: ServerResponse): void => {
      underWay += 1
      response.once("close", ended)
    },
  }
})
