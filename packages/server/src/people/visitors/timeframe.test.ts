// The moments of a period (spec 1.5.3).
import { DateTime, Effect } from "effect"
import { describe, expect, it } from "vitest"
import { periodOf } from "./scope-on-the-wire.ts"
import { boundsOf } from "./timeframe.ts"

const asOf = DateTime.makeUnsafe("2026-03-11T12:00:00Z")
const iso = (moment: DateTime.Utc | undefined) =>
  moment === undefined ? undefined : DateTime.formatIso(moment)
const bounds = (...asked: Parameters<typeof boundsOf>) => {
  const { from, until } = boundsOf(...asked)
  return [iso(from), iso(until)]
}

describe("a period", () => {
  it("of hours counts back from the request, in any time zone", () => {
    const start = ["2026-03-10T12:00:00.000Z", undefined]
    expect(bounds("24h", "UTC", asOf)).toEqual(start)
    expect(bounds("24h", "Asia/Kolkata", asOf)).toEqual(start)
    // Clocks changed on 8 March.
    expect(bounds("7d", "America/New_York", asOf)[0]).toBe("2026-03-04T12:00:00.000Z")
    expect(bounds("all", "UTC", asOf)).toEqual([undefined, undefined])
  })

  it("of days begins with the first and ends with the last, in the organization's time zone", () => {
    const days = { from: "2026-03-07", to: "2026-03-08" }
    expect(bounds(days, "America/New_York", asOf)).toEqual([
      "2026-03-07T05:00:00.000Z",
      "2026-03-09T04:00:00.000Z",
    ])
    expect(bounds({ from: "2026-03-08", to: "2026-03-08" }, "Asia/Kolkata", asOf)).toEqual([
      "2026-03-07T18:30:00.000Z",
      "2026-03-08T18:30:00.000Z",
    ])
    expect(bounds({ from: "2026-03-08" }, "UTC", asOf)).toEqual([
      "2026-03-08T00:00:00.000Z",
      undefined,
    ])
  })

  it("of days that have not all ended reaches up to the request", () => {
    const until = (to: string, at: string) =>
      bounds({ from: "2026-03-09", to }, "UTC", DateTime.makeUnsafe(at))[1]
    expect(until("2026-03-11", "2026-03-11T12:00:00Z")).toBeUndefined()
    expect(until("2026-03-10", "2026-03-11T00:00:00Z")).toBeUndefined()
    expect(until("2026-03-10", "2026-03-11T00:00:00.001Z")).toBe("2026-03-11T00:00:00.000Z")
  })

  it("that ends with the last day of all has no end", () => {
    const days = { from: "9999-12-31", to: "9999-12-31" }
    expect(bounds(days, "Pacific/Niue", asOf)).toEqual(["9999-12-31T11:00:00.000Z", undefined])
  })
})

describe("the period that a request names", () => {
  const ask = (...asked: Parameters<typeof periodOf<"7d">>) =>
    Effect.runSync(
      periodOf(...asked).pipe(Effect.catch(({ error }) => Effect.succeed(error.details))),
    )

  it("is a timeframe, days, or the default", () => {
    expect(ask({}, "7d")).toBe("7d")
    expect(ask({ timeframe: "24h" }, "7d")).toBe("24h")
    expect(ask({ from: "2026-01-01" }, "7d")).toEqual({ from: "2026-01-01" })
    const day = { from: "2026-01-01", to: "2026-01-01" }
    expect(ask(day, "7d")).toEqual(day)
  })

  it.each([
    [{ to: "2026-01-01" }, "/query/from", "required"],
    [{ to: "2026-01-01", timeframe: "7d" }, "/query/from", "required"],
    [{ from: "2026-01-02", to: "2026-01-01" }, "/query/from", "max"],
    [{ from: "2026-01-02", timeframe: "7d" }, "/query/from", "mutually_exclusive"],
  ] as const)("is refused: %j", (query, path, code) => {
    expect(ask(query, "7d")).toMatchObject({ issues: [{ path, code }] })
  })
})
