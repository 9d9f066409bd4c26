// What later rooms do when a run has completed: exports make the ready mail's file, deliveries start the
// automatic ones. Each queues a row in the transaction of the completion and acts on it later.
import { Context, type Effect } from "effect"
import type { DatabaseError } from "../database/database-error.ts"
import type { Run } from "./run.ts"

export class RunCompletion extends Context.Service<
  RunCompletion,
  {
    /**
     * Part of the transaction in which the run became `completed`: all or nothing with it, and it may be
     * repeated as a whole. Does nothing but SQL.
     */
    completed(run: Run): Effect.Effect<void, DatabaseError>
  }
>()("@footfall/server/runs/RunCompletion") {}
