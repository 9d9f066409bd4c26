// The countdown line when several waits overlap.

import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { thisTerminal } from "../../test/fixtures/this-terminal.ts"
import { Countdown } from "./countdown.ts"
import type { Terminal } from "./terminal.ts"

const erased = "\r\u001B[2K"
const inSeconds = (seconds: number) => `${erased}Rate limit reached: continuing in ${seconds}s.`

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

test("shows the longest of several waits on one line, until the last one ends", () => {
  const countdown = new Countdown(terminal)
  countdown.show(rateLimit(1))
  countdown.show(rateLimit(3))
  vi.advanceTimersByTime(1_000)
  countdown.sent()
  vi.advanceTimersByTime(2_000)

  expect(written).toEqual([inSeconds(1), inSeconds(3), inSeconds(2), inSeconds(1), erased])
  expect(terminal.liveScreens.size).toBe(0)
  expect(terminal.atInterrupt.size).toBe(0)
})

test("erases the line when the request is sent", () => {
  const countdown = new Countdown(terminal)
  countdown.show(rateLimit(2))
  vi.advanceTimersByTime(1_950)

  countdown.sent()

  expect(written.at(-1)).toBe(erased)
})

test("writes nothing next to another screen", () => {
  terminal.liveScreens.add({})

  new Countdown(terminal).show(rateLimit(2))

  expect(written).toEqual([])
})
