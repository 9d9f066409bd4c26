// A part of one topic's staged signals: those of people up to some number, as far as they fit. Repeated signals of
// a person take one place. The next part takes the remaining people, so a part's memory is bounded no matter how
// large the topic is.
import type { StagedEntries } from "./staged-entries.ts"
import type { NewSignals } from "./topic-merge.ts"

export class PeoplePart {
  readonly #topicId: number
  readonly #behind: number
  #through: number
  readonly #people: Int32Array
  readonly #scores: Uint8Array
  readonly #isCounted: Uint8Array
  #length = 0

  /** `through`: no one with a greater number, even if there is room. `rowsMax`: at least 2. */
  constructor(part: {
    readonly topicId: number
    readonly behind: number
    readonly through: number
    readonly rowsMax: number
  }) {
    this.#topicId = part.topicId
    this.#behind = part.behind
    this.#through = part.through
    this.#people = new Int32Array(part.rowsMax)
    this.#scores = new Uint8Array(part.rowsMax)
    this.#isCounted = new Uint8Array(part.rowsMax)
  }

  /** The last person of the part, once everything has been added. */
  get through(): number {
    return this.#through
  }

  add(
    { people, scores, topicIds }: StagedEntries,
    { isCounted }: { readonly isCounted: boolean },
  ): void {
    for (let row = 0; row < topicIds.length; row++) {
      if (topicIds[row] !== this.#topicId) continue
      const person = people[row]!
      if (person <= this.#behind || person > this.#through) continue
      this.#people[this.#length] = person
      this.#scores[this.#length] = scores[row]!
      this.#isCounted[this.#length] = isCounted ? 1 : 0
      this.#length++
      if (this.#length === this.#people.length) this.#makeRoom()
    }
  }

  /** Each person's signals in order of arrival. */
  signals(): NewSignals {
    return {
      people: this.#people.subarray(0, this.#length),
      scores: this.#scores.subarray(0, this.#length),
      isCounted: this.#isCounted.subarray(0, this.#length),
    }
  }

  /** Keeps each person's last signal and the people with the lowest numbers, up to half the capacity. */
  #makeRoom(): void {
    const length = this.#length
    // One number per signal, with the person in the upper half and the position in the lower, so sorting keeps each
    // person's signals in order.
    const keys = new BigUint64Array(length)
    const halves = new Uint32Array(keys.buffer)
    for (let place = 0; place < length; place++) {
      halves[2 * place] = place
      halves[2 * place + 1] = this.#people[place]!
    }
    keys.sort()
    const scores = this.#scores.slice()
    const isCounted = this.#isCounted.slice()
    this.#length = 0
    for (let at = 0; at < length; at++) {
      const person = halves[2 * at + 1]!
      if (at + 1 < length && halves[2 * at + 3] === person) continue
      if (this.#length === length >> 1) {
        this.#through = this.#people[this.#length - 1]!
        return
      }
      this.#people[this.#length] = person
      this.#scores[this.#length] = scores[halves[2 * at]!]!
      this.#isCounted[this.#length] = isCounted[halves[2 * at]!]!
      this.#length++
    }
  }
}
