// One date's staged signals in stream order: topics, then people's numbers, then scores, all 32-bit little-endian.
// They never leave the database that holds them and are deleted after a day.

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
  // A copy, because typed arrays must be aligned.
  const all = new Int32Array(new Uint8Array(bytes).buffer)
  const length = all.length / columns
  return {
    topicIds: all.subarray(0, length),
    people: all.subarray(length, 2 * length),
    scores: all.subarray(2 * length),
  }
}

/** Returns the entries of each date by its index, without erased people. */
export const entriesByDate = (rows: {
  readonly length: number
  readonly dates: Uint16Array
  readonly topicIds: Int32Array
  readonly scores: Uint8Array
  /** Negative for an erased person. */
  readonly people: Int32Array
}): ReadonlyMap<number, StagedEntries> => {
  const dates = rows.dates.subarray(0, rows.length)
  const counts = new Uint32Array(dates.reduce((most, date) => Math.max(most, date), 0) + 1)
  for (let row = 0; row < rows.length; row++) {
    if (rows.people[row]! > 0) counts[dates[row]!]!++
  }
  const groups = Array.from(counts, (count) => ({
    topicIds: new Int32Array(count),
    people: new Int32Array(count),
    scores: new Int32Array(count),
    length: 0,
  }))
  for (let row = 0; row < rows.length; row++) {
    if (rows.people[row]! < 0) continue
    const group = groups[dates[row]!]!
    group.topicIds[group.length] = rows.topicIds[row]!
    group.people[group.length] = rows.people[row]!
    group.scores[group.length] = rows.scores[row]!
    group.length++
  }
  return new Map([...groups.entries()].filter(([, { length }]) => length > 0))
}

export const withoutPeople = (
  { people, scores, topicIds }: StagedEntries,
  gone: ReadonlySet<number>,
): StagedEntries => ({
  topicIds: topicIds.filter((_, row) => !gone.has(people[row]!)),
  scores: scores.filter((_, row) => !gone.has(people[row]!)),
  people: people.filter((person) => !gone.has(person)),
})
