// Days of a footprint.

interface ActiveDay {
  readonly date: string
  readonly pageviews: number
  readonly keyPages: ReadonlyArray<string>
}

export interface FootprintDay {
  readonly date: string
  readonly pageviews: number
  readonly isKey: boolean
}

const dayMs = 86_400_000

/** Every day from the first to the last, also those without a visit. */
export const everyDay = (from: string, to: string): ReadonlyArray<string> => {
  const [first, last] = [Date.parse(from), Date.parse(to)]
  const days = Math.max(0, Math.round((last - first) / dayMs) + 1)
  return Array.from({ length: days }, (_, index) =>
    new Date(first + index * dayMs).toISOString().slice(0, 10),
  )
}

/** Adds up what several people did on each of the days. */
export const footprintOf = (
  dates: ReadonlyArray<string>,
  active: ReadonlyArray<ActiveDay>,
): ReadonlyArray<FootprintDay> => {
  const byDate = Map.groupBy(active, ({ date }) => date)
  return dates.map((date) => {
    const found = byDate.get(date) ?? []
    return {
      date,
      pageviews: found.reduce((sum, { pageviews }) => sum + pageviews, 0),
      isKey: found.some(({ keyPages }) => keyPages.length > 0),
    }
  })
}
