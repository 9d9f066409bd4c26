import { expect, it } from "vitest"
import { Pace } from "./pace.ts"

const webhook = { organizationId: "north", webhookId: "one" }
const second = 1_000

it("a receiver is slow until its first response, while a request takes over a second, and when its mean does", () => {
  const pace = new Pace()
  const isSlow = (now: number) => pace.inHand(now)[0]!.isSlow
  const answered = (at: number, ms: number) => pace.began(webhook, at)(at + ms)

  pace.taken(webhook)
  expect(isSlow(0)).toBe(true)
  answered(0, 100)
  expect(isSlow(100)).toBe(false)

  const hanging = pace.began(webhook, 100)
  answered(100, 100)
  expect(isSlow(100 + second)).toBe(false)
  expect(isSlow(101 + second)).toBe(true)
  hanging(30 * second)
  expect(isSlow(30 * second)).toBe(true)

  for (let times = 0; times < 7; times++) answered(30 * second, 100)
  expect(isSlow(31 * second)).toBe(false)
})

it("a receiver that asked for a long pause keeps it when it asks for a shorter one", () => {
  const pace = new Pace()

  pace.rest(webhook, 60 * second)
  pace.rest(webhook, 5 * second)

  expect(pace.restMs(webhook, 0)).toBe(60 * second)
  expect(pace.restMs(webhook, 61 * second)).toBe(0)
})
