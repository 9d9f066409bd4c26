// A visitor's network address: the part that is stored and counted, and whether an excluded network contains it. Recent
// addresses are cached as parsed: a browser sends several batches, and behind a proxy all requests of a connection
// share a peer.
import ipaddr from "ipaddr.js"
import { type Address, readAddress, truncateAddress } from "../../platform/http/address.ts"
import { rateSubject } from "../../platform/http/rate-limit.ts"

export interface VisitorAddress {
  readonly address: Address
  readonly full: string
  /** The form that is stored unless STORE_IP is `full`. */
  readonly truncated: string
  /** The key of the rate limit. */
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

/** Invalid networks are ignored; they were rejected when they were saved. */
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
