// Caches the numbers of an import's people by hash, in a table of bounded size where a new entry may replace an old
// one. Unknown people are looked up in the database. One object per person would take ten times the memory.
import { hashWords } from "./signal-columns.ts"

/** Maximum people; 72 MiB. */
const slotsMax = 2 ** 21
const slotsMin = 2 ** 12

/** Number of slots in which a hash may be stored. */
const reach = 8

export class PersonNumbers {
  #slots = slotsMin
  #size = 0
  #hashes = new Int32Array(slotsMin * hashWords)
  /** 0 marks an empty slot. */
  #numbers = new Int32Array(slotsMin)

  /** Returns the number of the hash at a row of `hashes`; 0 if unknown. */
  get(hashes: Int32Array, row: number): number {
    const slot = this.#slotOf(hashes, row)
    return slot === -1 ? 0 : this.#numbers[slot]!
  }

  /** `number`: not 0. */
  set(hashes: Int32Array, row: number, number: number): void {
    if (this.#size * 2 > this.#slots && this.#slots < slotsMax) this.#grow()
    const known = this.#slotOf(hashes, row)
    const slot = known === -1 ? this.#freeSlot(hashes, row) : known
    if (this.#numbers[slot] === 0) this.#size++
    this.#numbers[slot] = number
    for (let word = 0; word < hashWords; word++) {
      this.#hashes[slot * hashWords + word] = hashes[row * hashWords + word]!
    }
  }

  /** Also frees the memory. */
  forget(): void {
    this.#slots = slotsMin
    this.#size = 0
    this.#hashes = new Int32Array(slotsMin * hashWords)
    this.#numbers = new Int32Array(slotsMin)
  }

  #slotOf(hashes: Int32Array, row: number): number {
    const first = this.#firstSlot(hashes, row)
    for (let step = 0; step < reach; step++) {
      const slot = (first + step) & (this.#slots - 1)
      if (this.#numbers[slot] === 0) return -1
      if (this.#isAt(slot, hashes, row)) return slot
    }
    return -1
  }

  /** The first empty slot within reach, or one that is replaced. */
  #freeSlot(hashes: Int32Array, row: number): number {
    const first = this.#firstSlot(hashes, row)
    for (let step = 0; step < reach; step++) {
      const slot = (first + step) & (this.#slots - 1)
      if (this.#numbers[slot] === 0) return slot
    }
    return (first + (hashes[row * hashWords]! & (reach - 1))) & (this.#slots - 1)
  }

  /** Uses all words, because forged hashes may agree in most of them. */
  #firstSlot(hashes: Int32Array, row: number): number {
    let mixed = 0
    for (let word = row * hashWords; word < (row + 1) * hashWords; word++) {
      mixed = Math.imul(mixed ^ hashes[word]!, 0x9e3779b1)
    }
    return (mixed ^ (mixed >>> 15)) & (this.#slots - 1)
  }

  #isAt(slot: number, hashes: Int32Array, row: number): boolean {
    for (let word = 0; word < hashWords; word++) {
      if (this.#hashes[slot * hashWords + word] !== hashes[row * hashWords + word]) return false
    }
    return true
  }

  #grow(): void {
    const [hashes, numbers, slots] = [this.#hashes, this.#numbers, this.#slots]
    this.#slots *= 2
    this.#size = 0
    this.#hashes = new Int32Array(this.#slots * hashWords)
    this.#numbers = new Int32Array(this.#slots)
    for (let slot = 0; slot < slots; slot++) {
      if (numbers[slot] !== 0) this.set(hashes, slot, numbers[slot]!)
    }
  }
}
