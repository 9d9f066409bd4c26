// Times in the forms of the tracking contract's clients (spec 15.2.3).
import { expect, it } from "vitest"
import { readMoment } from "./moment.ts"

const moment = Date.UTC(2026, 4, 9, 21, 7, 30, 250)
const wholeSecond = Date.UTC(2026, 4, 9, 21, 7, 30)

it.each([
  ["2026-05-09T21:07:30.250Z", moment],
  ["2026-05-09T21:07:30.250z", moment],
  ["2026-05-09t21:07:30.250z", moment],
  [" 2026-05-09T21:07:30.250Z ", moment],
  ["2026-05-09T21:07:30.250", moment],
  ["2026-05-09 21:07:30.250", moment],
  ["2026-05-09T21:07:30,250Z", moment],
  ["2026-05-09T21:07:30.250999999Z", moment],
  ["2026-05-09T21:07:30.250+0000", moment],
  ["2026-05-09T23:07:30.250+0200", moment],
  ["2026-05-09T16:37:30.250-04:30", moment],
  ["2026-05-09T14:07:30.250-07", moment],
  ["2026-05-09 21:07:30.250 +0000", moment],
  ["2026-05-09T21:07:30.250:Z", moment],
  ["2026-05-09T21:07:30:Z", wholeSecond],
  ["2026-05-09T21:07:30Z", wholeSecond],
  ["2026-05-09T21:07Z", Date.UTC(2026, 4, 9, 21, 7)],
  ["2026-05-09", Date.UTC(2026, 4, 9)],
  [moment, moment],
  [String(moment), moment],
  [wholeSecond / 1_000, wholeSecond],
  [moment / 1_000, moment],
  [String(wholeSecond / 1_000), wholeSecond],
  ["1970-01-01T00:00:00Z", 0],
])("%j is read", (given, expected) => {
  expect(readMoment(given)).toBe(expected)
})

it.each([
  "",
  "now",
  "2026-13-09T21:07:30Z",
  "2026-05-09T25:07:30Z",
  "2026-05-09T21:07:30+9900",
  "2026-05-09T21:07:30 GMT",
  "Sat May 09 2026",
  "09/05/2026",
  "1969-12-31T23:59:59Z",
  "+012026-05-09T21:07:30Z",
  -1,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  1e17,
  "9".repeat(40),
  true,
  null,
  {},
])("%j is no time", (given) => {
  expect(readMoment(given)).toBeUndefined()
})
