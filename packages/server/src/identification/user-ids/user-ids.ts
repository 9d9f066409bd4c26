// What the events of sources say of ids, before a batch is worked off (spec 15.2.2, 15.2.6). An alias makes two
// browser ids one, for good. An own user id that was named with a person leads to that person, in another browser as
// well. The company of a group goes to whoever has the browser.
import { Context, Effect, Layer } from "effect"
import type { DatabaseError } from "../../database/database-error.ts"
import { Tombstones } from "../../people/tombstones/tombstones.ts"
import { introducedHash, type WaitingEvent } from "../batch-work.ts"
import { ChangesStore } from "../changes/store.ts"
import type { BrowserLink } from "../links/store.ts"
import { type Identifications, identified, tenures } from "../ownership.ts"
import { OwnershipStore } from "../ownership/store.ts"
import { type BrowserKey, type Joined, UserIdStore } from "./store.ts"

type Events = ReadonlyArray<WaitingEvent>

const make = Effect.gen(function* () {
  const store = yield* UserIdStore
  const changes = yield* ChangesStore
  const ownership = yield* OwnershipStore
  const tombstones = yield* Tombstones

  /** One browser of two: its sessions and whoever was identified in either, by the time of it. */
  const join = Effect.fnUntraced(function* (joined: Joined) {
    const { anonymousId, organizationId } = joined
    yield* store.addJoin(joined)
    const moved = yield* store.moveSessions(joined)
    const rows = yield* store.takeJoined(joined)
    const identifications = rows
      .flat()
      .toSorted(([one], [other]) => one - other)
      .reduce<Identifications>((all, [at, visitorId]) => identified(all, at, visitorId), [])
    if (identifications.length === 0) return
    yield* changes.browsers([{ organizationId, anonymousId, identifications }])
    const handedOver = yield* ownership.handOver(
      tenures(identifications).map((tenure) => ({ organizationId, anonymousId, ...tenure })),
    )
    const losers = handedOver.flatMap(({ loserId }) =>
      loserId === null ? [] : [{ organizationId, visitorId: loserId }],
    )
    yield* ownership.seen([...moved, ...handedOver], losers)
  })

  /** The events, each of the browser that its id belongs to now. */
  const joinedOf = Effect.fnUntraced(function* (events: Events) {
    const known = yield* store.joins(events.flatMap(idsIn))
    const joins = events.filter(({ payload }) => payload.j !== undefined)
    if (known.length === 0 && joins.length === 0) return events
    const roots = new Map(
      known.map((one) => [keyOf(one.organizationId, one.joinedId), one.anonymousId]),
    )
    const rootOf = (organizationId: string, id: string): string => {
      let root = id
      while (roots.has(keyOf(organizationId, root))) root = roots.get(keyOf(organizationId, root))!
      return root
    }
    for (const { anonymousId, isDuplicate, organizationId, payload } of joins) {
      if (anonymousId === null || payload.j === undefined || isDuplicate) continue
      const root = rootOf(organizationId, anonymousId)
      const other = rootOf(organizationId, payload.j)
      if (root === other) continue
      roots.set(keyOf(organizationId, other), root)
      yield* join({ organizationId, anonymousId: root, joinedId: other })
    }
    return events.map((event) =>
      event.anonymousId === null
        ? event
        : { ...event, anonymousId: rootOf(event.organizationId, event.anonymousId) },
    )
  })

  /** The events, those that lead to a person by an own id or by their browser naming that person. */
  const named = Effect.fnUntraced(function* (events: Events) {
    const speaking = events.filter(
      ({ isDuplicate, payload }) => !isDuplicate && (payload.y !== undefined || payload.w === 1),
    )
    if (speaking.length === 0) return events
    const userIds = speaking.flatMap(({ organizationId, payload: { y } }) =>
      y === undefined ? [] : [{ organizationId, anonymousId: y }],
    )
    const browsers = speaking.flatMap(({ anonymousId, organizationId }) =>
      anonymousId === null ? [] : [{ organizationId, anonymousId }],
    )
    const found = [
      ...(yield* store.owners([...browsers, ...userIds])),
      ...(yield* store.links(userIds)),
    ]
    const erased = new Set(yield* tombstones.among(found))
    const hashes = new Map(
      found
        .filter((one) => !erased.has(one))
        .map((one) => [keyOf(one.organizationId, one.anonymousId), one.emailHash]),
    )
    const links = new Map<string, BrowserLink>()
    const told = events.map((event) => {
      const { anonymousId, isDuplicate, organizationId, payload } = event
      if (anonymousId === null || isDuplicate || payload.x === 1) return event
      const said = introducedHash(event)
      const id = payload.y ?? (payload.w === 1 ? anonymousId : undefined)
      if (said !== undefined) {
        hashes.set(keyOf(organizationId, anonymousId), said)
        if (payload.y !== undefined) {
          hashes.set(keyOf(organizationId, payload.y), said)
          links.set(keyOf(organizationId, payload.y), {
            organizationId,
            anonymousId: payload.y,
            emailHash: said,
          })
        }
        return event
      }
      const hash = id === undefined ? undefined : hashes.get(keyOf(organizationId, id))
      return hash === undefined ? event : { ...event, payload: { ...payload, h: hash } }
    })
    if (links.size > 0) yield* store.link([...links.values()])
    return told
  })

  return {
    /** The events as they are meant, by what sources say of ids. */
    of: (events: Events): Effect.Effect<Events, DatabaseError> =>
      Effect.flatMap(joinedOf(events), named),
  }
})

export class UserIds extends Context.Service<UserIds, Effect.Success<typeof make>>()(
  "@footfall/server/identification/UserIds",
) {
  static readonly layer = Layer.effect(UserIds, make)
}

const keyOf = (organizationId: string, id: string): string => `${organizationId} ${id}`

const idsIn = ({ anonymousId, organizationId, payload }: WaitingEvent): ReadonlyArray<BrowserKey> =>
  [anonymousId, payload.j].flatMap((id) =>
    id === null || id === undefined ? [] : [{ organizationId, anonymousId: id }],
  )
