import { describe, expect, it } from "vitest"
import { placesOfSlow, Promptness } from "./promptness.ts"

/** Begins a request at 0 and ends it after this time. */
const responded = (promptness: Promptness, ms: number): Promptness => {
  promptness.begin(0)(ms)
  return promptness
}

describe("a receiver", () => {
  it("is slow until its first response, and prompt after one within a second", () => {
    expect(new Promptness().isSlow(0)).toBe(true)
    expect(responded(new Promptness(), 1_000).isSlow(1_000)).toBe(false)
    expect(responded(new Promptness(), 1_001).isSlow(1_001)).toBe(true)
  })

  it("is judged by a moving average, in which the latest response has three tenths", () => {
    const promptness = responded(responded(new Promptness(), 100), 1_100)
    expect(promptness.meanMs).toBeCloseTo(400)
    expect(responded(promptness, 4_000).isSlow(0)).toBe(true)
  })

  it("is slow while its oldest request has waited for more than a second", () => {
    const promptness = responded(new Promptness(), 100)
    const ended = promptness.begin(0)
    promptness.begin(900)
    expect([promptness.isSlow(1_000), promptness.isSlow(1_001)]).toEqual([false, true])

    ended(1_001)

    expect([promptness.isSlow(1_900), promptness.isSlow(1_901)]).toEqual([false, true])
  })

  it("is not judged by requests that were interrupted", () => {
    const promptness = responded(new Promptness(), 100)
    const ended = promptness.begin(0)

    promptness.interrupt()
    ended(60_000)

    expect(promptness.isSlow(60_000)).toBe(false)
    expect(promptness.meanMs).toBe(100)
  })
})

it("slow receivers have three quarters of the places, and at least one", () => {
  expect([60, 4, 2, 1].map(placesOfSlow)).toEqual([45, 3, 2, 1])
})
