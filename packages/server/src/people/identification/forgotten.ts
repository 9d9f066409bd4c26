// Removes erased people from a batch before anything is derived from it, so a later hit does not bring anyone back
// (spec 2.1, 5.1). What remains of such an event is anonymous. Pure.
import type { AddressKey } from "../person/tombstones/tombstones.ts"
import { otherHashOf } from "../../collect/visits/email-address.ts"
import { introducedHash, type WaitingEvent } from "./batch-work.ts"

/** The address an event identifies someone by, in both spellings if it is international; none if it names no one. */
export const introducedKeys = (event: WaitingEvent): ReadonlyArray<AddressKey> => {
  const { organizationId, payload } = event
  const emailHash = introducedHash(event)
  if (emailHash === undefined) return []
  const other = payload.e === undefined ? undefined : otherHashOf(payload.e)
  return [emailHash, ...(other === undefined ? [] : [other])].map((hash) => ({
    organizationId,
    emailHash: hash,
  }))
}

/** The events to process, and the sequence numbers of those that were changed. */
export const withoutErased = (
  events: ReadonlyArray<WaitingEvent>,
  erased: ReadonlyArray<AddressKey>,
): { readonly events: ReadonlyArray<WaitingEvent>; readonly forgotten: ReadonlyArray<bigint> } => {
  const keys = new Set(erased.map(textOf))
  const isErased = (event: WaitingEvent) =>
    introducedKeys(event).some((address) => keys.has(textOf(address)))
  return {
    events: events.map((event) => (isErased(event) ? anonymous(event) : event)),
    forgotten: events.filter(isErased).map(({ sequence }) => sequence),
  }
}

const anonymous = (event: WaitingEvent): WaitingEvent => {
  const { e: _email, h: _hash, p: _traits, ...payload } = event.payload
  return { ...event, payload: { ...payload, x: 1 } }
}

const textOf = ({ emailHash, organizationId }: AddressKey): string =>
  `${organizationId} ${emailHash}`
