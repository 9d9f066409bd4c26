// Whether an address may be dialed on behalf of a customer: only if the whole internet could reach it. An address that
// contains another one (IPv4-mapped, NAT64) is judged by that one; deprecated forms of this (IPv4-compatible, 6to4,
// Teredo) are always rejected, and so is everything unknown. Source: spec 1.9 and IANA's special-purpose registries.
import ipaddr from "ipaddr.js"

/** IPv6 global unicast; the library knows the special ranges inside it. */
const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3")
/** DNS64 in a network without IPv4 returns these for every host that only has IPv4. RFC 6052. */
const nat64 = ipaddr.IPv6.parseCIDR("64:ff9b::/96")
/** Cloud metadata services on an address that looks public: Azure's wire server. */
const metadata = [ipaddr.IPv4.parseCIDR("168.63.129.16/32")]

/** `text`: a canonical address, as from a resolver or a parsed URL. */
export const isPublicAddress = (text: string): boolean => {
  const address = parse(text)
  if (address === undefined) return false
  const judged = carriedBy(address)
  if (judged.range() !== "unicast") return false
  return judged instanceof ipaddr.IPv4
    ? !metadata.some((network) => judged.match(network))
    : judged.match(globalUnicast)
}

/** Whether two texts are the same address. Unreadable text equals none. */
export const isSameAddress = (one: string, other: string): boolean => {
  const address = parse(one)
  return address !== undefined && address.toString() === parse(other)?.toString()
}

/** Only four decimal parts: other programs read the library's other IPv4 spellings differently. */
const parse = (text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined =>
  ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text)
    ? ipaddr.process(text)
    : undefined

const carriedBy = (address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | ipaddr.IPv6 =>
  address instanceof ipaddr.IPv6 && address.match(nat64)
    ? new ipaddr.IPv4(address.toByteArray().slice(12))
    : address
