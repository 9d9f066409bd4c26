// Checks the form of an address that a customer typed: when it is stored, before every request, and after every
// redirect. Literal addresses are judged here; the addresses of a hostname are judged when it is dialed (connector.ts).
// Addresses are parsed once, by the rules of browsers, so every spelling of an address is the same address.
import { Result } from "effect"
import ipaddr from "ipaddr.js"
import { UrlNotAllowed } from "./outbound-error.ts"

/** Units: Unicode code points. */ // spec 1.9
export const urlLengthMax = 2048

export interface UrlRules {
  /** Allows `http:` as well as `https:`: for pages we read, never for webhooks. */
  readonly isPlainAllowed: boolean
  /** `ALLOW_PRIVATE_WEBHOOKS`: allows any address, and `http:`. Changes nothing else. */ // spec 1.9.8
  readonly isPrivateAllowed: boolean
}

/** The parsed address, or why it is rejected. */
export const readOutboundUrl = (
  text: string,
  { isPlainAllowed, isPrivateAllowed }: UrlRules,
): Result.Result<URL, UrlNotAllowed> => {
  const refused = (reason: UrlNotAllowed["reason"]) => Result.fail(new UrlNotAllowed({ reason }))
  if (isTooLong(text)) return refused("too_long")
  if (!URL.canParse(text)) return refused("malformed")
  const url = new URL(text)
  // A reserved port that cannot be connected to.
  if (url.port === "0") return refused("malformed")
  const isPlain = url.protocol === "http:" && (isPlainAllowed || isPrivateAllowed)
  if (url.protocol !== "https:" && !isPlain) return refused("scheme")
  if (url.username !== "" || url.password !== "") return refused("user_info")
  const literal = literalAddress(url.hostname)
  return literal !== undefined && !isPrivateAllowed && !isPublicAddress(literal)
    ? refused("address")
    : Result.succeed(url)
}

/** A text of n code points has n to 2n code units, so only lengths in between need counting. */
const isTooLong = (text: string): boolean =>
  text.length > urlLengthMax && (text.length > 2 * urlLengthMax || [...text].length > urlLengthMax)

/** The address, if the host is a literal one. `host` is canonical, as in a parsed URL. */
export const literalAddress = (host: string): string | undefined => {
  if (host.startsWith("[")) return host.slice(1, -1)
  return /^[\d.]+$/.test(host) || host.includes(":") ? host : undefined
}

// Whether an address may be dialed on behalf of a customer: only if the whole internet could reach it. An address that
// carries another one (IPv4-mapped, NAT64) is judged by that one; deprecated carriers (IPv4-compatible, 6to4, Teredo)
// are always rejected. So is everything unknown. Source: spec 1.9 and IANA's special-purpose registries.

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

/** Whether two texts name the same address. An unreadable text names none. */
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
