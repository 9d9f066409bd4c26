// The special ranges of IPv4 and IPv6, and every way to spell their addresses in a URL, for the tests of the guard
// (spec 1.9.3).
import ipaddr from "ipaddr.js"

/** IANA's special-purpose registry of IPv4, multicast, and the metadata address of a cloud. */
export const refusedIpv4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "168.63.129.16/32",
  "169.254.0.0/16",
  "169.254.169.254/32",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.31.196.0/24",
  "192.52.193.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "192.175.48.0/24",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
  "255.255.255.255/32",
] as const

/** IANA's special-purpose registry of IPv6, and everything else that is not global unicast. */
export const refusedIpv6 = [
  "::/128",
  "::1/128",
  "::/96",
  "::ffff:0:0:0/96",
  "64:ff9b:1::/48",
  "100::/64",
  "100:0:0:1::/64",
  "400::/6",
  "1000::/4",
  "2001::/32",
  "2001:1::1/128",
  "2001:2::/48",
  "2001:3::/32",
  "2001:4:112::/48",
  "2001:10::/28",
  "2001:20::/28",
  "2001:30::/28",
  "2001:db8::/32",
  "2002::/16",
  "2620:4f:8000::/48",
  "3fff::/20",
  "4000::/3",
  "5f00::/16",
  "8000::/1",
  "fc00::/7",
  "fd00:ec2::254/128",
  "fe80::/10",
  "fec0::/10",
  "ff00::/8",
] as const

/** The first, the second, a middle and the last address of a network, as bytes. */
export const samples = (network: string): ReadonlyArray<ReadonlyArray<number>> => {
  const [base, bits] = ipaddr.parseCIDR(network)
  const first = base.toByteArray()
  const filled = (fill: (byte: number, place: number) => number) =>
    first.map((byte, place) => {
      const host = 0xff >> Math.min(8, Math.max(0, bits - place * 8))
      return (byte & ~host & 0xff) | (fill(byte, place) & host)
    })
  const last = first.length - 1
  const all = [
    first,
    filled((byte, place) => (place === last ? byte | 1 : byte)),
    filled(() => 0x5a),
    filled(() => 0xff),
  ]
  return [...new Map(all.map((bytes) => [bytes.join(), bytes])).values()]
}

const hex = (value: number, width = 0) => value.toString(16).padStart(width, "0")
const pairs = (bytes: ReadonlyArray<number>) =>
  `${hex(bytes[0]! * 256 + bytes[1]!)}:${hex(bytes[2]! * 256 + bytes[3]!)}`

/** URL hosts that all mean this IPv4 address, or an IPv6 address that contains it. */
export const ipv4Spellings = (bytes: ReadonlyArray<number>): ReadonlyArray<string> => {
  const [a = 0, b = 0, c = 0, d = 0] = bytes
  const dotted = bytes.join(".")
  const word = a * 2 ** 24 + b * 2 ** 16 + c * 2 ** 8 + d
  return [
    dotted,
    `${dotted}.`,
    String(word),
    `0x${hex(word)}`,
    `0${word.toString(8)}`,
    bytes.map((byte) => `0x${hex(byte)}`).join("."),
    bytes.map((byte) => `0${byte.toString(8)}`).join("."),
    `${a}.${b * 2 ** 16 + c * 2 ** 8 + d}`,
    `${a}.${b}.${c * 2 ** 8 + d}`,
    dotted.replaceAll(".", "。"),
    dotted.replaceAll(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
    dotted.replaceAll(/\d/g, (digit) => `%3${digit}`),
    `[::ffff:${dotted}]`,
    `[::ffff:${pairs(bytes)}]`,
    `[0:0:0:0:0:FFFF:${pairs(bytes).toUpperCase()}]`,
    `[::${dotted}]`,
    `[64:ff9b::${dotted}]`,
    `[64:ff9b::${pairs(bytes)}]`,
    `[2002:${pairs(bytes)}::1]`,
    `[2001:0:4136:e378:8000:63bf:${pairs(bytes.map((byte) => 255 - byte))}]`,
    `[::ffff:0:${pairs(bytes)}]`,
  ]
}

/** URL hosts that all mean this IPv6 address. */
export const ipv6Spellings = (bytes: ReadonlyArray<number>): ReadonlyArray<string> => {
  const address = ipaddr.fromByteArray([...bytes])
  return [
    `[${address.toString()}]`,
    `[${address.toNormalizedString()}]`,
    `[${address.toNormalizedString().toUpperCase()}]`,
  ]
}
