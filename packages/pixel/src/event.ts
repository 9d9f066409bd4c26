/**
 * One event as it travels (spec 6.3). The id makes a repeat harmless; the time is the
 * browser's, which the server corrects by `sentAt` of the batch.
 */
import { pageAddress } from "./page-address.ts"
import { newUuid } from "./uuid.ts"

export interface PixelEvent {
  [field: string]: unknown
}

export const timestamp = (): string => new Date().toISOString()

export const newEvent = (type: string, fields: object): PixelEvent =>
  // own keys: the fields are of ours.
  Object.assign({ id: newUuid(), type, time: timestamp(), url: pageAddress() }, fields)
