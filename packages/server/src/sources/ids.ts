// Ids of the tracking contract as Footfall has them: any text becomes the uuid of a browser (spec 15.2.4). The
// hash is keyed: a user id may be an address, and an unkeyed hash of one is found by trying them.
import { hash } from "node:crypto"
import { isUuid } from "../visits/batch.ts"

/** Of an anonymous id: a uuid is itself, every other text its keyed hash under the pixel. */
export const browserIdOf = (pixelId: string, text: string, key: string): string =>
  isUuid(text) ? text.toLowerCase() : hashedId(`${key} ${pixelId} ${text}`)

/** Of a user id, which no anonymous id is the same as: browsers choose theirs, and could speak for any user. */
export const userBrowserIdOf = (pixelId: string, text: string, key: string): string =>
  hashedId(`user ${key} ${pixelId} ${text}`)

/** The id of an event: a repeat of a message has the same. */ // spec 15.2.3
export const eventIdOf = (messageId: string): string =>
  isUuid(messageId) ? messageId.toLowerCase() : hashedId(messageId)

/** A uuid of version 8 (RFC 9562). */
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
