// Finds repeated texts with 8 bytes per text. Two texts count as equal if 64 bits of their hashes match. Among
// 1,000,000 texts the probability of a false match is about 3 in 100,000,000.

/** The first bits of the hash select a table. With several tables, growing one needs little extra memory. */
const TABLES = 16

/** Slots per table: 4 MiB for some 390,000 texts. All tables together: 64 MiB for some 6,300,000 texts. */
const SLOTS_MAX = 2 ** 19
const SLOTS_MIN = 2 ** 8

/** Fuller tables are slow. */
const FILL_MAX = 0.75

/**
 * Bounds: at most 64 MiB of memory. A full table accepts no more texts and reports each unknown text as new.
 * `hasOverflowed` is then true, and a text may be unknown even though it was added.
 */
export class DigestSet {
  readonly #seed = Math.floor(Math.random() * 2 ** 32)
  readonly #tables: ReadonlyArray<Table>

  /** `slotsMax`: slots in each of 16 tables, a power of 2 and at least 256. A table is full at three quarters. */
  constructor(slotsMax = SLOTS_MAX) {
    this.#tables = Array.from({ length: TABLES }, () => new Table(slotsMax))
  }

  /** Whether a text was added but not stored. */
  get hasOverflowed(): boolean {
    return this.#tables.some((table) => table.hasOverflowed)
  }

  /** Returns whether the text is new. */
  add(text: string): boolean {
    const [high, low] = this.#digest(text)
    return this.#tableOf(high).add(high, low)
  }

  has(text: string): boolean {
    const [high, low] = this.#digest(text)
    return this.#tableOf(high).has(high, low)
  }

  #tableOf(high: number): Table {
    const table = this.#tables[high % TABLES]
    if (table === undefined) throw new RangeError("there is a table for each remainder")
    return table
  }

  /** The low half is never 0. */
  #digest(text: string): readonly [high: number, low: number] {
    return [murmur(text, this.#seed, 0xcc9e2d51), murmur(text, ~this.#seed, 0x9e3779b1) || 1]
  }
}

/** Open addressing. A slot with a low half of 0 is free. */
class Table {
  #high = new Uint32Array(SLOTS_MIN)
  #low = new Uint32Array(SLOTS_MIN)
  #size = 0
  readonly #slotsMax: number
  hasOverflowed = false

  constructor(slotsMax: number) {
    this.#slotsMax = slotsMax
  }

  add(high: number, low: number): boolean {
    if (this.#size >= this.#low.length * FILL_MAX && this.#low.length < this.#slotsMax) this.#grow()
    const slot = this.#slotOf(high, low)
    if (this.#low[slot] !== 0) return false
    if (this.#size >= this.#slotsMax * FILL_MAX) {
      this.hasOverflowed = true
      return true
    }
    this.#high[slot] = high
    this.#low[slot] = low
    this.#size += 1
    return true
  }

  has(high: number, low: number): boolean {
    return this.#low[this.#slotOf(high, low)] !== 0
  }

  /** The text's slot, or the free slot for it. */
  #slotOf(high: number, low: number): number {
    const mask = this.#low.length - 1
    let slot = low & mask
    while (this.#low[slot] !== 0 && (this.#low[slot] !== low || this.#high[slot] !== high)) {
      slot = (slot + 1) & mask
    }
    return slot
  }

  #grow(): void {
    const [high, low] = [this.#high, this.#low]
    this.#high = new Uint32Array(high.length * 2)
    this.#low = new Uint32Array(low.length * 2)
    for (let index = 0; index < low.length; index += 1) {
      const [highHalf = 0, lowHalf = 0] = [high[index], low[index]]
      if (lowHalf === 0) continue
      const slot = this.#slotOf(highHalf, lowHalf)
      this.#high[slot] = highHalf
      this.#low[slot] = lowHalf
    }
  }
}

/** MurmurHash3 for 32 bits over UTF-16 units, with a custom first factor. */
const murmur = (text: string, seed: number, factor: number): number => {
  let hash = seed
  for (let index = 0; index < text.length; index += 1) {
    let unit = Math.imul(text.charCodeAt(index), factor)
    unit = Math.imul((unit << 15) | (unit >>> 17), 0x1b873593)
    hash ^= unit
    hash = (Math.imul((hash << 13) | (hash >>> 19), 5) + 0xe6546b64) | 0
  }
  hash ^= text.length
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
