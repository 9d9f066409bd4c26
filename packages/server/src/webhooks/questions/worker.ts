// Re-evaluates segments within a few seconds of their due time. Processes take turns. Logs failures and retries.
import { Effect, Layer } from "effect"
import { every } from "../../jobs/every.ts"
import { JobWakes } from "../../jobs/wakes.ts"
import { webhookQueue } from "../sending/queue.ts"
import { Questions } from "./questions.ts"

export const QuestionWorker = Layer.effectDiscard(
  Effect.gen(function* () {
    const questions = yield* Questions
    const wakes = yield* JobWakes

    const askDue = Effect.uninterruptible(questions.askNext).pipe(
      Effect.tap((asked) => (asked > 0 ? wakes.wake(webhookQueue) : Effect.void)),
      Effect.repeat({ while: (asked) => asked > 0 }),
    )
    yield* every("5 seconds", "segments of webhooks not asked again", askDue)
  }),
)
