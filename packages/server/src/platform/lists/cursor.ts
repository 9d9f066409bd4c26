// Opaque cursors (spec 1.6): base64url(JSON) "." base64url(HMAC-SHA-256), signed with the first value of
// FOOTFALL_SECRET, accepted with any of them, valid for 24 hours. They never contain an address, a name or a URL. A
// list's cursor is bound to organization, route and filters.
import { type DateTime, Effect, Schema } from "effect"
import type { Secrets, SigningPurpose } from "../secrets/secrets.ts"

/** How long a cursor is valid. */ // spec 10.3
export const cursorLifetimeSeconds = 86_400
/** Our cursors are far shorter; longer text is not decoded. */
const cursorLengthMax = 2048

/** Members of a list cursor. */ // spec 1.6
export class ListCursor extends Schema.Opaque<ListCursor>()(
  Schema.Struct({
    /** Organization. */
    o: Schema.String,
    /** Route. */
    r: Schema.String,
    /** Hash of the scope and filters. */
    f: Schema.String,
    /** The time `asOf` that the list is read at, ISO 8601. */
    a: Schema.String,
    /** Sort key of the last row. */
    k: Schema.Array(Schema.String),
    /** Position: rows before the next page. */
    n: Schema.Int,
    /** Count of the whole list, from the first page; null when counting took too long. */
    c: Schema.NullOr(Schema.Int),
    /** A position in the write-ahead log. The next page is not read from a replica that is behind it. */ // spec 18.5.6
    l: Schema.optionalKey(Schema.String.check(Schema.isPattern(/^[0-9A-F]{1,8}\/[0-9A-F]{1,8}$/))),
    /** Expiry in Unix seconds. */
    exp: Schema.Int,
  }),
) {}

/** What a cursor must have been issued for. */
export type CursorScope = Pick<ListCursor, "o" | "r" | "f">

export class CursorRefused extends Schema.TaggedError<CursorRefused>()("CursorRefused", {
  reason: Schema.Literals(["malformed", "signature", "scope", "expired"]),
}) {}

const purpose: SigningPurpose = "cursor"

/** Encodes a cursor of any kind. Its members keep their order. */
export const encodeCursor = <Cursor extends { readonly exp: number }>(
  secrets: Secrets["Service"],
  cursor: Cursor,
): string => {
  const payload = Buffer.from(JSON.stringify(cursor)).toString("base64url")
  return `${payload}.${secrets.sign(purpose, payload).toString("base64url")}`
}

/** Expiry of a cursor issued now, in Unix seconds. */
export const cursorExpiry = (now: DateTime.Utc): number => secondsOf(now) + cursorLifetimeSeconds

/**
 * Decodes a cursor that matches the schema and passes `isInScope`. Fails with the first reason that applies: malformed,
 * signature, scope (for another kind of cursor of ours), expired, scope.
 */
export const decodeCursor = <Cursor extends { readonly exp: number }>(
  schema: Schema.Decoder<Cursor>,
) => {
  const decodePayload = Schema.decodeUnknownEffect(Schema.fromJsonString(schema))
  return Effect.fnUntraced(function* (
    secrets: Secrets["Service"],
    text: string,
    options: { readonly isInScope: (cursor: Cursor) => boolean; readonly now: DateTime.Utc },
  ) {
    const payload = yield* verifiedPayload(secrets, text)
    const cursor = yield* decodePayload(payload).pipe(
      // We signed it, so it is a cursor for another kind of list.
      Effect.mapError(() => new CursorRefused({ reason: "scope" })),
    )
    if (cursor.exp <= secondsOf(options.now)) return yield* new CursorRefused({ reason: "expired" })
    return options.isInScope(cursor) ? cursor : yield* new CursorRefused({ reason: "scope" })
  })
}

/** The JSON of a cursor with our signature. */
const verifiedPayload = Effect.fnUntraced(function* (secrets: Secrets["Service"], text: string) {
  const [payload, signature, ...rest] = text.length <= cursorLengthMax ? text.split(".") : []
  const bytes = signature === undefined ? undefined : strictBase64Url(signature)
  if (payload === undefined || bytes === undefined || rest.length > 0) {
    return yield* new CursorRefused({ reason: "malformed" })
  }
  if (!secrets.verify(purpose, payload, bytes)) {
    return yield* new CursorRefused({ reason: "signature" })
  }
  return Buffer.from(payload, "base64url").toString()
})

/** Node's decoder skips unknown characters, but a flipped last bit must be detected. */
const strictBase64Url = (text: string): Uint8Array | undefined => {
  const bytes = Buffer.from(text, "base64url")
  return bytes.toString("base64url") === text ? bytes : undefined
}

const secondsOf = (time: DateTime.Utc): number => Math.floor(time.epochMilliseconds / 1000)
