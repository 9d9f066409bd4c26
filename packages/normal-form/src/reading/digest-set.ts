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
  readonly #seed = Math.floor(Math.random() * 2 ** 32) | 0
  readonly #tables: ReadonlyArray<Table>
  /** The halves of the latest digest: an object for each text would be garbage. */
  #high = 0
  #low = 0

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
    return this.#tableOf(text).add(this.#high, this.#low)
  }

  has(text: string): boolean {
    return this.#tableOf(text).has(this.#high, this.#low)
  }

  #tableOf(text: string): Table {
    this.#digest(text)
    const table = this.#tables[this.#high & (TABLES - 1)]
    if (table === undefined) throw new RangeError("there is a table for each remainder")
    return table
  }

  /** MurmurHash3 for 32 bits over UTF-16 units, for both halves: they differ in seed and first factor. */
  #digest(text: string): void {
    let high = this.#seed
    let low = ~this.#seed
    for (let index = 0; index < text.length; index += 1) {
      const unit = text.charCodeAt(index)
      high = mixed(high, Math.imul(unit, 0xcc9e2d51))
      low = mixed(low, Math.imul(unit, 0x9e3779b1))
    }
    this.#high = ended(high, text.length)
    this.#low = ended(low, text.length) || 1
  }
}

/**
 * Open addressing. A slot is two numbers next to each other, so that the processor fetches both at once: the low half
 * and the high half of a digest. A slot with a low half of 0 is free.
 */
class Table {
  #slots = new Int32Array(2 * SLOTS_MIN)
  #size = 0
  readonly #slotsMax: number
  hasOverflowed = false

  constructor(slotsMax: number) {
    this.#slotsMax = slotsMax
  }

  add(high: number, low: number): boolean {
    const length = this.#slots.length / 2
    if (this.#size >= length * FILL_MAX && length < this.#slotsMax) this.#grow()
    const slot = this.#slotOf(high, low)
    if (this.#slots[slot] !== 0) return false
    if (this.#size >= this.#slotsMax * FILL_MAX) {
      this.hasOverflowed = true
      return true
    }
    this.#slots[slot] = low
    this.#slots[slot + 1] = high
    this.#size += 1
    return true
  }

  has(high: number, low: number): boolean {
    return this.#slots[this.#slotOf(high, low)] !== 0
  }

  /** Where the text's slot begins, or the free slot for it. */
  #slotOf(high: number, low: number): number {
    const slots = this.#slots
    const mask = slots.length - 1
    let slot = (low << 1) & mask
    while (slots[slot] !== 0 && (slots[slot] !== low || slots[slot + 1] !== high)) {
      slot = (slot + 2) & mask
    }
    return slot
  }

  #grow(): void {
    const old = this.#slots
    this.#slots = new Int32Array(2 * old.length)
    for (let index = 0; index < old.length; index += 2) {
      const [low = 0, high = 0] = [old[index], old[index + 1]]
      if (low === 0) continue
      const slot = this.#slotOf(high, low)
      this.#slots[slot] = low
      this.#slots[slot + 1] = high
    }
  }
}

/** A step of MurmurHash3. */
const mixed = (hash: number, unit: number): number => {
  const both = hash ^ Math.imul((unit << 15) | (unit >>> 17), 0x1b873593)
  return (Math.imul((both << 13) | (both >>> 19), 5) + 0xe6546b64) | 0
}

/** The end of MurmurHash3. */
const ended = (hash: number, length: number): number => {
  let end = hash ^ length
  end = Math.imul(end ^ (end >>> 16), 0x85ebca6b)
  end = Math.imul(end ^ (end >>> 13), 0xc2b2ae35)
  return end ^ (end >>> 16)
}
