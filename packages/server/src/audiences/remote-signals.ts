// Fetches the signals of a question that are not in Postgres, once for all statements that need them.
import { Effect } from "effect"
import type { RemoteSignalsStore } from "../topics/signals/remote-signals-store.ts"
import type { AudienceQuestion } from "./matching/compile.ts"

export const remoteSignalsOf = (
  remote: RemoteSignalsStore | undefined,
  {
    config,
    dataDate,
    organizationId,
  }: Pick<AudienceQuestion, "config" | "dataDate" | "organizationId">,
): ReturnType<RemoteSignalsStore["relation"]> =>
  remote === undefined
    ? Effect.undefined
    : remote.relation({
        organizationId,
        date: dataDate,
        topicIds: config.topicIds,
        minScore: config.minScore,
      })
