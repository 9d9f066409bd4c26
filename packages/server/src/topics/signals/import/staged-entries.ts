// Signals of one date as they wait to be merged, in the order of the stream: topics, then numbers of
// people, then scores, each a number of 32 bits, lowest byte first. They never leave the database that
// they came to, and are gone after a day.

export interface StagedEntries {
  readonly topicIds: Int32Array
  readonly people: Int32Array
  readonly scores: Int32Array
}

/** Topic, person and score. */
const columns = 3

export const stagedBytes = ({ people, scores, topicIds }: StagedEntries): Uint8Array => {
  const all = new Int32Array(columns * topicIds.length)
  all.set(topicIds, 0)
  all.set(people, topicIds.length)
  all.set(scores, 2 * topicIds.length)
  return new Uint8Array(all.buffer)
}

export const stagedEntries = (bytes: Uint8Array): StagedEntries => {
  // A copy, because numbers must begin at a multiple of their size.
  const all = new Int32Array(new Uint8Array(bytes).buffer)
  const length = all.length / columns
  return {
    topicIds: all.subarray(0, length),
    people: all.subarray(length, 2 * length),
    scores: all.subarray(2 * length),
  }
}

/** The entries of each date, by its place; rows of no one are left out. */
export const entriesByDate = (rows: {
  readonly length: number
  readonly dates: Uint16Array
  readonly topicIds: Int32Array
  readonly scores: Uint8Array
  /** Below 0: no one. */
  readonly people: Int32Array
}): ReadonlyMap<number, StagedEntries> => {
  const counts = new Map<number, number>()
  for (let row = 0; row < rows.length; row++) {
    const date = rows.dates[row]!
    if (rows.people[row]! > 0) counts.set(date, (counts.get(date) ?? 0) + 1)
  }
  const groups = new Map(
    [...counts].map(([date, count]) => [
      date,
      {
        topicIds: new Int32Array(count),
        people: new Int32Array(count),
        scores: new Int32Array(count),
        length: 0,
      },
    ]),
  )
  for (let row = 0; row < rows.length; row++) {
    if (rows.people[row]! < 0) continue
    const group = groups.get(rows.dates[row]!)!
    group.topicIds[group.length] = rows.topicIds[row]!
    group.people[group.length] = rows.people[row]!
    group.scores[group.length] = rows.scores[row]!
    group.length++
  }
  return groups
}

export const withoutPeople = (
  { people, scores, topicIds }: StagedEntries,
  gone: ReadonlySet<number>,
): StagedEntries => ({
  topicIds: topicIds.filter((_, row) => !gone.has(people[row]!)),
  scores: scores.filter((_, row) => !gone.has(people[row]!)),
  people: people.filter((person) => !gone.has(person)),
})
