// Parses IP addresses and reduces them to their network. IPv4-mapped IPv6 counts as IPv4.
import { Context } from "effect"
import ipaddr from "ipaddr.js"

export type Address = ipaddr.IPv4 | ipaddr.IPv6

/** The parsed address, or undefined if the text is not an address. */
export const readAddress = (text: string): Address | undefined =>
  ipaddr.isValid(text) ? ipaddr.process(text) : undefined

/** The first address of the network that contains the address, with this prefix length. */
export const networkOf = (address: Address, bits: number): string => {
  const bytes = address.toByteArray().map((byte, place) => {
    const kept = Math.min(8, Math.max(0, bits - place * 8))
    return byte & (0xff << (8 - kept))
  })
  return ipaddr.fromByteArray(bytes).toString()
}

/** `STORE_IP`: how much of an address may be stored. */ // spec 1.2
export const StoreIp = Context.Reference<"truncated" | "full">("@footfall/server/http/StoreIp", {
  defaultValue: () => "truncated",
})

/** An IPv4 /24 or an IPv6 /48. */ // spec 1.2
export const truncateAddress = (address: Address): string =>
  networkOf(address, address.kind() === "ipv4" ? 24 : 48)
