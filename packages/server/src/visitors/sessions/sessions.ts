// The sessions of one person, newest first, by cursor only (spec 1.6, 2.2, 5.1). The first page fixes `asOf`. Walking
// the pages returns every session that was within the window at `asOf` exactly once: later sessions are left out, and a
// session that continues keeps its place, because the order is by start time. ADR 13 covers late events.
import { Context, DateTime, Effect, Layer } from "effect"
import { cursorExpiry, type CursorRefused, encodeCursor } from "../../lists/cursor.ts"
import { Secrets } from "../../secrets/secrets.ts"
import { Pixels, type PixelNotFound } from "../../pixels/pixels.ts"
import { type Timeframe, windowStart } from "../timeframe.ts"
import { VisitorNotFound } from "../visitors.ts"
import {
  cursorKeyOf,
  isOfScope,
  openSessionCursor,
  type SessionCursor,
  sessionKeyOf,
} from "./session-cursor.ts"
import type { SessionRow } from "./session-row.ts"
import { SessionStore } from "./store.ts"

export interface SessionQuestion {
  readonly organizationId: string
  /** SHA-256 of any of the person's addresses. */
  readonly visitorId: string
  readonly timeframe: Timeframe
  /** Undefined: every pixel of the organization. */
  readonly pixelId: string | undefined
  /** Sessions per page. May differ from page to page. */
  readonly limit: number
  /** Undefined: the first page. */
  readonly cursor: string | undefined
}

export interface SessionPage {
  readonly sessions: ReadonlyArray<SessionRow>
  readonly asOf: DateTime.Utc
  readonly hasMore: boolean
  /** Null on the last page. */
  readonly nextCursor: string | null
}

const make = Effect.gen(function* () {
  const store = yield* SessionStore
  const pixels = yield* Pixels
  const secrets = yield* Secrets

  const list = Effect.fn("Sessions.list")(function* (question: SessionQuestion) {
    const { limit, organizationId, pixelId, timeframe, visitorId } = question
    const now = yield* DateTime.now
    const bound = { o: organizationId, v: visitorId, t: timeframe, p: pixelId ?? null }
    const cursor =
      question.cursor === undefined
        ? undefined
        : yield* openSessionCursor(secrets, question.cursor, { now, isInScope: isOfScope(bound) })
    const asOf = cursor === undefined ? now : DateTime.makeUnsafe(cursor.a)
    const [isKnown, read] = yield* Effect.all(
      [
        store.isVisitor(organizationId, visitorId),
        store.list(
          { organizationId, pixelId, asOf, from: windowStart(timeframe, asOf) },
          { emailHash: visitorId },
          { order: "desc", limit: limit + 1, after: cursor && sessionKeyOf(cursor) },
        ),
        pixelId === undefined ? Effect.void : pixels.scope(organizationId, { pixelId }),
      ],
      { concurrency: "unbounded" },
    )
    if (!isKnown) return yield* new VisitorNotFound()
    const sessions = read.slice(0, limit)
    const last = sessions.at(-1)
    if (last === undefined || read.length <= limit) {
      return { sessions, asOf, hasMore: false, nextCursor: null }
    }
    const nextCursor = encodeCursor<SessionCursor>(secrets, {
      ...bound,
      a: DateTime.formatIso(asOf),
      k: cursorKeyOf(last),
      exp: cursorExpiry(now),
    })
    return { sessions, asOf, hasMore: true, nextCursor }
  })

  return { list }
})

export class Sessions extends Context.Service<
  Sessions,
  {
    /**
     * One page of a person's sessions within window and scope.
     *
     * *Errors*: VisitorNotFound for an unknown address, or a person held back or erased; PixelNotFound for an unknown
     * pixel; CursorRefused for another query's cursor. *Guarantee*: all pages of one walk share `asOf`, and no session
     * that existed then is left out.
     */
    list(
      question: SessionQuestion,
    ): Effect.Effect<SessionPage, VisitorNotFound | PixelNotFound | CursorRefused>
  }
>()("@footfall/server/visitors/Sessions") {
  static readonly layer = Layer.effect(Sessions, make)
}
