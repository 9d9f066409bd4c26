// Asks for the signals of a question that are not in Postgres, once for all statements that take them.
import { Effect } from "effect"
import type { SqlError } from "effect/sql"
import type { SqlText } from "../database/sql-text.ts"
import type { RemoteSignalsStore } from "../topics/signals/remote-signals.ts"
import type { AudienceQuestion } from "./matching/compile.ts"

export const remoteSignalsOf = (
  remote: RemoteSignalsStore | undefined,
  {
    config,
    dataDate,
    organizationId,
  }: Pick<AudienceQuestion, "config" | "dataDate" | "organizationId">,
): Effect.Effect<SqlText | undefined, SqlError.SqlError> =>
  remote === undefined
    ? Effect.undefined
    : remote.relation({
        organizationId,
        date: dataDate,
        topicIds: config.topicIds,
        minScore: config.minScore,
      })
