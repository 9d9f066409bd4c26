// Loads what a batch needs before it is processed: its events' browsers, the sessions they could join, and the visitors
// and imported people its identifications could mean.
import { Context, Effect, Layer } from "effect"
import type { WaitingEvent } from "./batch-work.ts"
import { introducedKeys } from "./forgotten.ts"
import { PeopleLookup } from "./merging/people-lookup.ts"
import { spellingOf } from "./merging/alias-graph.ts"
import { type BrowserSpan, IdentificationStore } from "./store.ts"

const make = Effect.gen(function* () {
  const store = yield* IdentificationStore
  const peopleLookup = yield* PeopleLookup

  const load = Effect.fnUntraced(function* (events: ReadonlyArray<WaitingEvent>) {
    const counted = events.filter(({ isDuplicate }) => !isDuplicate)
    const spans = spansOf(counted)
    return {
      browsers: yield* store.browsers(spans),
      sessions: yield* store.sessions(spans),
      ...(yield* peopleLookup.of(
        counted.flatMap(introducedKeys),
        counted.flatMap(({ organizationId, payload }) =>
          spellingOf(organizationId, payload.e ?? null),
        ),
      )),
    }
  })

  return { load }
})

export class KnownRows extends Context.Service<KnownRows, Effect.Success<typeof make>>()(
  "@footfall/server/identification/KnownRows",
) {
  static readonly layer = Layer.effect(KnownRows, make)
}

const spansOf = (events: ReadonlyArray<WaitingEvent>): ReadonlyArray<BrowserSpan> => {
  const spans = new Map<string, BrowserSpan>()
  for (const { organizationId, anonymousId, occurredAt } of events) {
    if (anonymousId === null) continue
    const key = `${organizationId} ${anonymousId}`
    const known = spans.get(key)
    spans.set(key, {
      organizationId,
      anonymousId,
      from: Math.min(known?.from ?? occurredAt, occurredAt),
      until: Math.max(known?.until ?? occurredAt, occurredAt),
    })
  }
  return [...spans.values()]
}
