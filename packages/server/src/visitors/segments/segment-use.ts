// Who keeps a segment from being deleted: webhooks ask for it, and they are of a later room.
import { Context, type Effect } from "effect"

export class SegmentUse extends Context.Service<
  SegmentUse,
  {
    /** Ids of the webhooks that ask for the segment. Joins the caller's transaction. */
    webhooks(organizationId: string, segmentId: string): Effect.Effect<ReadonlyArray<string>>
  }
>()("@footfall/server/visitors/SegmentUse") {}
