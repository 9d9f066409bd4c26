// The console's default time window as the API takes it.

/** The first of 30 days in UTC up to today. */
export const firstOf30Days = (): string =>
  new Date(Date.now() - 29 * 86_400_000).toISOString().slice(0, 10)
