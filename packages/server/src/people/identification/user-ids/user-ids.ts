// Applies what sources report about ids to their events before a batch is processed (spec 15.2.2, 15.2.6). An alias
// permanently merges two browser ids. A user id that was reported with a person identifies that person, in other
// browsers too, unless strangers share it (15.2.12). A group's company goes to whoever has the browser.
import { Context, Effect, Layer } from "effect"
import type { DatabaseError } from "../../../platform/database/database-error.ts"
import { Tombstones } from "../../person/tombstones/tombstones.ts"
import { timestamp } from "../session-json.ts"
import { introducedHash, type WaitingEvent } from "../batch-work.ts"
import { ChangesStore } from "../changes/store.ts"
import { type Identifications, identified, ownerAt, tenures } from "../ownership.ts"
import { OwnershipStore } from "../ownership/store.ts"
import {
  type BrowserKey,
  type Claim,
  type Correction,
  type Joined,
  type UserIdLink,
  UserIdStore,
  type MisledBrowser,
  type UserIdUse,
} from "./store.ts"
import { isShared, withUse } from "./sharing.ts"

type Events = ReadonlyArray<WaitingEvent>

const make = Effect.gen(function* () {
  const store = yield* UserIdStore
  const changes = yield* ChangesStore
  const ownership = yield* OwnershipStore
  const tombstones = yield* Tombstones

  /** Merges two browsers: their sessions, and whoever was identified in either, by time. */
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

  const usesOf = Effect.fnUntraced(function* (events: Events) {
    const userIds = events.flatMap(userIdsIn)
    return new Uses(userIds.length === 0 ? [] : yield* store.uses(userIds))
  })

  /** Returns the events, each with the browser its id belongs to now. */
  const joinedOf = Effect.fnUntraced(function* (events: Events, uses: Uses) {
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
    for (const event of joins) {
      const { anonymousId, isDuplicate, organizationId, payload } = event
      if (anonymousId === null || isDuplicate) continue
      const { j: previous = [] } = payload
      if (previous.some((id) => uses.isShared(organizationId, id))) continue
      if (uses.add(event, anonymousId, { browser: previous[0] })) continue
      const root = rootOf(organizationId, anonymousId)
      for (const id of previous) {
        const other = rootOf(organizationId, id)
        if (root === other) continue
        roots.set(keyOf(organizationId, other), root)
        yield* join({ organizationId, anonymousId: root, joinedId: other })
      }
    }
    return events.map((event) =>
      event.anonymousId === null
        ? event
        : { ...event, anonymousId: rootOf(event.organizationId, event.anonymousId) },
    )
  })

  /** Returns the events, each with the person that its user id or its browser identifies. */
  const namedOf = Effect.fnUntraced(function* (events: Events, uses: Uses) {
    const speaking = events.filter(
      ({ isDuplicate, payload }) => !isDuplicate && (payload.y !== undefined || payload.w === 1),
    )
    if (speaking.length === 0) return { events, corrections: [] }
    const userIds = speaking.flatMap(({ organizationId, payload: { y } }) =>
      y === undefined ? [] : [{ organizationId, anonymousId: y }],
    )
    const grouping = speaking.flatMap(({ anonymousId, organizationId, payload }) =>
      anonymousId === null || payload.w === undefined ? [] : [{ organizationId, anonymousId }],
    )
    const stored = yield* store.links(userIds)
    const found: ReadonlyArray<UserIdLink> = [
      ...stored.filter(({ isOfBrowserKey }) => isOfBrowserKey),
      ...(yield* store.owners(userIds)).filter((owner) => !isClaimed(owner, stored)),
      ...stored.filter(({ isOfBrowserKey }) => !isOfBrowserKey),
    ]
    const erased = new Set(yield* tombstones.among(found))
    const users = new Map(
      found
        .filter((one) => !erased.has(one))
        .map((one) => [keyOf(one.organizationId, one.anonymousId), one]),
    )
    const browsers = new Map(
      (yield* store.identified(grouping)).map(({ anonymousId, hashes, organizationId }) => [
        keyOf(organizationId, anonymousId),
        hashes,
      ]),
    )
    const links = new Map<string, UserIdLink>()
    const claims: Array<Claim> = []
    const corrections: Array<Correction> = []
    const named = events.map((event) => {
      const { anonymousId, isDuplicate, occurredAt, organizationId, payload } = event
      if (anonymousId === null || isDuplicate || payload.x === 1) return event
      const browser = keyOf(organizationId, anonymousId)
      const emailHash = introducedHash(event)
      const isOfBrowserKey = payload.b === 1
      const user = payload.y === undefined ? undefined : keyOf(organizationId, payload.y)
      const known = user === undefined ? undefined : users.get(user)
      if (payload.y !== undefined) {
        // No stranger with a browser key may end what a server's user id does.
        const isRefused = isOfBrowserKey && known?.isOfBrowserKey === false
        const seen = {
          browser: anonymousId === payload.y ? undefined : anonymousId,
          address: isRefused ? undefined : emailHash,
        }
        if (uses.add(event, payload.y, seen)) return event
      }
      if (emailHash === undefined) {
        // A server vouches for its messages, and no stranger's claim may name their person.
        const isTrusted = known !== undefined && (isOfBrowserKey || !known.isOfBrowserKey)
        if (isTrusted && known.isOfBrowserKey && payload.y !== undefined) {
          claims.push({
            organizationId,
            anonymousId,
            userId: payload.y,
            occurredAt: timestamp(occurredAt),
          })
        }
        const hash =
          user !== undefined
            ? isTrusted && known.emailHash
            : payload.w === 1 && ownerAt(browsers.get(browser) ?? [], occurredAt)
        return hash ? { ...event, payload: { ...payload, h: hash } } : event
      }
      browsers.set(browser, identified(browsers.get(browser) ?? [], occurredAt, emailHash))
      if (payload.y === undefined || user === undefined) return event
      if (isOfBrowserKey && known?.isOfBrowserKey === false) return event
      if (known?.isOfBrowserKey === true && !isOfBrowserKey && known.emailHash !== emailHash) {
        const { emailHash: claimedHash } = known
        corrections.push({ organizationId, userId: payload.y, claimedHash, emailHash })
      }
      const link = { organizationId, anonymousId: payload.y, emailHash, isOfBrowserKey }
      users.set(user, link)
      links.set(user, link)
      return event
    })
    if (links.size > 0) yield* store.link([...links.values()])
    if (claims.length > 0) yield* store.claim(claims)
    return { events: named, corrections }
  })

  /** Gives back what claims had misled, once the people of the corrections are stored. */
  const correct = Effect.fnUntraced(function* (corrections: ReadonlyArray<Correction>) {
    if (corrections.length === 0) return
    const misled = yield* store.takeMisled(corrections)
    if (misled.length === 0) return
    const moved = yield* store.moveMisled(misled)
    const browsers = correctedBrowsers(misled)
    yield* changes.browsers(browsers)
    const handedOver = yield* ownership.handOver(
      browsers.flatMap(({ identifications, ...key }) =>
        tenures(identifications).map((tenure) => ({ ...key, ...tenure })),
      ),
    )
    const losers = [...moved, ...handedOver].flatMap(({ loserId, organizationId }) =>
      loserId === null ? [] : [{ organizationId, visitorId: loserId }],
    )
    yield* ownership.seen([...moved, ...handedOver], losers)
  })

  return {
    /**
     * Returns the events with the ids and people that sources reported for them, and what to `correct` after they are
     * written.
     */
    apply: Effect.fnUntraced(function* (
      events: Events,
    ): Effect.fn.Return<
      { readonly events: Events; readonly corrections: ReadonlyArray<Correction> },
      DatabaseError
    > {
      const uses = yield* usesOf(events)
      const named = yield* namedOf(yield* joinedOf(events, uses), uses)
      if (uses.changed.length > 0) yield* store.use(uses.changed)
      return named
    }),
    correct,
  }
})

