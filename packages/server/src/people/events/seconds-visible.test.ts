// How long pages were visible, against an evaluator that asks each question of spec 5.1.10 by itself.
import { describe, expect, it } from "vitest"
import type { Moment } from "../archive/session-events.ts"
import { secondsVisible } from "./seconds-visible.ts"

const view = (id: string, at: number, url = id): Moment => ({ id, at, url, seconds: null })
const beat = (at: number, url: string, seconds = 30): Moment => ({
  id: `beat ${at}`,
  at,
  url,
  seconds,
})
const of = (...moments: ReadonlyArray<Moment>) => Object.fromEntries(secondsVisible(moments))

describe("a page is visible for", () => {
  it("the sum of its heartbeats", () => {
    expect(of(view("a", 0), beat(30_000, "a"), beat(60_000, "a", 12), view("b", 200_000))).toEqual({
      a: 42,
    })
  })

  it("the time to the next page view, if that is shorter than a heartbeat", () => {
    expect(of(view("a", 0), view("b", 29_999), view("c", 59_999))).toEqual({ a: 29 })
  })

  it("at least that time, if its heartbeats say less", () => {
    expect(of(view("a", 0), beat(10_000, "a", 3), view("b", 20_000), beat(50_000, "b"))).toEqual({
      a: 20,
      b: 30,
    })
  })

  it("an unknown time without either", () => {
    expect(of(view("a", 0), view("b", 30_000))).toEqual({})
  })

  it("only its own heartbeats, also if another page was opened meanwhile", () => {
    expect(of(view("a", 0), view("b", 40_000), beat(60_000, "a"), beat(61_000, "b", 7))).toEqual({
      a: 30,
      b: 7,
    })
  })

  it("what was reported since it was seen again: earlier heartbeats are those of the earlier view", () => {
    expect(
      of(view("1", 0, "a"), beat(30_000, "a"), view("2", 90_000, "a"), beat(99_000, "a", 9)),
    ).toEqual({ 1: 30, 2: 9 })
  })

  it("nothing that is reported of a page that was never viewed", () => {
    expect(of(beat(1, "a"), view("b", 2), beat(3, "c"))).toEqual({})
  })
})

it("equals what a naive evaluator says, for 500 random histories", () => {
  let seed = 7
  const below = (bound: number) => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % bound
  }
  for (let round = 0; round < 500; round++) {
    let at = 0
    const moments = Array.from({ length: below(40) }, (_, place): Moment => {
      at += below(50_000)
      const url = "abcd"[below(4)]!
      return { id: String(place), at, url, seconds: below(2) === 0 ? null : below(61) }
    })

    expect(secondsVisible(moments)).toEqual(naive(moments))
  }
})

const naive = (moments: ReadonlyArray<Moment>): ReadonlyMap<string, number> => {
  const views = moments.filter(({ seconds }) => seconds === null)
  const place = (moment: Moment) => moments.indexOf(moment)
  return new Map(
    views.flatMap((one) => {
      const same = views.find((other) => place(other) > place(one) && other.url === one.url)
      const beats = moments.filter(
        (other) =>
          other.seconds !== null &&
          other.url === one.url &&
          place(other) > place(one) &&
          (same === undefined || place(other) < place(same)),
      )
      const next = views.find((other) => place(other) > place(one))
      const gap = next === undefined ? Infinity : next.at - one.at
      const said = beats.length > 0 ? beats.reduce((sum, { seconds }) => sum + seconds!, 0) : -1
      const least = gap < 30_000 ? Math.floor(gap / 1_000) : -1
      const known = Math.max(said, least)
      return known < 0 ? [] : [[one.id, known] as const]
    }),
  )
}
