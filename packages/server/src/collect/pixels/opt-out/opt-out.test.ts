import { describe, expect, it } from "vitest"
import { hasOptedOut } from "./opt-out.ts"

describe("the cookie of an opt-out", () => {
  it.each(["footfall_optout=1", "theme=dark; footfall_optout=1", "footfall_optout=1; theme=dark"])(
    "counts in %j",
    (cookie) => {
      expect(hasOptedOut(cookie)).toBe(true)
    },
  )

  it.each([undefined, "", "x_footfall_optout=1", "footfall_optout=0", "footfall_optout=12"])(
    "does not count in %j, whose name or value only resembles it",
    (cookie) => {
      expect(hasOptedOut(cookie)).toBe(false)
    },
  )
})
