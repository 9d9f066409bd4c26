// The parts in which a date's staged signals are merged, each of which bounds the memory of one. A slice is all
// signals of some of its topics, grouped by topic, each in the order they were said. A topic that is larger than a
// slice is a slice of its own, and is taken in parts of its people (people-part.ts).
import { Context } from "effect"
import type { StagedEntries } from "./staged-entries.ts"
import type { Said } from "./topic-merge.ts"

/** Signals of one slice, about; a test may turn it. Our bound: some 20 MiB. */
export const SliceRowsMax = Context.Reference<number>("@footfall/server/topics/SliceRowsMax", {
  defaultValue: () => 1_000_000,
})

/** Topics of a slice: these and those between them. */
export interface Topics {
  readonly first: number
  readonly last: number
  /** It is one topic, and larger than a slice should be. */
  readonly isLarge: boolean
}

/** A date that is small enough. */
export const allTopics: Topics = { first: 1, last: Infinity, isLarge: false }

/** The slices of topics with so many signals. */
export const slicesOf = (
  signals: ReadonlyMap<number, number>,
  rowsMax: number,
): ReadonlyArray<Topics> => {
  const slices: Array<Topics> = []
  let rows = Infinity
  for (const [topicId, count] of [...signals].toSorted(([one], [other]) => one - other)) {
    const isLarge = count > rowsMax
    rows += count
    const last = slices.at(-1)
    if (last !== undefined && rows <= rowsMax) {
      slices[slices.length - 1] = { ...last, last: topicId }
    } else {
      slices.push({ first: topicId, last: topicId, isLarge })
      rows = isLarge ? Infinity : count
    }
  }
  return slices
}

export class Slice {
  readonly #topics: Topics
  readonly #pieces: Array<StagedEntries & { readonly isCounted: boolean }> = []
  readonly #counts = new Map<number, number>()

  constructor(topics: Topics) {
    this.#topics = topics
  }

  add(entries: StagedEntries, { isCounted }: { readonly isCounted: boolean }): void {
    const kept = this.#topics === allTopics ? entries : this.#mine(entries)
    countTopics(kept, this.#counts)
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
    const { first, last } = this.#topics
    const mine = {
      topicIds: new Int32Array(topicIds.length),
      people: new Int32Array(topicIds.length),
      scores: new Int32Array(topicIds.length),
    }
    let length = 0
    for (let row = 0; row < topicIds.length; row++) {
      if (topicIds[row]! < first || topicIds[row]! > last) continue
      mine.topicIds[length] = topicIds[row]!
      mine.people[length] = people[row]!
      mine.scores[length] = scores[row]!
      length++
    }
    // A copy of what is needed: a piece has few of the slice, and there are many pieces.
    return {
      topicIds: mine.topicIds.slice(0, length),
      people: mine.people.slice(0, length),
      scores: mine.scores.slice(0, length),
    }
  }
}

/** Adds how many signals of each topic there are. */
export const countTopics = ({ topicIds }: StagedEntries, counts: Map<number, number>): void => {
  // Signals of one topic often follow one another.
  for (let from = 0, to = 0; from < topicIds.length; from = to) {
    const topicId = topicIds[from]!
    while (topicIds[to] === topicId) to++
    counts.set(topicId, (counts.get(topicId) ?? 0) + to - from)
  }
}
