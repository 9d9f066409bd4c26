// Who had a browser, and when (spec 2.1): everything before a second identification belongs to the first person,
// everything from then on to the second, by the events' times. One exception: a session in which someone was identified
// stays theirs. While an erased person had the browser it belongs to no one.

/** `[epoch milliseconds, visitor id]` in order of time; null for someone who was erased. */
export type Identifications = ReadonlyArray<readonly [number, string | null]>

/** The first and the latest are kept; of those in between, the oldest is dropped. */
export const identificationsMax = 50

/** A period in which one person had the browser; null means unbounded on that side. */
export interface Tenure {
  /** Null if no one had it. */
  readonly visitorId: string | null
  readonly from: number | null
  readonly until: number | null
}

/** Who had the browser at a moment; null for no one or someone who was erased. */
export const ownerAt = (identifications: Identifications, at: number): string | null => {
  const last = identifications.findLast(([from]) => from <= at) ?? identifications[0]
  return last === undefined ? null : last[1]
}

/** Adds an identification. Of consecutive ones of the same person, only the first and last are kept. */
export const identified = (
  identifications: Identifications,
  at: number,
  visitorId: string | null,
): Identifications => {
  const place = identifications.findLastIndex(([from]) => from <= at) + 1
  const all = identifications.toSpliced(place, 0, [at, visitorId])
  const kept = all.filter(
    ([, visitor], index) => all[index - 1]?.[1] !== visitor || all[index + 1]?.[1] !== visitor,
  )
  return kept.length > identificationsMax ? kept.toSpliced(1, 1) : kept
}

/** The periods of the whole timeline, in order; empty if no one was identified. */
export const tenures = (identifications: Identifications): ReadonlyArray<Tenure> => {
  const begins = identifications.filter(
    ([, visitorId], index) => identifications[index - 1]?.[1] !== visitorId,
  )
  return begins.map(([from, visitorId], index) => ({
    visitorId,
    from: index === 0 ? null : from,
    until: begins[index + 1]?.[0] ?? null,
  }))
}
