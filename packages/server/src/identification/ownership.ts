// Whose a browser was, and when. Two addresses identified in one browser are two people: what came
// before the first identification belongs to the first person, what comes from the second on belongs
// to the second (spec 2.1). Decided by the time of the events, never by their arrival, so an
// event that comes late still goes to whoever it was then. What it does not decide: a session in which
// someone was identified stays theirs, whoever turns out to have had the browser before (browser.ts).
// While an erased person had the browser it was no one's: what was theirs does not fall to others.

/** `[epoch milliseconds, visitor id]` in order of time; null: someone who was erased. */
export type Identifications = ReadonlyArray<readonly [number, string | null]>

/** The first and the latest are kept, of those between the oldest is let go. Our bound. */
export const identificationsMax = 50

/** A stretch of time that belongs to one person; null: without end on that side. */
export interface Tenure {
  /** Null: no one's. */
  readonly visitorId: string | null
  readonly from: number | null
  readonly until: number | null
}

/** Who had the browser at a moment; null when no one did, or no one who was not erased. */
export const ownerAt = (identifications: Identifications, at: number): string | null => {
  const last = identifications.findLast(([from]) => from <= at) ?? identifications[0]
  return last === undefined ? null : last[1]
}

/** Adds an identification. Of a row of the same person only the first and the last are kept. */
export const identified = (
  identifications: Identifications,
  at: number,
  visitorId: string | null,
): Identifications => {
  const place = identifications.findLastIndex(([from]) => from <= at) + 1
  const all = identifications.toSpliced(place, 0, [at, visitorId])
  const told = all.filter(
    ([, visitor], index) => all[index - 1]?.[1] !== visitor || all[index + 1]?.[1] !== visitor,
  )
  return told.length > identificationsMax ? told.toSpliced(1, 1) : told
}

/** The stretches of the whole time line, in order; none when no one was identified. */
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
