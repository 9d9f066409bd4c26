// The id of a session on the wire: a truncated HMAC of its canonical key, so that it can't be traced back to its browser
// (spec 2.2).
import { createHmac, type KeyObject } from "node:crypto"
import type { Secrets } from "../../../platform/secrets/secrets.ts"

/** A session in the database. */
export interface SessionRef {
  readonly id: string
  readonly pixelId: string
}

const idBytes = 16

const signed = (key: KeyObject, { id, pixelId }: SessionRef): string =>
  createHmac("sha256", key).update(`${pixelId}:${id}`).digest().toString("hex", 0, idBytes)

export const sessionIdOf = (session: SessionRef, secrets: Secrets["Service"]): string =>
  signed(secrets.keys("session-id")[0]!, session)

/** Finds the session of an id. An id that was given out before FOOTFALL_SECRET was replaced still leads to it. */
export const sessionWithId = <Session extends SessionRef>(
  sessionId: string,
  sessions: ReadonlyArray<Session>,
  secrets: Secrets["Service"],
): Session | undefined => {
  const keys = secrets.keys("session-id")
  return sessions.find((session) => keys.some((key) => signed(key, session) === sessionId))
}
