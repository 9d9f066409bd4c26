// SQL that computes scores (spec 2.23). A turn takes some people, or companies, of one organization, finds out for all of
// them in one statement which entries hold, and updates their rows, in one transaction. It skips rows that another
// transaction holds, and never waits while it holds rows itself.
import { Context, Effect, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { advisoryLocks } from "../../platform/database/advisory-locks.ts"
import {
  type StatementTimedOut,
  withinTransaction,
} from "../../platform/database/statement-timeout.ts"
import { transaction } from "../../platform/database/transaction.ts"
import { evaluation } from "./sql/evaluation.ts"
import { notes } from "./sql/notes.ts"
import { rounds } from "./sql/rounds.ts"
import { scoreRows } from "./sql/scores.ts"
import type { Result } from "./sql/values.ts"

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  return {
    ...notes(sql),
    ...rounds(sql),
    ...evaluation(sql),
    ...scoreRows(sql),

    /** Takes the turn to compute the organization's scores, held until the transaction ends. False: another has it. */
    takeTurn: (organizationId: string): Result<boolean> =>
      Effect.map(
        sql<{ readonly isMine: boolean }>`
          select pg_try_advisory_xact_lock(${advisoryLocks.scores}, hashtext(${organizationId}))
            as "isMine"`,
        ([row]) => row?.isMine === true,
      ),

    /** Fails with StatementTimedOut after the limit, and leaves the transaction intact. */
    within: <A>(
      evaluation: Result<A>,
      limitMs: number,
    ): Effect.Effect<A, SqlError.SqlError | StatementTimedOut> =>
      withinTransaction(sql, limitMs, evaluation),

    transaction: <A, E, R>(effect: Effect.Effect<A, E, R>) =>
      Effect.provideService(transaction(effect), SqlClient.SqlClient, sql),
  }
})

export class ScoreComputingStore extends Context.Service<
  ScoreComputingStore,
  Effect.Success<typeof make>
>()("@footfall/server/score/ScoreComputingStore") {
  static readonly layer = Layer.effect(ScoreComputingStore, make)
}
