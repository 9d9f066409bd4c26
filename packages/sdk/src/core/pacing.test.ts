// Spreads calls over rate limit windows, without a real clock.

import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { Pacing, routeOf, windowMs } from "./pacing.ts"

const route = "GET /v1/data"
const state = { limit: 60, remaining: 2, resetSeconds: 30 }
const hour = 3_600_000

describe("a client's pacing", () => {
  it("delays no call before the server reports a limit", () => {
    expect(new Pacing().reserve(route, 0, hour)).toBe(0)
  })

  it("lets parallel calls share what is left, and delays the others to the next window", () => {
    const pacing = new Pacing()
    pacing.recordState(route, state, 0)

    const delays = Array.from({ length: 63 }, () => pacing.reserve(route, 1_000, hour))

    expect(delays.slice(0, 2)).toEqual([0, 0])
    expect(new Set(delays.slice(2, 62))).toEqual(new Set([29_000]))
    expect(delays[62]).toBe(29_000 + windowMs)
  })

  it("stops delaying after the window, and never delays other routes", () => {
    const pacing = new Pacing()
    pacing.recordState(route, { ...state, remaining: 0 }, 0)

    expect(pacing.reserve("GET /v1/data/pixels", 0, hour)).toBe(0)
    expect(pacing.reserve(route, 29_999, hour)).toBe(1)
    expect(pacing.reserve(route, 30_000, hour)).toBe(0)
  })

  it("a late response does not free slots reserved since", () => {
    const pacing = new Pacing()
    pacing.recordState(route, { ...state, remaining: 1 }, 0)
    pacing.reserve(route, 0, hour)
    pacing.recordState(route, { ...state, remaining: 1 }, 0)

    expect(pacing.reserve(route, 0, hour)).toBe(30_000)
  })

  it("reserves nothing if the wait would exceed the caller's limit", () => {
    const pacing = new Pacing()
    pacing.recordState(route, { ...state, remaining: 0 }, 0)

    expect(pacing.reserve(route, 0, 29_999)).toBe(0)
    expect(pacing.reserve(route, 0, 30_000)).toBe(30_000)
  })

  it("after a 429 every call waits as long as the server asks", () => {
    const pacing = new Pacing()
    pacing.recordState(route, { ...state, remaining: 50 }, 0)
    pacing.recordRejection(route, 45, 0)

    expect(pacing.reserve(route, 0, hour)).toBe(45_000)
  })

  it("never lets more calls into a window than its limit", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 20 }),
        fc.array(fc.integer({ min: 0, max: 20_000 }), { maxLength: 200 }),
        (limit, gaps) => {
          const pacing = new Pacing()
          pacing.recordState(route, { limit, remaining: 0, resetSeconds: 60 }, 0)
          const windows = new Map<number, number>()
          let now = 0
          for (const gap of gaps) {
            now += gap
            const at = now + pacing.reserve(route, now, Number.MAX_SAFE_INTEGER)
            const window = Math.floor(at / windowMs)
            windows.set(window, (windows.get(window) ?? 0) + 1)
          }
          return [...windows.values()].every((calls) => calls <= limit) && !windows.has(0)
        },
      ),
    )
  })
})

it.each([
  ["/v1/data/pixels/cdd19037-47fb-4e21-a054-2da787925aea/verify", "/v1/data/pixels/:id/verify"],
  [`/v1/data/visitors/${"a".repeat(64)}/sessions`, "/v1/data/visitors/:id/sessions"],
  ["/v1/intent/topics/3377/trend", "/v1/intent/topics/:id/trend"],
  ["/v1/data", "/v1/data"],
])("the route of %s is %s", (path, expected) => {
  expect(routeOf({ method: "GET", path })).toBe(`GET ${expected}`)
})

it("keeps the limits of the 500 most recent routes", () => {
  const pacing = new Pacing()
  const full = { limit: 1, remaining: 0, resetSeconds: 60 }
  for (let route = 0; route <= 500; route += 1) pacing.recordState(`GET /v1/${route}`, full, 0)

  expect(pacing.reserve("GET /v1/0", 0, windowMs)).toBe(0)
  expect(pacing.reserve("GET /v1/1", 0, windowMs)).toBe(windowMs)
  expect(pacing.reserve("GET /v1/500", 0, windowMs)).toBe(windowMs)
})
