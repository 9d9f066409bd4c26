// A visitor's network address: what of it is stored, what is counted for the rate, and whether a
// network the organization excluded holds it. IPv4 written as IPv6 is IPv4.
import ipaddr from "ipaddr.js"

type Address = ipaddr.IPv4 | ipaddr.IPv6

/** The parsed address, or undefined when the text is none. */
export const readAddress = (text: string): Address | undefined =>
  ipaddr.isValid(text) ? ipaddr.process(text) : undefined

/** The network that is stored: /24 of IPv4, /48 of IPv6. Source: decisions.md 1.2, STORE_IP. */
export const truncateAddress = (address: Address): string =>
  network(address, address.kind() === "ipv4" ? 24 : 48)

/** The subject of the rate limit: an IPv4 address, or the /64 one IPv6 customer is given. */
export const rateSubject = (address: Address): string =>
  address.kind() === "ipv4" ? address.toString() : network(address, 64)

/** Entries that are no network are ignored: they were refused when they were written. */
export const isExcluded = (address: Address, networks: ReadonlyArray<string>): boolean =>
  networks.length > 0 &&
  parsed(networks).some(
    ([base, bits]) => base.kind() === address.kind() && address.match(base, bits),
  )

const network = (address: Address, bits: number): string => {
  const bytes = address.toByteArray().map((byte, place) => {
    const kept = Math.min(8, Math.max(0, bits - place * 8))
    return byte & (0xff << (8 - kept))
  })
  return ipaddr.fromByteArray(bytes).toString()
}

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
