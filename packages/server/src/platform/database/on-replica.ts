// Which database a fiber's statements go to. Child fibers inherit it.
import { Context } from "effect"

/** Whether a fiber reads from the read replica. Only `Replica.read` sets it. */
export const OnReplica = Context.Reference<boolean>("@footfall/server/database/OnReplica", {
  defaultValue: () => false,
})
