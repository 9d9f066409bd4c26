// How long a process waits for its database. Postgres ends a statement that exceeds `statement_timeout`. But a stopped
// Postgres ends nothing, and neither does a network that drops packets, so this process also stops waiting by its own
// clock, a little later than Postgres would. All times are in milliseconds.
import { Context } from "effect"

/** The limit of statements in transactions that set none. Also set for each Postgres session. */
export const statementLimitMs = 10_000

/** Extra time for the response of a Postgres that ended a statement itself. */
export const answerGraceMs = 1_000

/** For a pool connection while a request waits. */
export const requestWaitMs = 2_000

/** How long a statement or transaction waits for a connection. Requests set `requestWaitMs`. */
export const ConnectionWait = Context.Reference<number>(
  "@footfall/server/database/ConnectionWait",
  { defaultValue: () => 30_000 },
)

/** Whether a worker runs the statement. Workers wait briefly for a session in use before they open another. */
export const Background = Context.Reference<boolean>("@footfall/server/database/Background", {
  defaultValue: () => false,
})

/**
 * The longest limit a session has had so far: the client waits at least as long as Postgres. Smaller limits need no
 * tracking, because Postgres ends such a statement earlier.
 */
export class SessionLimit {
  ms: number

  constructor(ms: number) {
    this.ms = ms
  }

  /** Inspects a statement about to be sent. */
  note(text: string, values: ReadonlyArray<unknown>): void {
    const [, place, literal, value = literal] = setting.exec(text) ?? []
    const requested = place === undefined ? value : values[Number(place) - 1]
    if (typeof requested === "string") this.ms = Math.max(this.ms, milliseconds(requested))
  }
}

/**
 * `set_config('statement_timeout', …, true)` with a parameter or a literal, or `set local statement_timeout = '60s'`.
 */
const setting =
  /set_config\('statement_timeout', (?:\$(\d+)|'(\w+)')|set local statement_timeout = '?(\w+)/

const units: ReadonlyMap<string, number> = new Map([
  ["ms", 1],
  ["s", 1_000],
  ["min", 60_000],
  ["h", 3_600_000],
])

/** Parsed as Postgres does: milliseconds without a unit, and 0 for no limit. */
const milliseconds = (text: string): number => {
  const [, count, unit] = /^(\d+)\s*(ms|s|min|h)?$/.exec(text) ?? []
  const ms = Number(count) * (units.get(unit ?? "ms") ?? Number.NaN)
  if (Number.isNaN(ms)) throw new Error(`statement_timeout ${text} is invalid.`)
  return ms === 0 ? Number.POSITIVE_INFINITY : ms
}
