// A part of a date's staged signals that is merged at once: all those of some of its topics, grouped by
// topic, each in the order they were said. The parts are as many as bound the memory of one.
import type { StagedEntries } from "./staged-entries.ts"
import type { Said } from "./topic-merge.ts"

/** Signals of one slice, about. Our bound: some 20 MiB. */
const sliceRowsMax = 1_000_000

export const slicesOf = (rows: number): number => Math.max(1, Math.ceil(rows / sliceRowsMax))

export class Slice {
  readonly #slices: number
  readonly #slice: number
  readonly #pieces: Array<StagedEntries & { readonly isCounted: boolean }> = []
  readonly #counts = new Map<number, number>()

  constructor({ of, slice }: { readonly slice: number; readonly of: number }) {
    this.#slice = slice
    this.#slices = of
  }

  add(entries: StagedEntries, { isCounted }: { readonly isCounted: boolean }): void {
    const kept = this.#slices === 1 ? entries : this.#mine(entries)
    // Signals of one topic often follow one another.
    for (let from = 0, to = 0; from < kept.topicIds.length; from = to) {
      const topicId = kept.topicIds[from]!
      while (kept.topicIds[to] === topicId) to++
      this.#counts.set(topicId, (this.#counts.get(topicId) ?? 0) + to - from)
    }
    this.#pieces.push({ ...kept, isCounted })
  }

  /** By ascending topic; what was added is given up. */
  topics(): ReadonlyMap<number, Said> {
    const groups = new Map(
      [...this.#counts]
        .toSorted(([one], [other]) => one - other)
        .map(([topicId, count]) => [
          topicId,
          {
            people: new Int32Array(count),
            scores: new Uint8Array(count),
            isCounted: new Uint8Array(count),
            length: 0,
          },
        ]),
    )
    for (const { isCounted, people, scores, topicIds } of this.#pieces.splice(0)) {
      for (let row = 0, group = groups.get(topicIds[0]!); row < topicIds.length; row++) {
        if (row > 0 && topicIds[row] !== topicIds[row - 1]) group = groups.get(topicIds[row]!)
        group!.people[group!.length] = people[row]!
        group!.scores[group!.length] = scores[row]!
        group!.isCounted[group!.length] = isCounted ? 1 : 0
        group!.length++
      }
    }
    return groups
  }

  #mine({ people, scores, topicIds }: StagedEntries): StagedEntries {
    const mine = {
      topicIds: new Int32Array(topicIds.length),
      people: new Int32Array(topicIds.length),
      scores: new Int32Array(topicIds.length),
    }
    let length = 0
    for (let row = 0; row < topicIds.length; row++) {
      if (topicIds[row]! % this.#slices !== this.#slice) continue
      mine.topicIds[length] = topicIds[row]!
      mine.people[length] = people[row]!
      mine.scores[length] = scores[row]!
      length++
    }
    return {
      topicIds: mine.topicIds.subarray(0, length),
      people: mine.people.subarray(0, length),
      scores: mine.scores.subarray(0, length),
    }
  }
}
