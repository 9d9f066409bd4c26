// Counters of the rate limits: one row per bucket, updated by one atomic statement on the database's clock, so all
// processes share exact counts (spec 10.2).
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"

/** Default length of a window, which starts with its first request. spec 10.1. */
const windowSecondsDefault = 60

export interface Consumed {
  /** Requests in this window; rejected ones count as one above the limit. */
  readonly used: number
  /** Seconds until the window ends, rounded up, at least 1. */
  readonly resetSeconds: number
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return {
    consume: (
      bucket: string,
      limit: number,
      windowSeconds: number = windowSecondsDefault,
    ): Effect.Effect<Consumed> =>
      sql<Consumed>`
        insert into rate_limit as present (bucket, window_ends_at, used)
        values (${bucket}, now() + make_interval(secs => ${windowSeconds}), 1)
        on conflict (bucket) do update set
          used = case
            when present.window_ends_at <= now() then 1
            else least(present.used + 1, ${limit + 1}::int)
          end,
          window_ends_at = case
            when present.window_ends_at <= now() then excluded.window_ends_at
            else present.window_ends_at
          end
        returning
          used,
          greatest(1, ceil(extract(epoch from window_ends_at - now())))::int as "resetSeconds"
      `.pipe(
        Effect.map((rows) => rows[0]!),
        Effect.orDie,
      ),

    /** Takes back one accepted request. */
    giveBack: (bucket: string, limit: number): Effect.Effect<void> =>
      sql`
        update rate_limit set used = least(used, ${limit}::int) - 1
        where bucket = ${bucket} and used > 0 and window_ends_at > now()
      `.pipe(Effect.asVoid, Effect.orDie),

    /** Deletes windows that have ended. */
    prune: sql`delete from rate_limit where window_ends_at < now()`.pipe(
      Effect.asVoid,
      Effect.orDie,
    ),
  }
})

export class RateLimitStore extends Context.Service<RateLimitStore, Effect.Success<typeof make>>()(
  "@footfall/server/http/RateLimitStore",
) {
  static readonly layer = Layer.effect(RateLimitStore, make)
}
