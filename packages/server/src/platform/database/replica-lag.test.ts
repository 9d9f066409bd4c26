// How far a replica lags behind, from positions in the primary's log.
import { expect, it } from "vitest"
import { isBehind, laterOf, ReplicaLag } from "./replica-lag.ts"

it("positions are compared as two numbers, not as text", () => {
  expect(isBehind("0/FFFFFFFF", "1/0")).toBe(true)
  expect(isBehind("9/0", "10/0")).toBe(true)
  expect(isBehind("0/3000028", "0/3000028")).toBe(false)
  expect(laterOf("A/10", "A/9")).toBe("A/10")
})

it("the position for a bound is the oldest one that ended the log within it", () => {
  const lag = new ReplicaLag(5_000)
  lag.note(1_000, "0/1")
  lag.note(2_000, "0/2")
  lag.note(3_000, "0/3")

  expect(lag.placeWithin(5_000, 3_000)).toBe("0/1")
  expect(lag.placeWithin(1_000, 3_000)).toBe("0/2")
  expect(lag.placeWithin(1_000, 3_001)).toBe("0/3")
  expect(lag.placeWithin(1_000, 4_001)).toBeUndefined()
})

it("a position is forgotten once it is older than every bound", () => {
  const lag = new ReplicaLag(5_000)
  lag.note(1_000, "0/1")
  lag.note(6_001, "0/2")

  expect(lag.placeWithin(60_000, 6_001)).toBe("0/2")
})

it("a replica that has replayed all of an idle log lags only since the last sample", () => {
  const lag = new ReplicaLag(5_000)
  expect(lag.lagMs(1_000)).toBeUndefined()
  lag.note(1_000, "0/1")
  lag.passed("0/1")
  expect(lag.lagMs(1_400)).toBe(400)
  lag.note(2_000, "0/1")
  lag.passed("0/1")
  expect(lag.lagMs(2_000)).toBe(0)
})

it("a replica that stops replaying lags more with every sample, even beyond the samples kept", () => {
  const lag = new ReplicaLag(5_000)
  lag.note(1_000, "0/1")
  lag.passed("0/1")
  for (let at = 2_000; at <= 60_000; at += 1_000) {
    lag.note(at, "0/2")
    lag.passed("0/1")
  }

  expect(lag.lagMs(60_000)).toBe(59_000)
})
