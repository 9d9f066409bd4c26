import { expect, it } from "vitest"
import { readRateLimitState } from "./rate-limit-state.ts"

const read = (headers: Readonly<Record<string, string>>) =>
  readRateLimitState((name) => headers[name] ?? null)

const full = { "ratelimit-limit": "30", "ratelimit-remaining": "0", "ratelimit-reset": "59" }

it("is known only if every header is a whole number", () => {
  expect(read(full)).toEqual({ limit: 30, remaining: 0, resetSeconds: 59 })
  expect(read({})).toBeNull()
  expect(read({ ...full, "ratelimit-reset": "soon" })).toBeNull()
  expect(read({ ...full, "ratelimit-remaining": "-1" })).toBeNull()
})
