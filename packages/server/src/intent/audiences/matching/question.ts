// What an audience question needs before its statements can run.
import { Effect } from "effect"
import { nothingRemote, type RemoteSignalsStore } from "../../signals/remote-signals-store.ts"
import { hasTopics } from "../config.ts"
import type { AudienceQuestion } from "./compile.ts"

/** Fetches the signals that are not in Postgres, once for all statements that need them. */
export const remoteSignalsOf = (
  remote: RemoteSignalsStore | undefined,
  {
    config,
    dataDate,
    organizationId,
  }: Pick<AudienceQuestion, "config" | "dataDate" | "organizationId">,
): ReturnType<RemoteSignalsStore["relation"]> =>
  remote === undefined || !hasTopics(config)
    ? Effect.succeed(nothingRemote)
    : remote.relation({
        organizationId,
        date: dataDate,
        topicIds: config.topicIds,
        minScore: config.minScore,
      })

/**
 * Excludes erased people from an audience. Only this process has the key for tombstones, so it looks up the addresses
 * of the audience's people and repeats the question without the erased ones until it finds no more: without one person
 * another may qualify.
 *
 * `erasedAmong`: the erased addresses among the people of a question, by hash. Each round excludes more, so the loop
 * ends.
 */
export const withoutErased = <E, R>(
  question: AudienceQuestion,
  erasedAmong: (question: AudienceQuestion) => Effect.Effect<Iterable<string>, E, R>,
): Effect.Effect<AudienceQuestion, E, R> =>
  Effect.gen(function* () {
    const erased = [...new Set([...question.erased, ...(yield* erasedAmong(question))])]
    if (erased.length === question.erased.length) return question
    return yield* withoutErased({ ...question, erased }, erasedAmong)
  })
