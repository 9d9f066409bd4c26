// Visitors per minute, from overlapping lists.

import { expect, test } from "vitest"
import { Visits } from "./snapshot.ts"

const now = new Date("2026-03-11T10:00:30.000Z")
const seen = (visitorId: string, at: string) => ({ visitorId, at: `2026-03-11T${at}.000Z` })

test("a visitor counts once a minute, however often it is reported", () => {
  const visits = new Visits()

  visits.add([seen("a", "10:00:01"), seen("b", "10:00:20"), seen("a", "09:58:59")])
  visits.add([seen("a", "10:00:29"), seen("b", "10:00:20")])

  expect(visits.perMinute(now).slice(-4)).toEqual([0, 1, 0, 2])
})

test("counts sixty minutes, including the current one", () => {
  const visits = new Visits()

  visits.add([seen("a", "09:01:00"), seen("b", "09:00:59")])

  const counts = visits.perMinute(now)
  expect(counts).toHaveLength(60)
  expect(counts[0]).toBe(1)
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(1)
})

test("visitors stay in their minute and are dropped after an hour", () => {
  const visits = new Visits()
  visits.add([seen("a", "10:00:01")])

  expect(visits.perMinute(new Date("2026-03-11T10:05:00.000Z")).indexOf(1)).toBe(54)
  expect(visits.perMinute(new Date("2026-03-11T11:00:00.000Z"))).not.toContain(1)
  expect(visits.perMinute(now)).not.toContain(1)
})
