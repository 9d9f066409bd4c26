// What the member a token names may do now, as the database says it: role and state of the
// organization. Remembered for less than the 5 seconds in which a demoted or removed member must be
// refused (spec 7).
import { Cache, Context, Duration, Effect, Layer, Option, Schema } from "effect"
import type { Caller } from "../caller.ts"
import { type MemberKey, MemberStore } from "./store.ts"

export class NoMember extends Schema.TaggedError<NoMember>()("NoMember", {}) {}

/** spec 7 allows 5 seconds. */
const rememberedSeconds = 4
const rememberedMax = 10_000

export class Memberships extends Context.Service<
  Memberships,
  {
    /** Fails with NoMember when the user does not exist or is not a member there. */
    find(key: MemberKey): Effect.Effect<Caller, NoMember>
  }
>()("@footfall/server/access/Memberships") {
  static readonly layer = Layer.effect(
    Memberships,
    Effect.gen(function* () {
      const store = yield* MemberStore
      const look = Effect.fnUntraced(function* (text: string) {
        // The text was made from a key, below.
        const found = yield* store.find(JSON.parse(text) as MemberKey)
        if (Option.isNone(found)) return yield* new NoMember()
        const { userId, ...of } = found.value
        const actor = { type: "user", id: userId } as const
        return { ...of, actor } satisfies Caller
      })
      const members = yield* Cache.makeWith(look, {
        capacity: rememberedMax,
        timeToLive: (exit) =>
          exit._tag === "Success" ? Duration.seconds(rememberedSeconds) : Duration.zero,
      })
      return Memberships.of({ find: (key) => Cache.get(members, JSON.stringify(key)) })
    }),
  )
}
