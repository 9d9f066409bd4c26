import { describe, expect, it } from "vitest"
import * as fc from "fast-check"
import { Bisection } from "./bisection.ts"

/** Processes events, some of which fail, like a pass. Returns those that were set aside and every trial. */
const process = (events: ReadonlyArray<boolean>) => {
  const bisection = new Bisection(events.length)
  const waiting = events.map((fails, place) => ({ fails, place }))
  const setAside: Array<number> = []
  const tries: Array<ReadonlyArray<number>> = []
  const done: Array<number> = []
  for (let next = bisection.next; next !== undefined; next = bisection.next) {
    const tried = waiting.slice(0, next)
    tries.push(tried.map(({ place }) => place))
    const isGood = tried.every(({ fails }) => !fails)
    if (!isGood && tried.length > 1) {
      bisection.failed()
      continue
    }
    ;(isGood ? done : setAside).push(...tried.map(({ place }) => place))
    waiting.splice(0, tried.length)
    bisection.done(isGood)
  }
  return { setAside, done, tries, left: waiting.length }
}

const indexesOf = (events: ReadonlyArray<boolean>, fails: boolean) =>
  events.flatMap((one, place) => (one === fails ? [place] : []))

describe("bisection", () => {
  it("sets every failing event aside, processes every other one once, and ends", () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 1, maxLength: 200 }), (events) => {
        const { done, left, setAside } = process(events)
        expect(left).toBe(0)
        expect(setAside).toEqual(indexesOf(events, true))
        expect(done).toEqual(indexesOf(events, false))
      }),
    )
  })

  it("finds one event among 2,000 in at most two trials per halving", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1_999 }), (place) => {
        const { tries } = process(Array.from({ length: 2_000 }, (_, index) => index === place))
        expect(tries.length).toBeLessThanOrEqual(2 * 11)
        // All trials together: at most twice the events that failed.
        expect(tries.flat().length).toBeLessThanOrEqual(4_000)
      }),
    )
  })

  it("continues with the rest of the batch, not with single events, after one event was set aside", () => {
    const { tries } = process(Array.from({ length: 2_000 }, (_, index) => index === 0))

    const after = tries.slice(tries.findIndex((tried) => tried.length === 1) + 1)
    expect(after.map((tried) => tried.length)).toEqual([
      1, 2, 4, 8, 16, 31, 62, 125, 250, 500, 1000,
    ])
  })
})
