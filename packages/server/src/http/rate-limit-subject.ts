// Whom a limit per address counts: an IPv4 address, or the /64 that one IPv6 customer is given, so
// that changing addresses inside it escapes nothing (decisions.md 10.1).
import { type Address, networkOf } from "./address.ts"

export const rateSubject = (address: Address): string =>
  address.kind() === "ipv4" ? address.toString() : networkOf(address, 64)