export class UserIds extends Context.Service<UserIds, Effect.Success<typeof make>>()(
  "@footfall/server/identification/UserIds",
) {
  static readonly layer = Layer.effect(UserIds, make)
}

/** Where the user ids of a batch were used lately. */
class Uses {
  readonly #uses: Map<string, UserIdUse>
  readonly #changed = new Set<string>()

  constructor(uses: ReadonlyArray<UserIdUse>) {
    this.#uses = new Map(uses.map((use) => [keyOf(use.organizationId, use.userId), use]))
  }

  get changed(): ReadonlyArray<UserIdUse> {
    return [...this.#changed].map((key) => this.#uses.get(key)!)
  }

  isShared(organizationId: string, userId: string): boolean {
    return this.#uses.get(keyOf(organizationId, userId))?.isShared === true
  }

  /** Adds where an event used a user id. Returns whether strangers share it. */
  add(
    { occurredAt, organizationId, payload, pixelId }: WaitingEvent,
    userId: string,
    seen: Parameters<typeof withUse>[2],
  ): boolean {
    const key = keyOf(organizationId, userId)
    const known = this.#uses.get(key)
    if (known?.isShared === true) return true
    const old = known ?? { browsers: [], addresses: [] }
    const use = withUse(old, userId, seen, occurredAt)
    if (use === old) return false
    const isNowShared = isShared(use)
    this.#changed.add(key)
    this.#uses.set(key, {
      organizationId,
      pixelId,
      userId,
      // Of a shared id nothing more is counted.
      ...(isNowShared ? { browsers: [], addresses: [] } : use),
      isShared: isNowShared,
      text: isNowShared ? (payload.yt ?? null) : null,
    })
    return isNowShared
  }
}

