import { expect, it } from "vitest"
import { SessionLimit } from "./statement-limits.ts"

it.each([
  ["select set_config('statement_timeout', $2, true)", ["x", "60s"], 60_000],
  ["select set_config('statement_timeout', '10min', true)", [], 600_000],
  ["set local statement_timeout = '60s'", [], 60_000],
  ["set local statement_timeout = 30000", [], 30_000],
  ["select set_config('statement_timeout', $1, true)", ["1s"], 10_000],
  ["select 1", [], 10_000],
])("the client waits as long as Postgres may: %s", (text, values, ms) => {
  const limit = new SessionLimit(10_000)

  limit.note(text, values)

  expect(limit.ms).toBe(ms)
})
