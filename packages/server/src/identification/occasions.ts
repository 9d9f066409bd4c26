// What a batch of the pass gives webhooks an occasion to be told: sessions that are new to someone
// identified, what became known of them, and that they did something at all (spec 8.5).
import type { Occasion } from "../webhooks/triggers/occasion.ts"
import type { LiveSession } from "../webhooks/triggers/triggers.ts"
import type { Changes } from "./batch-work.ts"
import type { VisitorKey } from "./ownership/store.ts"
import { firstOf } from "./profile.ts"
import type { Session } from "./session.ts"
import type { KnownVisitor, StoredVisitor } from "./visitor.ts"

/** What was known before the batch. */
interface Before {
  readonly sessions: ReadonlyArray<Session>
  readonly visitors: ReadonlyArray<StoredVisitor>
}

/**
 * In the order in which they happened.
 *
 * `toldAnew`: people about whom more became known than what the events introduced.
 */
export const occasionsOf = (
  before: Before,
  { sessions, visitors }: Pick<Changes, "sessions" | "visitors">,
  toldAnew: ReadonlyArray<VisitorKey>,
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
    .filter((visitor) => isToldAnew(stored.get(visitor.id), visitor))
    .map(({ id, organizationId }) => ({ organizationId, visitorId: id }))
  const learnt = [...introduced, ...toldAnew].map(({ organizationId, visitorId }) => ({
    organizationId,
    visitorId,
    pixelId: lastPixels.get(visitorId) ?? null,
    kind: "profile" as const,
  }))
  return [...done, ...learnt]
}

export const liveSessions = (sessions: ReadonlyArray<Session>): ReadonlyArray<LiveSession> =>
  identified(sessions).map(({ id, organizationId, pixelId }) => ({
    organizationId,
    sessionId: id,
    pixelId,
  }))

/** Whether a field of the profile, or an address, is another than before. */ // spec 2.1
export const isToldAnew = (stored: StoredVisitor | undefined, known: KnownVisitor): boolean =>
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
