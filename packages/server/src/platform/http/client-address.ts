// The client's address: the peer, or, behind trusted proxies, the right-most forwarded address that is not a trusted
// proxy (spec 10.1). Forwarded headers from anyone else are ignored, so they can't be used to escape a rate limit.
import ipaddr from "ipaddr.js"

type Address = ReturnType<typeof ipaddr.process>
export type Network = ReturnType<typeof ipaddr.parseCIDR>

/** Throws if the text is not a network. */
export const parseNetwork = (text: string): Network => {
  const [address = "", bits, ...rest] = text.split("/")
  // A zone, as in fe80::1%eth0, is lost when addresses are compared: the network would be larger than it says.
  const isNetwork =
    isAddress(address) &&
    !address.includes("%") &&
    (bits === undefined || /^(?:0|[1-9]\d{0,2})$/.test(bits))
  if (!isNetwork || rest.length > 0)
    throw new TypeError("Expected a network such as 203.0.113.0/24.")
  return ipaddr.parseCIDR(bits === undefined ? `${text}/${address.includes(":") ? 128 : 32}` : text)
}

/** The network's first address and its length. `::ffff:10.0.0.0/104` is 10.0.0.0/8, because addresses are read so too. */
export const canonicalNetwork = ([address, bits]: Network): string => {
  const isMapped = address.kind() === "ipv6" && (address as ipaddr.IPv6).isIPv4MappedAddress()
  if (isMapped && bits >= 96) {
    return canonicalNetwork([(address as ipaddr.IPv6).toIPv4Address(), bits - 96])
  }
  const text = `${address.toString()}/${bits}`
  const first =
    address.kind() === "ipv4"
      ? ipaddr.IPv4.networkAddressFromCIDR(text)
      : ipaddr.IPv6.networkAddressFromCIDR(text)
  return `${first.toString()}/${bits}`
}

export const clientAddress = (options: {
  readonly peer: string
  readonly forwardedFor: string | undefined
  readonly trustedProxies: ReadonlyArray<Network>
}): string => {
  const { forwardedFor, peer, trustedProxies } = options
  if (forwardedFor === undefined || !isWithin(peer, trustedProxies)) return peer
  const hops = forwardedFor.split(",").map((hop) => withoutPort(hop.trim()))
  let address = peer
  for (const hop of hops.toReversed()) {
    if (parse(hop) === undefined) return address
    address = hop
    if (!isWithin(hop, trustedProxies)) return address
  }
  return address
}

/** Some proxies include their peer's port: `192.0.2.1:5678`, `[2001:db8::1]:443`. */
const withoutPort = (hop: string): string =>
  /^\[(?<v6>[^\]]*)\](?::\d{1,5})?$/.exec(hop)?.groups?.["v6"] ??
  /^(?<v4>[\d.]+):\d{1,5}$/.exec(hop)?.groups?.["v4"] ??
  hop

/** Whether the address is in one of the networks; an unreadable address is in none. */
export const isWithin = (text: string, networks: ReadonlyArray<Network>): boolean => {
  const address = parse(text)
  return (
    address !== undefined &&
    networks.some(
      ([network, bits]) => network.kind() === address.kind() && address.match(network, bits),
    )
  )
}

/** `::ffff:10.0.0.1` counts as 10.0.0.1, because dual-stack sockets report IPv4 peers that way. */
const parse = (text: string): Address | undefined =>
  isAddress(text) ? ipaddr.process(text) : undefined

/** The library also accepts `10.1`, `0x0a.1` and octal `012.0.0.1`, which other programs read differently. */
const isAddress = (text: string): boolean =>
  ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text)
