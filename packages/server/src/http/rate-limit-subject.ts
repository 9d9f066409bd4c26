// Whom a limit per address counts: an IPv4 address, or the /64 that one IPv6 customer is given, so
// that changing addresses inside it escapes nothing (spec 10.1).
import { type Address, networkOf, readAddress } from "./address.ts"
import type { DataKeys } from "./data-keys/data-keys.ts"

export const rateSubject = (address: Address): string =>
  address.kind() === "ipv4" ? address.toString() : networkOf(address, 64)

/** The same as counters hold it: a keyed hash, never an address. Unknown addresses share one count. */
export const addressSubject = (dataKeys: DataKeys["Service"], clientAddress: string): string => {
  const address = readAddress(clientAddress)
  return dataKeys
    .sign("address", address === undefined ? "unknown" : rateSubject(address))
    .toString("base64url")
}
