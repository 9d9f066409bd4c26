/**
 * One event as it is sent (spec 6.3). The id makes duplicates harmless. The time is the browser's, and the server
 * corrects it with the batch's `sentAt`.
 */
import { pageAddress } from "./page-address.ts"
import { newUuid } from "./uuid.ts"

export interface PixelEvent {
  [field: string]: unknown
}

export const newEvent = (type: string, fields: object): PixelEvent =>
  // own keys: the fields are our own.
  Object.assign({ id: newUuid(), type, time: new Date().toISOString(), url: pageAddress() }, fields)
