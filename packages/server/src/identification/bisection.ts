// Finds the events that fail among some that failed together, without doing twice what is good: halves what
// failed, does the good halves once and continues with the rest. When a left half is good its right one is
// halved at once, for it is known to fail. A fault of one event costs a try for each halving. Pure.

interface Stretch {
  readonly events: number
  /** It failed, or its left half is good while the whole failed. */
  readonly isBad: boolean
  /** Its left half is not done yet, and both failed together. */
  readonly isBadIfLeftIsGood: boolean
}

export class Bisection {
  /** What is left to do, the next one last. */
  readonly #stretches: Array<Stretch>

  /** `events`: how many failed together. */
  constructor(events: number) {
    this.#stretches = [{ events, isBad: true, isBadIfLeftIsGood: false }]
  }

  /** How many of the events that are left are tried next; undefined when all were done. */
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

  /** What was tried is done: it was good, or it was one event that failed and was set aside. */
  done(wasGood: boolean): void {
    this.#stretches.pop()
    const right = this.#stretches.pop()
    if (right === undefined) return
    const isBad = right.isBad || (wasGood && right.isBadIfLeftIsGood)
    this.#stretches.push({ events: right.events, isBad, isBadIfLeftIsGood: false })
  }

  /** What was tried failed, and was more than one event. */
  failed(): void {
    const stretch = this.#stretches.pop()
    const right = this.#stretches.pop()
    if (right !== undefined) this.#stretches.push({ ...right, isBadIfLeftIsGood: false })
    if (stretch !== undefined) this.#stretches.push({ ...stretch, isBad: true })
  }
}
