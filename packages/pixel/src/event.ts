/**
 * One event as it travels (decisions.md 6.3). The id makes a repeat harmless; the time is the
 * browser's, which the server corrects by `sentAt` of the batch.
 *
 * Promises that the fragment of an address stays in the browser, except in `hash` mode where it is
 * the path. The query travels: it holds campaign and click ids, which the server reads, then strips.
 */
import { spa } from "./settings.ts"
import { clip } from "./text.ts"
import { newUuid } from "./uuid.ts"

export interface PixelEvent {
  [field: string]: unknown
}

export const ADDRESS_LENGTH_MAX = 2048

export const timestamp = (): string => new Date().toISOString()

export const newEvent = (type: string, fields: PixelEvent): PixelEvent =>
  Object.assign(
    {
      id: newUuid(),
      type,
      time: timestamp(),
      url: clip(location.href.replace(spa === "hash" ? "" : /#.*/, ""), ADDRESS_LENGTH_MAX),
    },
    fields,
  )
