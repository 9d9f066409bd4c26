// What a batch announces: sessions new to an identified person, profile changes and other activity (spec
// 8.5), and visits of people and companies.
import type { Changes } from "./batch-work.ts"
import type { KnownVisit, LiveSession, Occasion } from "../visitors/occasions.ts"
import type { VisitorKey } from "../suppression/cycle/store.ts"
import { firstOf } from "./profile.ts"
import type { Session } from "./session.ts"
import type { KnownVisitor, StoredVisitor } from "./visitor.ts"

/** The state before the batch. */
interface Before {
  readonly sessions: ReadonlyArray<Session>
  readonly visitors: ReadonlyArray<StoredVisitor>
}

/**
 * Returns the occasions in the order they happened. `enriched`: people whose profile gained data that did not come
 * from the events.
 */
export const occasionsOf = (
  before: Before,
  { sessions, visitors }: Pick<Changes, "sessions" | "visitors">,
  enriched: ReadonlyArray<VisitorKey>,
): ReadonlyArray<Occasion> => {
  const owners = new Map(before.sessions.map(({ id, visitorId }) => [id, visitorId]))
  const stored = new Map(before.visitors.map((visitor) => [visitor.id, visitor]))
  const ofPeople = identified(sessions).toSorted((one, other) => one.endedAt - other.endedAt)
  const lastPixels = new Map(ofPeople.map(({ pixelId, visitorId }) => [visitorId, pixelId]))
  const done = ofPeople.map(({ id, organizationId, pixelId, visitorId }) => ({
    organizationId,
    visitorId,
    pixelId,
    kind: owners.get(id) === visitorId ? ("activity" as const) : ("session" as const),
  }))
  const introduced = visitors
    .filter((visitor) => isEnriched(stored.get(visitor.id), visitor))
    .map(({ id, organizationId }) => ({ organizationId, visitorId: id }))
  const changed = [...introduced, ...enriched].map(({ organizationId, visitorId }) => ({
    organizationId,
    visitorId,
    pixelId: lastPixels.get(visitorId) ?? null,
    kind: "profile" as const,
  }))
  return [...done, ...changed]
}

export const liveSessions = (sessions: ReadonlyArray<Session>): ReadonlyArray<LiveSession> =>
  identified(sessions).map(({ id, organizationId, pixelId }) => ({
    organizationId,
    sessionId: id,
    pixelId,
  }))

/** Sessions of identified people, and those from a network with a company. */ // spec 13.1.3
export const knownVisits = (sessions: ReadonlyArray<Session>): ReadonlyArray<KnownVisit> =>
  sessions
    .filter(({ networkDomain, visitorId }) => visitorId !== null || networkDomain !== null)
    .map(({ id, organizationId, pixelId, trail }) => ({
      organizationId,
      sessionId: id,
      pixelId,
      pages: trail.pages,
    }))

/** Whether a profile field or an address changed. */ // spec 2.1
export const isEnriched = (stored: StoredVisitor | undefined, known: KnownVisitor): boolean =>
  stored === undefined ||
  known.emailHash !== stored.emailHash ||
  emailsOf(known) !== emailsOf(stored) ||
  JSON.stringify(firstOf([known.profile])) !== JSON.stringify(firstOf([stored.profile]))

const emailsOf = ({ addresses }: Pick<StoredVisitor, "addresses">): string =>
  JSON.stringify(
    addresses.flatMap(({ email, kind }) => (email === null ? [] : `${email} ${kind}`)).toSorted(),
  )

const identified = (
  sessions: ReadonlyArray<Session>,
): ReadonlyArray<Session & { readonly visitorId: string }> =>
  sessions.flatMap((session) => {
    const { visitorId } = session
    return visitorId === null ? [] : [{ ...session, visitorId }]
  })
