// What a token's member may do now, according to the database. Cached for less than the 5 seconds within which a
// demoted or removed member must be rejected (spec 7).
import { Cache, Context, Duration, Effect, Layer, Option, Schema } from "effect"
import type { Caller } from "../caller.ts"
import { Invitations } from "./invitations.ts"
import { type MemberKey, MemberStore } from "./store.ts"

/**
 * Whom a token identifies: a token of this server contains a user and the generation of the user's tokens; one of the
 * external issuer contains an address.
 */
export type TokenHolder = MemberKey & { readonly generation?: number }

export class NoMember extends Schema.TaggedError<NoMember>()("NoMember", {}) {}

/** spec 7 allows 5 seconds. */
const rememberedSeconds = 4
const rememberedMax = 10_000

export class Memberships extends Context.Service<
  Memberships,
  {
    /** Fails with NoMember if the user does not exist, is not a member there, or the token's generation is outdated. */
    find(key: TokenHolder): Effect.Effect<Caller, NoMember>
  }
>()("@footfall/server/access/Memberships") {
  static readonly layer = Layer.effect(
    Memberships,
    Effect.gen(function* () {
      const store = yield* MemberStore
      const invitations = yield* Invitations

      /** The issuer vouches for the address, so its owner need not accept an invitation by token. */
      const findByAddress = Effect.fnUntraced(function* (key: MemberKey & { email: string }) {
        const found = yield* store.find(key)
        const account = yield* store.account(key)
        if (account === undefined || (account.isProven && Option.isSome(found))) return found
        yield* invitations.proveByIssuer(key)
        return yield* store.find(key)
      })

      const look = Effect.fnUntraced(function* (text: string) {
        // `key` was serialized below
        const key = JSON.parse(text) as TokenHolder
        const found = yield* "email" in key ? findByAddress(key) : store.find(key)
        if (Option.isNone(found)) return yield* new NoMember()
        const { generation, userId, ...of } = found.value
        if ("userId" in key && generation !== key.generation) return yield* new NoMember()
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
