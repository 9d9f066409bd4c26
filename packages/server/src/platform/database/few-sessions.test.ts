// Fewer open sessions for background work, with a test clock.
import { Effect } from "effect"
import { afterEach, beforeEach, expect, it, vi } from "vitest"
import { FewSessions, opensAfterMs } from "./few-sessions.ts"
import { Background } from "./statement-limits.ts"

const keptMs = 10_000

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Whether it has a session; changes over time. */
const takeSession = (few: FewSessions, isBackground = true) => {
  const fiber = Effect.runFork(Effect.provideService(few.take, Background, isBackground))
  return () => fiber.pollUnsafe() !== undefined
}

it("background work waits for the one session in use, first come, first served", async () => {
  const few = new FewSessions(keptMs)
  const has = [takeSession(few), takeSession(few), takeSession(few)]
  expect(has.map((one) => one())).toEqual([true, false, false])

  few.giveBack()
  await vi.advanceTimersByTimeAsync(0)
  expect(has.map((one) => one())).toEqual([true, true, false])

  few.giveBack()
  await vi.advanceTimersByTimeAsync(0)
  expect(has.map((one) => one())).toEqual([true, true, true])
})

it("a session that stays in use delays others briefly once, and then another one is opened", async () => {
  const few = new FewSessions(keptMs)
  takeSession(few)
  const second = takeSession(few)
  await vi.advanceTimersByTimeAsync(opensAfterMs - 1)
  expect(second()).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  expect(second()).toBe(true)

  few.giveBack()
  expect(takeSession(few)()).toBe(true)
})

it("once the pool has closed unused sessions, background work waits again", async () => {
  const few = new FewSessions(keptMs)
  takeSession(few)
  takeSession(few, false)
  few.giveBack()
  expect(takeSession(few)()).toBe(true)
  few.giveBack()

  await vi.advanceTimersByTimeAsync(2 * keptMs)

  expect(takeSession(few)()).toBe(false)
})

it("work that always starts at the same moment needs one session less in each period", async () => {
  const few = new FewSessions(keptMs)
  const starts = [true, false, false].map((isBackground) => takeSession(few, isBackground))
  const together = async () => {
    const got = [takeSession(few), takeSession(few), takeSession(few)].map((has) => has())
    for (const _ of got) {
      few.giveBack()
      await vi.advanceTimersByTimeAsync(0)
    }
    return got.filter(Boolean).length
  }
  starts.forEach(() => few.giveBack())

  const atOnce = []
  for (let period = 0; period < 4; period++) {
    atOnce.push(await together())
    await vi.advanceTimersByTimeAsync(keptMs)
  }

  expect(atOnce).toEqual([3, 2, 1, 1])
})

it("work that got its session early does not count twice when its patience would have ended", async () => {
  const few = new FewSessions(keptMs)
  takeSession(few)
  takeSession(few)
  few.giveBack()
  await vi.advanceTimersByTimeAsync(opensAfterMs)
  few.giveBack()
  await vi.advanceTimersByTimeAsync(2 * keptMs)

  expect(takeSession(few)()).toBe(true)
})

it("a request never waits", () => {
  const few = new FewSessions(keptMs)

  expect(
    [takeSession(few), takeSession(few, false), takeSession(few, false)].map((one) => one()),
  ).toEqual([true, true, true])
})
