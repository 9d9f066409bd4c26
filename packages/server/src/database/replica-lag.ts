// How old a read replica may be, from positions in the primary's write-ahead log and the moments when the log ended
// there. A replica that has replayed a position has everything that was committed before its moment. That holds
// whatever the clocks of the two servers say, and when nothing is written. Pure. Units: milliseconds of a clock that
// never goes back.

interface Sample {
  readonly at: number
  readonly place: string
}

export class ReplicaLag {
  readonly #keptMs: number
  #samples: Array<Sample> = []
  #passed: Sample | undefined

  /** `keptMs`: the largest bound that is asked for. */
  constructor(keptMs: number) {
    this.#keptMs = keptMs
  }

  /** The log of the primary ended at the place, or behind it, at the moment. */
  note(at: number, place: string): void {
    this.#samples = this.#samples.filter((sample) => at - sample.at <= this.#keptMs)
    this.#samples.push({ at, place })
  }

  /** What a replica has replayed if nothing that was committed `boundMs` ago is missing; undefined: not known. */
  placeWithin(boundMs: number, now: number): string | undefined {
    return this.#samples.find(({ at }) => now - at <= boundMs)?.place
  }

  /** The replica has replayed everything up to the place. */
  passed(place: string): void {
    this.#passed =
      this.#samples.findLast((sample) => !isBehind(place, sample.place)) ?? this.#passed
  }

  /** For how long the replica may have missed commits; undefined: not known. */
  lagMs(now: number): number | undefined {
    return this.#passed === undefined ? undefined : now - this.#passed.at
  }
}

/** Whether a place in the log, as Postgres writes it (`16/B374D848`), is before another. */
export const isBehind = (place: string, other: string): boolean => numberOf(place) < numberOf(other)

/** The later of two places. */
export const laterOf = (place: string, other: string): string =>
  isBehind(place, other) ? other : place

const numberOf = (place: string): bigint => {
  const [high, low] = place.split("/")
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`)
}
