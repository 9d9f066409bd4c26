// Maps ids of the tracking contract to ours: any text becomes a browser's UUID (spec 15.2.4). The hash is keyed,
// because a user id may be an address, and an unkeyed hash of an address can be guessed.
import { hash } from "node:crypto"
import { isUuid } from "../visits/batch.ts"

/** For an anonymous id: a UUID stays itself, any other text becomes its keyed hash under the pixel. */
export const browserIdOf = (pixelId: string, text: string, key: string): string =>
  isUuid(text) ? text.toLowerCase() : hashedId(`${key} ${pixelId} ${text}`)

/** For a user id. Never equals an anonymous id's result: browsers choose theirs and could impersonate any user. */
export const userBrowserIdOf = (pixelId: string, text: string, key: string): string =>
  hashedId(`user ${key} ${pixelId} ${text}`)

/** The id of an event. Repeats of a message get the same id. */ // spec 15.2.3
export const eventIdOf = (messageId: string): string =>
  isUuid(messageId) ? messageId.toLowerCase() : hashedId(messageId)

/** A version 8 UUID (RFC 9562). */
const hashedId = (text: string): string => {
  const hex = hash("sha256", text)
  const variant = (0x8 | (Number.parseInt(hex[16]!, 16) & 0x3)).toString(16)
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ]
  return parts.join("-")
}
