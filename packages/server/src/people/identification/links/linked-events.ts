// Applies identity links to a batch before it is processed. A linked browser is identified by its next event, once
// per link, and whoever is identified there later takes it over. An address sent together with an external id
// belongs to the person the id is linked to (spec 6.7; ADR 14).
import { Context, Effect, Layer } from "effect"
import type { DatabaseError } from "../../../platform/database/database-error.ts"
import { LinksStore } from "../../person/links/store.ts"
import { externalIdKey } from "../../../collect/visits/attribution.ts"
import { Tombstones } from "../../person/tombstones/tombstones.ts"
import { introducedHash, type WaitingEvent } from "../batch-work.ts"
import { Merging } from "../merging/merging.ts"
import type { VisitorKey } from "../../suppression/cycle/store.ts"
import { type BrowserLink, BrowserLinkStore } from "./store.ts"

export class LinkedEvents extends Context.Service<
  LinkedEvents,
  {
    /**
     * Returns the events with the person each one identifies, the links used for it, and the people whose profile
     * was enriched on the way.
     */
    apply(events: ReadonlyArray<WaitingEvent>): Effect.Effect<
      {
        readonly events: ReadonlyArray<WaitingEvent>
        readonly used: ReadonlyArray<BrowserLink>
        readonly enriched: ReadonlyArray<VisitorKey>
      },
      DatabaseError
    >
    /** Records that the links were used, once the browsers are written. */
    note(used: ReadonlyArray<BrowserLink>): Effect.Effect<void, DatabaseError>
  }
>()("@footfall/server/identification/LinkedEvents") {
  static readonly layer = Layer.effect(
    LinkedEvents,
    Effect.gen(function* () {
      const store = yield* BrowserLinkStore
      const links = yield* LinksStore
      const merging = yield* Merging
      const tombstones = yield* Tombstones

      const assignExternalIds = Effect.fnUntraced(function* (events: ReadonlyArray<WaitingEvent>) {
        const submitted = events.flatMap((event) => {
          const emailHash = introducedHash(event)
          const externalId = event.payload.p?.custom?.[externalIdKey]
          const { organizationId } = event
          return emailHash === undefined || externalId === undefined
            ? []
            : [{ organizationId, externalId, emailHash }]
        })
        return submitted.length > 0
          ? yield* merging.settle(yield* links.assignExternalIds(submitted))
          : []
      })

      const apply = Effect.fnUntraced(function* (events: ReadonlyArray<WaitingEvent>) {
        const counted = events.filter(({ isDuplicate }) => !isDuplicate)
        const enriched = yield* assignExternalIds(counted)
        const found = yield* store.unused(browsersOf(counted))
        const erased = new Set(yield* tombstones.among(found))
        const used = found.filter((link) => !erased.has(link))
        return { events: identifiedBy(events, used), used, enriched }
      })

      return LinkedEvents.of({ apply, note: store.note })
    }),
  )
}

const browsersOf = (events: ReadonlyArray<WaitingEvent>) => [
  ...new Map(
    events.flatMap(({ anonymousId, organizationId }) =>
      anonymousId === null
        ? []
        : [[`${organizationId} ${anonymousId}`, { organizationId, anonymousId }] as const],
    ),
  ).values(),
]

/** A person named by the event itself takes precedence over a link. */
const identifiedBy = (
  events: ReadonlyArray<WaitingEvent>,
  links: ReadonlyArray<BrowserLink>,
): ReadonlyArray<WaitingEvent> => {
  const pending = new Map(
    links.map(({ anonymousId, emailHash, organizationId }) => [
      `${organizationId} ${anonymousId}`,
      emailHash,
    ]),
  )
  if (pending.size === 0) return events
  return events.map((event) => {
    const browser = `${event.organizationId} ${event.anonymousId}`
    const emailHash = pending.get(browser)
    if (emailHash === undefined || event.isDuplicate) return event
    pending.delete(browser)
    const namesSomeone = introducedHash(event) !== undefined || event.payload.x === 1
    return namesSomeone ? event : { ...event, payload: { ...event.payload, h: emailHash } }
  })
}
