// A visitor's network address: what of it is stored and counted, and whether a network the organization
// excluded holds it. The last addresses are remembered as they were read: a browser sends several
// batches, and behind a proxy every request of a connection has the same peer.
import ipaddr from "ipaddr.js"
import { type Address, networkOf, readAddress } from "../http/address.ts"
import { rateSubject } from "../http/rate-limit.ts"

export interface VisitorAddress {
  readonly address: Address
  readonly full: string
  /** As it is stored unless STORE_IP is `full`. */
  readonly truncated: string
  /** Whom the rate limit counts. */
  readonly subject: string
}

const rememberedMax = 1_000
const remembered = new Map<string, VisitorAddress>()

/** Undefined if the text is not an address. */
export const readVisitorAddress = (text: string): VisitorAddress | undefined => {
  const known = remembered.get(text)
  if (known !== undefined) return known
  const address = readAddress(text)
  if (address === undefined) return undefined
  const read = {
    address,
    full: address.toString(),
    truncated: truncateAddress(address),
    subject: rateSubject(address),
  }
  if (remembered.size >= rememberedMax) remembered.clear()
  remembered.set(text, read)
  return read
}

/** The network that is stored: /24 of IPv4, /48 of IPv6. Source: spec 1.2, STORE_IP. */
const truncateAddress = (address: Address): string =>
  networkOf(address, address.kind() === "ipv4" ? 24 : 48)

/** Entries that are no network are ignored: they were refused when they were written. */
export const isExcluded = (address: Address, networks: ReadonlyArray<string>): boolean =>
  networks.length > 0 &&
  parsed(networks).some(
    ([base, bits]) => base.kind() === address.kind() && address.match(base, bits),
  )

const parsedNetworks = new WeakMap<ReadonlyArray<string>, ReadonlyArray<[Address, number]>>()

const parsed = (networks: ReadonlyArray<string>): ReadonlyArray<[Address, number]> => {
  const known = parsedNetworks.get(networks)
  if (known !== undefined) return known
  const ranges = networks.flatMap((entry): Array<[Address, number]> => {
    if (ipaddr.isValidCIDR(entry)) return [ipaddr.parseCIDR(entry)]
    const address = readAddress(entry)
    return address === undefined ? [] : [[address, address.kind() === "ipv4" ? 32 : 128]]
  })
  parsedNetworks.set(networks, ranges)
  return ranges
}
