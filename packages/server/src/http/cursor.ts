// The opaque cursor of a list (decisions.md 1.6): base64url(JSON) "." base64url(HMAC-SHA-256),
// bound to organization, route and filters, valid 24 hours. Never holds an address, a name or a URL.
import { Effect, Schema } from "effect"
import type { Purpose, Secrets } from "./secrets.ts"

/** Validity of a list cursor. decisions.md 10.3. */
export const cursorLifetimeSeconds = 86_400
/** A cursor of ours is far shorter; longer text is not decoded. */
const cursorLengthMax = 2048

/** Members of a list cursor, as named in decisions.md 1.6. */
export class ListCursor extends Schema.Opaque<ListCursor>()(
  Schema.Struct({
    /** Organization. */
    o: Schema.String,
    /** Route. */
    r: Schema.String,
    /** Hash of scope and filters. */
    f: Schema.String,
    /** Time origin `asOf`, ISO 8601. */
    a: Schema.String,
    /** Sort key of the last row. */
    k: Schema.Array(Schema.String),
    /** Position: rows before the next page. */
    n: Schema.Int,
    /** Count of the whole list, taken with the first page; null when it took too long. */
    c: Schema.NullOr(Schema.Int),
    /** Expiry in unix seconds. */
    exp: Schema.Int,
  }),
) {}

/** What a cursor must have been issued for. */
export type CursorScope = Pick<ListCursor, "o" | "r" | "f">

export class CursorRefused extends Schema.TaggedError<CursorRefused>()("CursorRefused", {
  reason: Schema.Literals(["malformed", "signature", "scope", "expired"]),
}) {}

const purpose: Purpose = "cursor"
const decodePayload = Schema.decodeUnknownEffect(Schema.fromJsonString(ListCursor))

export const encodeCursor = (secrets: Secrets["Service"], cursor: ListCursor): string => {
  const payload = Buffer.from(JSON.stringify(cursor)).toString("base64url")
  return `${payload}.${secrets.sign(purpose, payload).toString("base64url")}`
}

/** Opens a cursor. Fails with the first that applies: malformed, signature, expired, scope. */
export const decodeCursor = Effect.fnUntraced(function* (
  secrets: Secrets["Service"],
  text: string,
  options: { readonly scope: CursorScope; readonly nowSeconds: number },
) {
  const [payload, signature, ...rest] = text.length <= cursorLengthMax ? text.split(".") : []
  const bytes = signature === undefined ? undefined : strictBase64Url(signature)
  if (payload === undefined || bytes === undefined || rest.length > 0) {
    return yield* new CursorRefused({ reason: "malformed" })
  }
  if (!secrets.verify(purpose, payload, bytes)) {
    return yield* new CursorRefused({ reason: "signature" })
  }
  const cursor = yield* decodePayload(Buffer.from(payload, "base64url").toString()).pipe(
    Effect.mapError(() => new CursorRefused({ reason: "malformed" })),
  )
  if (cursor.exp <= options.nowSeconds) return yield* new CursorRefused({ reason: "expired" })
  const { f, o, r } = options.scope
  if (cursor.o !== o || cursor.r !== r || cursor.f !== f) {
    return yield* new CursorRefused({ reason: "scope" })
  }
  return cursor
})

/** Node's decoder skips what it does not know; a flipped last bit must not pass unnoticed. */
const strictBase64Url = (text: string): Uint8Array | undefined => {
  const bytes = Buffer.from(text, "base64url")
  return bytes.toString("base64url") === text ? bytes : undefined
}
