// The number of visitors in each of the last minutes. The list of visitors says when each was last seen, so repeated
// reads make it complete. Pure.

/** A visitor, and the moment they were last seen. */
export interface Seen {
  readonly visitorId: string
  readonly at: string
}

const MINUTE_MS = 60_000

/** Minutes that are counted. */
export const minutesMax = 60

/** Visitors by minute; what is older than an hour is forgotten. */
export class Visits {
  /** By the minute, counted from 1970. */
  readonly #visitors = new Map<number, Set<string>>()

  /** A visitor counts once a minute, however often it is reported. */
  add(seen: ReadonlyArray<Seen>): void {
    for (const { visitorId, at } of seen) {
      const minute = Math.floor(Date.parse(at) / MINUTE_MS)
      const there = this.#visitors.get(minute) ?? new Set()
      this.#visitors.set(minute, there.add(visitorId))
    }
  }

  /** Visitors of each of the last 60 minutes, the present one last. */
  perMinute(now: Date): ReadonlyArray<number> {
    const last = Math.floor(now.getTime() / MINUTE_MS)
    for (const minute of this.#visitors.keys()) {
      if (minute <= last - minutesMax) this.#visitors.delete(minute)
    }
    return Array.from(
      { length: minutesMax },
      (_, index) => this.#visitors.get(last - minutesMax + 1 + index)?.size ?? 0,
    )
  }
}
