// The cursor of a person's sessions (spec 1.6): bound to organization, visitor, window, pixel scope and the time of the
// first page. Its key is that of the last session.
import { Schema } from "effect"
import { decodeCursor } from "../../lists/cursor.ts"
import { Timeframe } from "../timeframe.ts"
import type { SessionKey } from "./store.ts"

const uuid = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"

/** The fields of a session cursor, in the order of the documented example. */ // spec 1.6 and 12.4
export class SessionCursor extends Schema.Opaque<SessionCursor>()(
  Schema.Struct({
    /** Organization. */
    o: Schema.String,
    /** Visitor, as named in the path. */
    v: Schema.String,
    /** Timeframe. */
    t: Timeframe,
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
export type SessionCursorScope = Pick<SessionCursor, "o" | "v" | "t" | "p">

/** Decodes a session cursor. Errors: CursorRefused. */
export const openSessionCursor = decodeCursor(SessionCursor)

export const isOfScope = (scope: SessionCursorScope) => (cursor: SessionCursor) =>
  cursor.o === scope.o && cursor.v === scope.v && cursor.t === scope.t && cursor.p === scope.p

export const cursorKeyOf = ({ id, pixelId, startTime }: SessionKey): SessionCursor["k"] => [
  startTime,
  `${pixelId}:${id}`,
]

export const sessionKeyOf = ({ k: [startTime, canonical] }: SessionCursor): SessionKey => {
  const [pixelId = "", id = ""] = canonical.split(":")
  return { startTime, pixelId, id }
}
