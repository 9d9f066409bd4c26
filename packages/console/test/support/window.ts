// The console's default time window as the API takes it, and days that are over.

/** In UTC. */
export const daysAgo = (days: number): string =>
  new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

/** The first of 30 days in UTC up to today. */
export const firstOf30Days = (): string => daysAgo(29)
