// The sessions of one person, newest first, by cursor only (spec 1.6, 2.2, 5.1). The first page fixes `asOf`.
// Reading all pages returns every session that was within the window at `asOf` exactly once. Later sessions are
// excluded, and a session that continues keeps its place, because the order is by start time. ADR 13 covers late
// events.
import { Context, DateTime, Effect, Layer, Schema } from "effect"
import {
  cursorExpiry,
  type CursorRefused,
  decodeCursor,
  encodeCursor,
} from "../../../platform/lists/cursor.ts"
import { Secrets } from "../../../platform/secrets/secrets.ts"
import { Pixels, type PixelNotFound } from "../../../collect/pixels/pixels.ts"
import { type Period, boundsOf, periodText } from "../timeframe.ts"
import { VisitorNotFound } from "../visitors.ts"
import type { SessionRow } from "./session-row.ts"
import { type SessionKey, SessionStore } from "./store.ts"

export interface SessionQuestion {
  readonly organizationId: string
  /** SHA-256 of any of the person's addresses. */
  readonly visitorId: string
  readonly timeframe: Period
  /** Undefined: every pixel that the caller may see. */
  readonly pixelId: string | undefined
  /** Undefined: every pixel of the organization. */
  readonly pixelIds?: ReadonlyArray<string> | undefined
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
    const { limit, organizationId, pixelId, pixelIds, timeframe, visitorId } = question
    const now = yield* DateTime.now
    const bound = {
      o: organizationId,
      v: visitorId,
      t: periodText(timeframe),
      p: pixelId ?? pixelIds?.join() ?? null,
    }
    const cursor =
      question.cursor === undefined
        ? undefined
        : yield* openSessionCursor(secrets, question.cursor, {
            now,
            isInScope: matchesScope(bound),
          })
    const asOf = cursor === undefined ? now : DateTime.makeUnsafe(cursor.a)
    const scope =
      pixelId === undefined && pixelIds === undefined && typeof timeframe === "string"
        ? undefined
        : yield* pixels.scope(organizationId, { pixelId, pixelIds })
    const [isKnown, read] = yield* Effect.all(
      [
        store.isVisitor(organizationId, visitorId),
        store.list(
          {
            organizationId,
            pixelId: scope?.sites,
            asOf,
            ...boundsOf(timeframe, scope?.timeZone ?? "UTC", asOf),
          },
          { emailHash: visitorId },
          { order: "desc", limit: limit + 1, after: cursor && sessionKeyOf(cursor) },
        ),
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

// The cursor of a person's sessions (spec 1.6): bound to organization, visitor, window, pixel scope and the time of the
// first page. Its key is that of the last session.
const uuid = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"

/** The fields of a session cursor, in the order of the documented example. */ // spec 1.6 and 12.4
export class SessionCursor extends Schema.Opaque<SessionCursor>()(
  Schema.Struct({
    /** Organization. */
    o: Schema.String,
    /** Visitor, as named in the path. */
    v: Schema.String,
    /** The period: a timeframe, or its days. */
    t: Schema.String,
    /** Pixel scope; null for all pixels of the organization. */
    p: Schema.NullOr(Schema.String),
    /** The time `asOf` that the list is read at, ISO 8601. */
    a: Schema.String,
    /** Start time and canonical key `<pixelId>:<session uuid>` of the last session. */
    k: Schema.Tuple([
      Schema.String,
      Schema.String.check(Schema.isPattern(new RegExp(`^${uuid}:${uuid}$`))),
    ]),
    /** Expiry in Unix seconds. */
    exp: Schema.Int,
  }),
) {}

/** What a session cursor must have been issued for. */
type SessionCursorScope = Pick<SessionCursor, "o" | "v" | "t" | "p">

/** Decodes a session cursor. Errors: CursorRefused. */
export const openSessionCursor = decodeCursor(SessionCursor)

export const matchesScope = (scope: SessionCursorScope) => (cursor: SessionCursor) =>
  cursor.o === scope.o && cursor.v === scope.v && cursor.t === scope.t && cursor.p === scope.p

export const cursorKeyOf = ({ id, pixelId, startTime }: SessionKey): SessionCursor["k"] => [
  startTime,
  `${pixelId}:${id}`,
]

export const sessionKeyOf = ({ k: [startTime, canonical] }: SessionCursor): SessionKey => {
  const [pixelId = "", id = ""] = canonical.split(":")
  return { startTime, pixelId, id }
}
