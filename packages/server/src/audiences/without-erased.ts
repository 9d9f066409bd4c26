// Excludes erased people from an audience. Only this process has the key to ask tombstones, so the question is asked
// for the addresses of its people, and asked again without the erased ones until it finds no more: without one person
// another may qualify.
import { Effect } from "effect"
import type { AudienceQuestion } from "./matching/compile.ts"

/** `erasedAmong`: the erased addresses among the people of a question, by hash. Each round excludes more, so it ends. */
export const withoutErased = <E, R>(
  question: AudienceQuestion,
  erasedAmong: (question: AudienceQuestion) => Effect.Effect<Iterable<string>, E, R>,
): Effect.Effect<AudienceQuestion, E, R> =>
  Effect.gen(function* () {
    const erased = [...new Set([...question.erased, ...(yield* erasedAmong(question))])]
    if (erased.length === question.erased.length) return question
    return yield* withoutErased({ ...question, erased }, erasedAmong)
  })