/** One row for each browser: strangers may have misled it with several user ids. */
const correctedBrowsers = (misled: ReadonlyArray<MisledBrowser>) => {
  const rows = new Map<string, BrowserKey & { readonly identifications: Identifications }>()
  for (const { anonymousId, claimantId, organizationId, since, visitorId, ...browser } of misled) {
    const key = keyOf(organizationId, anonymousId)
    const identifications = (rows.get(key)?.identifications ?? browser.identifications)
      .map(([at, id]) => [at, id === claimantId && at >= (since ?? at) ? visitorId : id] as const)
      .reduce<Identifications>((all, [at, id]) => identified(all, at, id), [])
    rows.set(key, { organizationId, anonymousId, identifications })
  }
  return [...rows.values()]
}

/** Whether the user id's own browser got its owner by a browser key's claim, as in earlier versions. */
const isClaimed = (owner: UserIdLink, links: ReadonlyArray<UserIdLink>): boolean =>
  links.some(
    (link) =>
      link.isOfBrowserKey &&
      link.emailHash === owner.emailHash &&
      link.anonymousId === owner.anonymousId &&
      link.organizationId === owner.organizationId,
  )

const keyOf = (organizationId: string, id: string): string => `${organizationId} ${id}`

const userIdsIn = ({ anonymousId, isDuplicate, organizationId, payload }: WaitingEvent) =>
  isDuplicate
    ? []
    : [payload.y, ...(payload.j === undefined ? [] : [anonymousId, ...payload.j])].flatMap((id) =>
        id == null ? [] : [{ organizationId, anonymousId: id }],
      )

const idsIn = ({ anonymousId, organizationId, payload }: WaitingEvent): ReadonlyArray<BrowserKey> =>
  [anonymousId, ...(payload.j ?? [])].flatMap((id) =>
    id === null ? [] : [{ organizationId, anonymousId: id }],
  )
