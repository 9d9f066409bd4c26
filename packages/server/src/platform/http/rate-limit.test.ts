import { expect, it } from "vitest"
import { readAddress } from "./address.ts"
import { rateSubject } from "./rate-limit.ts"

it.each([
  ["203.0.113.77", "203.0.113.77"],
  ["::ffff:203.0.113.77", "203.0.113.77"],
  ["2001:db8:1:2:3::4", "2001:db8:1:2::"],
  ["2001:db8:1:2:ffff:ffff:ffff:ffff", "2001:db8:1:2::"],
  ["2001:db8:1:3::", "2001:db8:1:3::"],
])("%s counts as %s: IPv4 by address, IPv6 by its /64", (text, subject) => {
  expect(rateSubject(readAddress(text)!)).toBe(subject)
})

it("text that is not an address has no network", () => {
  expect(readAddress("203.0.113.256")).toBeUndefined()
  expect(readAddress("")).toBeUndefined()
})
