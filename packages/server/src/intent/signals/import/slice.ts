// Splits a date's staged signals into slices, to bound the memory of merging. A slice contains all signals of some
// topics, grouped by topic, each group in order of arrival. A topic larger than a slice is its own slice and is merged
// in parts of its people (people-part.ts).
import { Context } from "effect"
import type { StagedEntries } from "./staged-entries.ts"
import type { NewSignals } from "./topic-merge.ts"

/** Approximate signals per slice, some 20 MiB. Tests change it. */
export const SliceRowsMax = Context.Reference<number>("@footfall/server/topics/SliceRowsMax", {
  defaultValue: () => 1_000_000,
})

/** The topics of a slice: these and all between them. */
export interface Topics {
  readonly first: number
  readonly last: number
  /** A single topic that is larger than a slice should be. */
  readonly isLarge: boolean
}

/** For a date that is small enough. */
export const allTopics: Topics = { first: 1, last: Infinity, isLarge: false }

/** The slices for topics of these sizes. */
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

  /** Returns the signals by ascending topic. Releases what was added. */
  topics(): ReadonlyMap<number, NewSignals> {
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
    // Copied, because a piece contains little of the slice and there are many pieces.
    return {
      topicIds: mine.topicIds.slice(0, length),
      people: mine.people.slice(0, length),
      scores: mine.scores.slice(0, length),
    }
  }
}

/** Adds the number of signals of each topic. */
export const countTopics = ({ topicIds }: StagedEntries, counts: Map<number, number>): void => {
  // Signals of one topic often follow each other.
  for (let from = 0, to = 0; from < topicIds.length; from = to) {
    const topicId = topicIds[from]!
    while (topicIds[to] === topicId) to++
    counts.set(topicId, (counts.get(topicId) ?? 0) + to - from)
  }
}
