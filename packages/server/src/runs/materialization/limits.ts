// What a run may take. Our bounds; spec 2.11 names the errors of those that go beyond them:
// `RESULT_TOO_LARGE` and `QUERY_TIMEOUT`.
import { Context } from "effect"

export interface Limits {
  /** People of one run. */
  readonly resultsMax: number
  /** Of one statement. Units: milliseconds. */
  readonly statementTimeoutMs: number
  /** A lost worker's statement may hold the same positions until it ends. Units: milliseconds. */
  readonly lockTimeoutMs: number
}

export const RunLimits = Context.Reference<Limits>("@footfall/server/runs/RunLimits", {
  defaultValue: () => ({
    resultsMax: 5_000_000,
    statementTimeoutMs: 300_000,
    lockTimeoutMs: 360_000,
  }),
})
