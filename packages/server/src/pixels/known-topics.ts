// Which topics there are, as far as the rules of pixels need it. The catalogue belongs to a later room,
// which fills this in.
import { Context, type Effect } from "effect"

export class KnownTopics extends Context.Service<
  KnownTopics,
  {
    /** The ids of the present catalogue. */
    readonly ids: Effect.Effect<{ has(topicId: number): boolean }>
  }
>()("@footfall/server/pixels/KnownTopics") {}
