// What happened to visitors and companies, announced to whoever sends it on: webhooks listen (spec 8.5). Announcements
// are part of the transaction that makes the change, so a crash loses none and repeats none.
import { Context, type Effect } from "effect"
import type { DatabaseError } from "../../platform/database/database-error.ts"
import type { Queue } from "../../platform/jobs/queue.ts"

/**
 * `activity`: anything an identified person did, which may match for the first time. `session`: a session newly
 * attributed to them. `profile`: a visit added to their profile. `import`: only an import changed them. `release`: they
 * are no longer held back. `session_end`: 30 minutes without an event.
 */
export type OccasionKind = "activity" | "import" | "profile" | "release" | "session" | "session_end"

export interface Occasion {
  readonly organizationId: string
  readonly visitorId: string
  /** The pixel that saw it; null for the pixel of their last session. */
  readonly pixelId: string | null
  readonly kind: OccasionKind
}

/** An identified person's session that this batch touched. */
export interface LiveSession {
  readonly organizationId: string
  readonly sessionId: string
  readonly pixelId: string
}

/** A session that started or continued, of an identified person or of a company. */
export interface KnownVisit {
  readonly organizationId: string
  readonly sessionId: string
  readonly pixelId: string
  /** Its pages, the last viewed first. */
  readonly pages: ReadonlyArray<{ readonly url: string }>
}

/** Two visitors that turned out to be the same person. */
export interface JoinedVisitors {
  readonly organizationId: string
  readonly survivorId: string
  readonly loserId: string
}

type Result<A> = Effect.Effect<A, DatabaseError>

/** Every method runs in the caller's transaction, which holds the organizations' turns. */
interface OccasionsShape {
  /**
   * Call it in the order in which the occasions happened, after everything that they changed is written.
   *
   * @returns how many messages wait in `queue` because of it
   */
  announce(
    occasions: ReadonlyArray<Occasion>,
    sessions?: ReadonlyArray<LiveSession>,
    visits?: ReadonlyArray<KnownVisit>,
  ): Result<number>
  /** Merges what is kept about visitors that are one person. Call it before the losing visitor is deleted. */
  join(pairs: ReadonlyArray<JoinedVisitors>): Result<void>
  /** Deletes what is kept about people who are no longer visitors. */
  forget(organizationId: string, visitorIds: ReadonlyArray<string>): Result<void>
  /** Deletes what is kept about companies of an erased person. */
  forgetCompanies(organizationId: string, domains: ReadonlyArray<string>): Result<void>
  /** Wake it after the commit if messages wait. */
  readonly queue: Queue
}

export class Occasions extends Context.Service<Occasions, OccasionsShape>()(
  "@footfall/server/identification/Occasions",
) {}
