import { describe, expect, it } from "vitest"
import { prefersProblem } from "./problem.ts"

describe("a client's preference for problem details", () => {
  it.each(["application/problem+json", "application/problem+json, application/json;q=0.9"])(
    "is stated by %j",
    (accept) => {
      expect(prefersProblem(accept)).toBe(true)
    },
  )

  it.each([
    undefined,
    "*/*",
    "application/problem+json, application/json",
    "application/problem+json;q=0.5, application/*;q=0.5",
    "application/problem+json;q=0",
  ])("is not stated by %j, so the envelope is sent", (accept) => {
    expect(prefersProblem(accept)).toBe(false)
  })
})
