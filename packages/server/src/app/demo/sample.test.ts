// The demo's sample data: repeatable, within its 90 days, and in the form that the collect path stores.
import { DateTime } from "effect"
import { describe, expect, it } from "vitest"
import ipaddr from "ipaddr.js"
import { networkFile } from "./anonymous-visits.ts"
import { makeSample, samplePeopleCount } from "./sample.ts"

const now = DateTime.makeUnsafe("2026-03-11T09:00:00.000Z")
const options = {
  organizationId: "3a4938b4-a270-4a2a-969a-f5c8cc7f2e2f",
  pixelId: "cdd19037-47fb-4e21-a054-2da787925aea",
  origin: "http://localhost:4100",
  now,
  seed: 4100,
}
const { events, people } = makeSample(options)

describe("the sample", () => {
  it("is the same for the same seed and time, and different for another seed", () => {
    expect(makeSample(options)).toEqual({ events, people })
    expect(makeSample({ ...options, seed: 4101 }).people).not.toEqual(people)
  })

  it("has each person once, and identifies every one of them once", () => {
    const emails = people.map(({ email }) => email)
    const identified = events.flatMap(({ payload }) => payload.e ?? [])

    expect(new Set(emails).size).toBe(samplePeopleCount)
    expect(identified.toSorted()).toEqual(emails.toSorted())
    for (const { businessEmail, email, emails, personalEmail } of people) {
      expect(businessEmail).toBe(email)
      expect(emails).toEqual(personalEmail === null ? [email] : [email, personalEmail])
    }
  })

  it("has anonymous visits from companies, in address ranges reserved for documentation", () => {
    const domains = new Set(events.flatMap(({ payload }) => payload.co?.domain ?? []))
    expect(domains.size).toBeGreaterThan(20)
    expect(domains).toContain("cobalt-freight.example")
    expect(domains).not.toContain("tidewater-broadband.example")
    const ranges = ["192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24", "2001:db8::/32"].map(
      (range) => ipaddr.parseCIDR(range),
    )
    for (const line of networkFile.split("\n").slice(1)) {
      const [address] = ipaddr.parseCIDR(line.split(",")[0]!)
      expect(
        ranges.some((range) => address.kind() === range[0].kind() && address.match(range)),
      ).toBe(true)
    }
  })

  it("is in the last 90 days, in order, with an id for each event", () => {
    const moments = events.map(({ occurredAt }) => occurredAt)
    const nowMs = now.epochMilliseconds

    expect(moments).toEqual(moments.toSorted((a, b) => a - b))
    expect(moments.at(-1)).toBeLessThan(nowMs)
    expect(moments[0]).toBeGreaterThan(nowMs - 90 * 86_400_000 - 600_000 - 1)
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length)
  })

  it("has enough visits in the 30 days before the last 30 to compare them with", () => {
    const daysAgo = events.map(
      ({ occurredAt }) => (now.epochMilliseconds - occurredAt) / 86_400_000,
    )
    const last = daysAgo.filter((days) => days < 30).length
    const before = daysAgo.filter((days) => days >= 30 && days < 60).length
    expect(before).toBeGreaterThan(last / 3)
    expect(before).toBeLessThan(last)
  })

  it("stays on its own origin, and contains no address a real person could have", () => {
    expect(events.every(({ url }) => url.startsWith("http://localhost:4100/"))).toBe(true)
    expect(
      people.flatMap((person) => person.emails ?? []).every((email) => email.endsWith(".example")),
    ).toBe(true)
  })

  it("has a title for every page view, how long pages were read, and custom events with properties", () => {
    const of = (type: string) => events.filter((event) => event.type === type)

    expect(of("page").every(({ payload }) => payload.t !== undefined)).toBe(true)
    expect(of("heartbeat").length).toBeGreaterThan(of("page").length)
    expect(new Set(of("heartbeat").map(({ payload }) => payload.s))).toEqual(new Set([30]))
    expect(new Set(of("track").map(({ payload }) => payload.n))).toEqual(
      new Set(["Code copied", "Demo requested", "Plan selected", "Video played"]),
    )
    expect(of("track").every(({ payload }) => Object.keys(payload.o ?? {}).length > 0)).toBe(true)
  })

  it("marks pricing and demo pages, and has a channel wherever a visit has a source", () => {
    for (const { payload, url } of events) {
      const kind = url.endsWith("/pricing") ? 1 : url.endsWith("/book-demo") ? 2 : undefined
      if (payload.q !== undefined) expect([url, payload.q]).toEqual([url, kind])
      if (payload.u !== undefined || payload.r !== undefined) expect(payload.ch).toBeDefined()
    }
    expect(new Set(events.map(({ payload }) => payload.q))).toEqual(new Set([undefined, 1, 2]))
  })
})
