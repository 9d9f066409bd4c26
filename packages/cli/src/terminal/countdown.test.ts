// The countdown line when several waits overlap.

import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { thisTerminal } from "../../test/fixtures/this-terminal.ts"
import { Countdown } from "./countdown.ts"
import type { Terminal } from "./terminal.ts"

const takenAway = "\r\u001B[2K"
const inSeconds = (seconds: number) => `${takenAway}Rate limit reached: continuing in ${seconds}s.`

let written: Array<string>
let terminal: Terminal

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance", "setInterval", "clearInterval"] })
  written = []
  const stderr = { isTTY: true, write: (text: string) => written.push(text) }
  // Nothing else of the stream is used.
  terminal = {
    ...thisTerminal,
    stderr: stderr as unknown as NodeJS.WriteStream,
    liveScreens: new Set(),
    atInterrupt: new Set(),
  }
})
afterEach(() => {
  vi.useRealTimers()
})

const rateLimit = (seconds: number) => ({ reason: "rate_limit", seconds }) as const

test("of several waits the longest is shown, on one line, until the last is over", () => {
  const countdown = new Countdown(terminal)
  countdown.say(rateLimit(1))
  countdown.say(rateLimit(3))
  vi.advanceTimersByTime(1_000)
  countdown.sent()
  vi.advanceTimersByTime(2_000)

  expect(written).toEqual([inSeconds(1), inSeconds(3), inSeconds(2), inSeconds(1), takenAway])
  expect(terminal.liveScreens.size).toBe(0)
  expect(terminal.atInterrupt.size).toBe(0)
})

test("the line is gone when the request that waited is sent", () => {
  const countdown = new Countdown(terminal)
  countdown.say(rateLimit(2))
  vi.advanceTimersByTime(1_950)

  countdown.sent()

  expect(written.at(-1)).toBe(takenAway)
})

test("nothing is written beside another screen", () => {
  terminal.liveScreens.add({})

  new Countdown(terminal).say(rateLimit(2))

  expect(written).toEqual([])
})
