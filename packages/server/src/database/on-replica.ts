// Which database a fiber's statements go to, and so do those of fibers that it starts.
import { Context } from "effect"

/** Whether a fiber reads from the read replica. Set by `Replica.read` alone. */
export const OnReplica = Context.Reference<boolean>("@footfall/server/database/OnReplica", {
  defaultValue: () => false,
})
