// Finds the failing events among some that failed together, without repeating good ones: halves what failed,
// processes good halves once and continues with the rest. If a left half is good, the right one is known to fail
// and is halved at once. A failing event costs one trial per halving. Pure.

interface Stretch {
  readonly events: number
  /** It failed, or its left half is good while the whole failed. */
  readonly isBad: boolean
  /** Its left half is not processed yet, and both failed together. */
  readonly isBadIfLeftIsGood: boolean
}

export class Bisection {
  /** What is left, with the next one last. */
  readonly #stretches: Array<Stretch>

  /** `events`: how many failed together. */
  constructor(events: number) {
    this.#stretches = [{ events, isBad: true, isBadIfLeftIsGood: false }]
  }

  /** How many of the remaining events to try next; undefined when done. */
  get next(): number | undefined {
    for (;;) {
      const stretch = this.#stretches.at(-1)
      if (stretch === undefined || !stretch.isBad || stretch.events === 1) return stretch?.events
      const left = Math.ceil(stretch.events / 2)
      this.#stretches.pop()
      this.#stretches.push(
        { events: stretch.events - left, isBad: false, isBadIfLeftIsGood: true },
        { events: left, isBad: false, isBadIfLeftIsGood: false },
      )
    }
  }

  /** Ends a trial: it succeeded, or its single event failed and was set aside. */
  done(succeeded: boolean): void {
    this.#stretches.pop()
    const right = this.#stretches.pop()
    if (right === undefined) return
    const isBad = right.isBad || (succeeded && right.isBadIfLeftIsGood)
    this.#stretches.push({ events: right.events, isBad, isBadIfLeftIsGood: false })
  }

  /** Ends a trial that failed and had more than one event. */
  failed(): void {
    const stretch = this.#stretches.pop()
    const right = this.#stretches.pop()
    if (right !== undefined) this.#stretches.push({ ...right, isBadIfLeftIsGood: false })
    if (stretch !== undefined) this.#stretches.push({ ...stretch, isBad: true })
  }
}
