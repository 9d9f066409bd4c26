import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { clientAddress, isWithin, parseNetwork } from "./client-address.ts"

const networks = (...texts: ReadonlyArray<string>) => texts.map(parseNetwork)
const proxies = networks("10.0.0.0/8", "fd00::/8")

const addressOf = (peer: string, forwardedFor?: string, trustedProxies = proxies) =>
  clientAddress({ peer, forwardedFor, trustedProxies })

describe("the client address (spec 10.1)", () => {
  it("is the peer if nothing is forwarded", () => {
    expect(addressOf("10.0.0.1")).toBe("10.0.0.1")
    expect(addressOf("203.0.113.9")).toBe("203.0.113.9")
  })

  it("is the peer, whatever an untrusted peer forwards", () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6(), fc.string()), (forwardedFor) => {
        expect(addressOf("203.0.113.9", forwardedFor)).toBe("203.0.113.9")
        expect(addressOf("10.0.0.1", forwardedFor, [])).toBe("10.0.0.1")
      }),
    )
  })

  it("is the address that a trusted proxy forwards", () => {
    expect(addressOf("10.0.0.1", "203.0.113.9")).toBe("203.0.113.9")
    expect(addressOf("fd00::1", "2001:db8::9")).toBe("2001:db8::9")
  })

  it("is the right-most hop that is not a trusted proxy, so a client's own value does not count", () => {
    expect(addressOf("10.0.0.1", "1.2.3.4, 203.0.113.9")).toBe("203.0.113.9")
    expect(addressOf("10.0.0.1", "1.2.3.4,203.0.113.9 , 10.2.0.7")).toBe("203.0.113.9")
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.ipV4(), fc.string())), (spoofed) => {
        const forwardedFor = [...spoofed, "203.0.113.9", "10.2.0.7"].join(",")
        expect(addressOf("10.0.0.1", forwardedFor)).toBe("203.0.113.9")
      }),
    )
  })

  it("is the first hop if every hop is a trusted proxy", () => {
    expect(addressOf("10.0.0.1", "10.0.0.3, 10.0.0.2")).toBe("10.0.0.3")
  })

  it("is the last readable hop if the next one is not an address", () => {
    expect(addressOf("10.0.0.1", "unknown")).toBe("10.0.0.1")
    expect(addressOf("10.0.0.1", "203.0.113.9, _hidden, 10.0.0.2")).toBe("10.0.0.2")
    expect(addressOf("10.0.0.1", "")).toBe("10.0.0.1")
  })

  it("is never read from forms that programs interpret differently: octal, hexadecimal, fewer parts", () => {
    for (const hop of ["010.0.0.9", "0x0a.0.0.9", "10.9", "167772169"]) {
      expect(addressOf("10.0.0.1", `203.0.113.9, ${hop}`), hop).toBe("10.0.0.1")
    }
  })

  it("is read from a hop with a port, and returned without it", () => {
    expect(addressOf("10.0.0.1", "203.0.113.9:5678")).toBe("203.0.113.9")
    expect(addressOf("10.0.0.1", "[2001:db8::1]:443")).toBe("2001:db8::1")
    expect(addressOf("10.0.0.1", "[2001:db8::1]")).toBe("2001:db8::1")
    expect(addressOf("10.0.0.1", "1.2.3.4, 203.0.113.9:5678, 10.0.0.2:80")).toBe("203.0.113.9")
    for (const hop of ["203.0.113.9:", "203.0.113.9:123456", "[2001:db8::1]x", "[]:80"]) {
      expect(addressOf("10.0.0.1", hop), hop).toBe("10.0.0.1")
    }
  })

  it("of a peer in IPv4-mapped form is trusted like the IPv4 address", () => {
    expect(addressOf("::ffff:10.0.0.1", "203.0.113.9")).toBe("203.0.113.9")
    expect(addressOf("10.0.0.1", "203.0.113.9, ::ffff:10.0.0.2")).toBe("203.0.113.9")
    expect(addressOf("::ffff:203.0.113.7", "1.2.3.4")).toBe("::ffff:203.0.113.7")
  })
})

describe("a network", () => {
  it("without a length is a single address", () => {
    expect(isWithin("10.0.0.1", networks("10.0.0.1"))).toBe(true)
    expect(isWithin("10.0.0.2", networks("10.0.0.1"))).toBe(false)
    expect(isWithin("fd00::1", networks("fd00::1"))).toBe(true)
    expect(isWithin("fd00::2", networks("fd00::1"))).toBe(false)
  })

  it("ends at its length", () => {
    expect(isWithin("10.0.1.255", networks("10.0.0.0/23"))).toBe(true)
    expect(isWithin("10.0.2.0", networks("10.0.0.0/23"))).toBe(false)
  })

  it("contains no address of the other family and no invalid address", () => {
    expect(isWithin("10.0.0.1", networks("::/0"))).toBe(false)
    expect(isWithin("fd00::1", networks("0.0.0.0/0"))).toBe(false)
    expect(isWithin("unknown", networks("0.0.0.0/0", "::/0"))).toBe(false)
  })

  it("throws if it is unreadable", () => {
    for (const text of [
      "10.0.0.0/33",
      "10.0.0.0/-1",
      "10.0.0.0/08",
      "10.0.0.0/",
      "10.0.0.0/8/8",
      "10/8",
      "10.0.0",
      "010.0.0.1",
      "0x0a.0.0.1",
      "fd00::/129",
      "fe80::1%eth0",
      "fe80::1%eth0/64",
      "proxy",
      "",
    ]) {
      expect(() => parseNetwork(text)).toThrow()
    }
  })
})
