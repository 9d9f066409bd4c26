// Random numbers that are the same for the same seed, for made-up people and their visits.

/** Mulberry32: small, fast, good enough for made-up people, and repeatable. */
export class SeededRandom {
  private state: number

  constructor(seed: number) {
    this.state = seed
  }

  /** From 0 to below 1. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  pick<A>(items: ReadonlyArray<A>): A {
    return items[Math.floor(this.next() * items.length)]!
  }

  /** From 0 to below `count`. */
  below(count: number): number {
    return Math.floor(this.next() * count)
  }

  /** One of the items, each as often as its weight says. */
  weighted<A>(items: ReadonlyArray<readonly [item: A, weight: number]>): A {
    let left = this.next() * items.reduce((sum, [, weight]) => sum + weight, 0)
    for (const [item, weight] of items) {
      left -= weight
      if (left < 0) return item
    }
    return items.at(-1)![0] // Rounding left a remainder.
  }

  uuid(): string {
    const hex = Array.from({ length: 32 }, () => Math.floor(this.next() * 16).toString(16)).join("")
    const variant = "89ab"[Number.parseInt(hex[16]!, 16) % 4]!
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`
  }
}
