// How far a read replica lags behind, from positions in the primary's write-ahead log and the times when the log ended
// there. A replica that has replayed a position has everything committed before that time. This holds whatever the
// clocks of the two servers say, and also when nothing is written. Pure. Times are milliseconds of a monotonic clock.

interface Sample {
  readonly at: number
  readonly place: string
}

export class ReplicaLag {
  readonly #keptMs: number
  #samples: Array<Sample> = []
  #passed: Sample | undefined

  /** `keptMs`: the largest bound that callers use. */
  constructor(keptMs: number) {
    this.#keptMs = keptMs
  }

  /** Records that the primary's log had reached at least `place` at time `at`. */
  note(at: number, place: string): void {
    this.#samples = this.#samples.filter((sample) => at - sample.at <= this.#keptMs)
    this.#samples.push({ at, place })
  }

  /**
   * Returns the position that a replica must have replayed to include every commit made `boundMs` ago or earlier.
   * Undefined if unknown.
   */
  placeWithin(boundMs: number, now: number): string | undefined {
    return this.#samples.find(({ at }) => now - at <= boundMs)?.place
  }

  /** Records that the replica has replayed everything up to `place`. */
  passed(place: string): void {
    this.#passed =
      this.#samples.findLast((sample) => !isBehind(place, sample.place)) ?? this.#passed
  }

  /** Returns for how long the replica may have missed commits. Undefined if unknown. */
  lagMs(now: number): number | undefined {
    return this.#passed === undefined ? undefined : now - this.#passed.at
  }
}

/** Whether a log position, as Postgres writes it (`16/B374D848`), is before another. */
export const isBehind = (place: string, other: string): boolean => numberOf(place) < numberOf(other)

/** Returns the later of two positions. */
export const laterOf = (place: string, other: string): string =>
  isBehind(place, other) ? other : place

const numberOf = (place: string): bigint => {
  const [high, low] = place.split("/")
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`)
}
