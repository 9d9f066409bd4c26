// The form of an outbound address, checked when it is stored (spec 1.9).
import fc from "fast-check"
import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { readOutboundUrl, urlLengthMax } from "../../src/platform/outbound/outbound-url.ts"
import { isPublicAddress, isSameAddress } from "../../src/platform/outbound/public-address.ts"
import { ipv4Spellings, ipv6Spellings, refusedIpv4, refusedIpv6, samples } from "./addresses.ts"

const webhook = { isPlainAllowed: false, isPrivateAllowed: false }
const page = { isPlainAllowed: true, isPrivateAllowed: false }
const development = { isPlainAllowed: false, isPrivateAllowed: true }

/** The reason for rejection, or the accepted address. */
const reading = (text: string, rules: Parameters<typeof readOutboundUrl>[1]) =>
  Result.match(readOutboundUrl(text, rules), {
    onSuccess: ({ href }) => href,
    onFailure: ({ reason }) => reason,
  })

describe("scheme", () => {
  it.each([
    ["https://hooks.tidewater.example/footfall", "allowed", "allowed", "allowed"],
    ["HTTPS://hooks.tidewater.example/footfall", "allowed", "allowed", "allowed"],
    ["http://hooks.tidewater.example/footfall", "scheme", "allowed", "allowed"],
    ["ftp://hooks.tidewater.example/footfall", "scheme", "scheme", "scheme"],
    ["file:///etc/passwd", "scheme", "scheme", "scheme"],
    ["data:text/html,hello", "scheme", "scheme", "scheme"],
    ["javascript:alert(1)", "scheme", "scheme", "scheme"],
    ["gopher://127.0.0.1:6379/_x", "scheme", "scheme", "scheme"],
    ["ws://hooks.tidewater.example/", "scheme", "scheme", "scheme"],
    ["unix:/var/run/docker.sock", "scheme", "scheme", "scheme"],
  ])("%s: webhook %s, page %s, development %s", (url, ...expected) => {
    const results = [webhook, page, development].map((rules) => reading(url, rules))

    expect(results.map((result) => (result.includes(":") ? "allowed" : result))).toEqual(expected)
  })
})

describe("form", () => {
  it.each([
    "https://user@hooks.tidewater.example/",
    "https://user:password@hooks.tidewater.example/",
    "https://:password@hooks.tidewater.example/",
    "https://hooks.tidewater.example%40@127.0.0.1/",
  ])("a user name or password is rejected in every mode: %s", (url) => {
    expect([webhook, page, development].map((rules) => reading(url, rules))).toEqual(
      Array.from({ length: 3 }, () => "user_info"),
    )
  })

  it("at most 2048 characters, counted in code points", () => {
    const url = (length: number, fill: string) => {
      const start = "https://hooks.tidewater.example/"
      return start + fill.repeat(length - start.length)
    }

    expect(urlLengthMax).toBe(2048)
    for (const fill of ["a", "💧"]) {
      expect(reading(url(2047, fill), webhook)).toMatch(/^https:/)
      expect(reading(url(2048, fill), webhook)).toMatch(/^https:/)
      expect(reading(url(2049, fill), webhook)).toBe("too_long")
      expect(reading(url(2049, fill), development)).toBe("too_long")
    }
    expect(reading(url(1_000_000, "a"), webhook)).toBe("too_long")
  })

  it.each([
    "",
    "hooks.tidewater.example",
    "https://",
    "https://[::1",
    "https://1.2.3.256/",
    "https://[fe80::1%25eth0]/",
    "https://[%3a:1]/",
  ])("%j is not an address", (url) => {
    expect(reading(url, development)).toBe("malformed")
  })
})

const spelled = [
  ...refusedIpv4.flatMap((range) => samples(range).flatMap(ipv4Spellings)),
  ...refusedIpv6.flatMap((range) => samples(range).flatMap(ipv6Spellings)),
]

describe("literal addresses", () => {
  it("in every special range, in every spelling, are rejected", () => {
    const taken = spelled.filter((host) => reading(`https://${host}/`, webhook) !== "address")

    expect(spelled.length).toBeGreaterThan(864)
    expect(taken).toEqual([])
  })

  it("are all allowed with ALLOW_PRIVATE_WEBHOOKS", () => {
    const refused = spelled.filter((host) => !reading(`http://${host}/`, development).includes(":"))

    expect(refused).toEqual([])
  })

  it.each([
    "8.8.8.8",
    "1.1.1.1",
    "9.255.255.255",
    "11.0.0.0",
    "100.63.255.255",
    "100.128.0.0",
    "126.255.255.255",
    "128.0.0.0",
    "168.63.129.15",
    "169.253.255.255",
    "172.15.255.255",
    "172.32.0.0",
    "192.0.1.0",
    "192.167.255.255",
    "198.17.255.255",
    "198.20.0.0",
    "223.255.255.255",
    "[2000::]",
    "[2606:4700::1111]",
    "[2001:200::1]",
    "[2003::1]",
    "[3ffe:ffff::1]",
    "[::ffff:8.8.8.8]",
    "[64:ff9b::8.8.8.8]",
  ])("%s next to them is allowed", (host) => {
    expect(reading(`https://${host}/`, webhook)).toMatch(/^https:/)
  })

  it("names are not judged before they are dialed", () => {
    for (const name of [
      "localhost",
      "localhost.",
      "metadata.google.internal",
      "127.0.0.1.nip.io",
    ]) {
      expect(reading(`https://${name}/`, webhook)).toBe(`https://${name}/`)
    }
  })

  it("are judged the same however a URL spells them, for any address", () => {
    const bytes = fc.array(fc.nat(255), { minLength: 4, maxLength: 4 })
    fc.assert(
      fc.property(bytes, (address) => {
        const isPublic = isPublicAddress(address.join("."))
        const plain = ipv4Spellings(address).slice(0, 12)
        const verdicts = plain.map((host) => reading(`https://${host}/`, webhook))
        expect(new Set(verdicts).size).toBe(1)
        expect(verdicts[0] === "address").toBe(!isPublic)
      }),
      { numRuns: 2000 },
    )
  })
})

describe("an address from a resolver", () => {
  it.each(["", "localhost", "10.1", "0x7f000001", "127.1", "fe80::1%eth0", "1.2.3.4/32"])(
    "that is unreadable or incomplete is not public: %j",
    (text) => {
      expect(isPublicAddress(text)).toBe(false)
    },
  )

  it("equals another spelling of itself, and an unreadable one equals none", () => {
    expect(isSameAddress("::ffff:127.0.0.1", "127.0.0.1")).toBe(true)
    expect(isSameAddress("2606:4700:0::1111", "2606:4700::1111")).toBe(true)
    expect(isSameAddress("127.0.0.1", "127.0.0.2")).toBe(false)
    expect(isSameAddress("", "")).toBe(false)
  })
})

it.each(["010.8.8.8", "0x8.8.8.8", "8.8.2056", "134744072"])(
  "%s is not an address, because programs read it differently",
  (text) => {
    expect(isPublicAddress(text)).toBe(false)
    expect(isSameAddress(text, "8.8.8.8")).toBe(false)
  },
)
