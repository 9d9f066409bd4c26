// The party whose turns an organization takes: its creator, with all the organizations they created (spec 10.4).
import { Cache, Duration, Effect, Layer } from "effect"
import { PartyOf } from "../../platform/jobs/fair-turns.ts"
import { OrganizationStore } from "./store.ts"

/** Callers without an organization go by another word. */
const uuid = /^[0-9a-f-]{36}$/i

/** A party changes only when its user is deleted. Long, so that whoever slows the database down gets no more turns. */
const rememberedFor = Duration.hours(1)
const rememberedMax = 10_000

export const Parties = Layer.effect(
  PartyOf,
  Effect.gen(function* () {
    const store = yield* OrganizationStore
    const parties = yield* Cache.makeWith(store.party, {
      capacity: rememberedMax,
      timeToLive: (exit) => (exit._tag === "Success" ? rememberedFor : Duration.zero),
    })
    // Turns are given without the database too.
    return (organizationId) =>
      !uuid.test(organizationId)
        ? Effect.succeed(organizationId)
        : Cache.get(parties, organizationId).pipe(
            Effect.map((party) => party ?? organizationId),
            Effect.orElseSucceed(() => organizationId),
          )
  }),
)
