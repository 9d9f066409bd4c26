// Tests that rejected addresses get no connection, by the kernel's own count in a separate network where every address
// would respond: literals in every spelling, and names that change to, mix, alias or hide a private address. Needs
// `unshare` and permission to use it: Linux.
import { spawn } from "node:child_process"
import { text } from "node:stream/consumers"
import { fileURLToPath } from "node:url"
import { beforeAll, describe, expect, it } from "vitest"
import { needs } from "../../../../scripts/test-run/programs.ts"

/** Every address leads to this machine, even public ones. */
const network = `
  ip link set lo up
  ip route add local 0.0.0.0/0 dev lo
  ip -6 route add local ::/0 dev lo
  exec "$@"`

interface Attempt {
  /** The number of requests per outcome. */
  readonly outcomes: Readonly<Record<string, number>>
  /** Connections, counted by the kernel. */
  readonly begun: number
  /** Addresses, counted by the listeners. */
  readonly reached: Readonly<Record<string, number>>
}

describe("in a network where everything answers,", needs("networks"), () => {
  let report: Readonly<Record<string, Attempt>>
  beforeAll(async () => {
    const script = fileURLToPath(new URL("sealed-network.ts", import.meta.url))
    const child = spawn("unshare", ["-rn", "sh", "-ec", network, "sh", process.execPath, script], {
      stdio: ["ignore", "pipe", "inherit"],
    })
    report = JSON.parse(await text(child.stdout)) as typeof report
  })

  it("a literal address in a special range is rejected in every spelling: 0 connections", () => {
    const { begun, outcomes, reached } = report["literals"]!

    expect(Object.keys(outcomes)).toEqual(["UrlNotAllowed"])
    expect(outcomes["UrlNotAllowed"]).toBeGreaterThan(2 * 864)
    expect(begun).toBe(0)
    expect(reached).toEqual({})
  })

  it("the listeners would have seen one: loopback, if private addresses are allowed", () => {
    const { begun, outcomes, reached } = report["allowed"]!

    expect(outcomes).toEqual({ "200": 12 })
    expect(begun).toBeGreaterThan(0)
    expect(reached).toEqual({ "::ffff:127.0.0.1": begun })
  })

  it("a public address is reached, and its connection kept", () => {
    const { begun, outcomes, reached } = report["public"]!

    expect(outcomes).toEqual({ "200": 10 })
    expect(begun).toBeLessThan(10)
    expect(reached).toEqual({ "::ffff:8.8.8.8": begun })
  })

  it("a name that becomes private and public again is rejected while private, whatever connection is open", () => {
    const { outcomes, reached } = report["turning"]!

    expect(outcomes).toEqual({ "200": 500, UrlNotAllowed: 500 })
    expect(Object.keys(reached)).toEqual(["::ffff:8.8.8.8"])
  })

  it("a name that became private is rejected from then on, and its open connection not used", () => {
    expect(report["turned"]).toEqual({
      outcomes: { "200": 1, UrlNotAllowed: 99 },
      begun: 1,
      reached: { "::ffff:8.8.8.8": 1 },
    })
  })

  it.each([
    ["a public A and a loopback AAAA", "mixed", 1000],
    ["an alias of a private name", "alias", 1000],
    ["30 addresses, one of them private", "many", 1000],
    ["a mapped loopback address", "mapped", 100],
  ])("a name with %s is rejected: 0 connections", (_, saying, tries) => {
    expect(report[saying]).toEqual({ outcomes: { UrlNotAllowed: tries }, begun: 0, reached: {} })
  })
})
