// How old a replica may be, from places in the log of its primary.
import { expect, it } from "vitest"
import { isBehind, laterOf, ReplicaLag } from "./replica-lag.ts"

it("places are compared as numbers of two parts, not as texts", () => {
  expect(isBehind("0/FFFFFFFF", "1/0")).toBe(true)
  expect(isBehind("9/0", "10/0")).toBe(true)
  expect(isBehind("0/3000028", "0/3000028")).toBe(false)
  expect(laterOf("A/10", "A/9")).toBe("A/10")
})

it("the place of a bound is the oldest that was the end of the log within it", () => {
  const lag = new ReplicaLag(5_000)
  lag.note(1_000, "0/1")
  lag.note(2_000, "0/2")
  lag.note(3_000, "0/3")

  expect(lag.placeWithin(5_000, 3_000)).toBe("0/1")
  expect(lag.placeWithin(1_000, 3_000)).toBe("0/2")
  expect(lag.placeWithin(1_000, 3_001)).toBe("0/3")
  expect(lag.placeWithin(1_000, 4_001)).toBeUndefined()
})

it("a place is forgotten when no bound asks for it any more", () => {
  const lag = new ReplicaLag(5_000)
  lag.note(1_000, "0/1")
  lag.note(6_001, "0/2")

  expect(lag.placeWithin(60_000, 6_001)).toBe("0/2")
})

it("a replica that has replayed all of an idle log is as old as the last look", () => {
  const lag = new ReplicaLag(5_000)
  expect(lag.lagMs(1_000)).toBeUndefined()
  lag.note(1_000, "0/1")
  lag.passed("0/1")
  expect(lag.lagMs(1_400)).toBe(400)
  lag.note(2_000, "0/1")
  lag.passed("0/1")
  expect(lag.lagMs(2_000)).toBe(0)
})

it("a replica whose replay stands still grows older with every look, beyond what is kept", () => {
  const lag = new ReplicaLag(5_000)
  lag.note(1_000, "0/1")
  lag.passed("0/1")
  for (let at = 2_000; at <= 60_000; at += 1_000) {
    lag.note(at, "0/2")
    lag.passed("0/1")
  }

  expect(lag.lagMs(60_000)).toBe(59_000)
})
