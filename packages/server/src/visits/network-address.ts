// A visitor's network address: what of it is stored, and whether a network the organization excluded
// holds it.
import ipaddr from "ipaddr.js"
import { type Address, networkOf, readAddress } from "../http/address.ts"

/** The network that is stored: /24 of IPv4, /48 of IPv6. Source: decisions.md 1.2, STORE_IP. */
export const truncateAddress = (address: Address): string =>
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
