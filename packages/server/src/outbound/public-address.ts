// Whether an address may be dialled on behalf of a customer: only where the whole internet could reach
// it. What carries another address (IPv4-mapped, NAT64) is judged by what it carries; the deprecated
// carriers (IPv4-compatible, 6to4, Teredo) are refused whatever is inside. Refuses everything it does
// not know. Source: spec 1.9, the special-purpose registries of IANA.
import ipaddr from "ipaddr.js"

/** All of IPv6 that is global unicast; the library knows the special ranges inside it. */
const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3")
/** The DNS64 of a network without IPv4 gives these for every host that has IPv4 alone. RFC 6052. */
const nat64 = ipaddr.IPv6.parseCIDR("64:ff9b::/96")
/** Metadata and agents of a cloud's host behind an address that looks public: Azure's wire server. */
const metadata = [ipaddr.IPv4.parseCIDR("168.63.129.16/32")]

/** `text`: an address in canonical form, as a resolver or a parsed URL gives it. */
export const isPublicAddress = (text: string): boolean => {
  const address = parse(text)
  if (address === undefined) return false
  const judged = carriedBy(address)
  if (judged.range() !== "unicast") return false
  return judged instanceof ipaddr.IPv4
    ? !metadata.some((network) => judged.match(network))
    : judged.match(globalUnicast)
}

/** Whether two texts name one address; an unreadable text names none. */
export const isSameAddress = (one: string, other: string): boolean => {
  const address = parse(one)
  return address !== undefined && address.toString() === parse(other)?.toString()
}

/** IPv4 in four decimal parts only: the library's other spellings are read differently elsewhere. */
const parse = (text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined =>
  ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text)
    ? ipaddr.process(text)
    : undefined

const carriedBy = (address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | ipaddr.IPv6 =>
  address instanceof ipaddr.IPv6 && address.match(nat64)
    ? new ipaddr.IPv4(address.toByteArray().slice(12))
    : address
