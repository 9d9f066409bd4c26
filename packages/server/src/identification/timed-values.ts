// A value by key together with when it was said: the last one wins, in whatever order they arrive. Of
// two values of one millisecond the greater text wins, so that the result never depends on order. A key
// may be any text, `constructor` and `__proto__` too.

/** `[value, epoch milliseconds]` by key. */
export type TimedValues = Readonly<Record<string, readonly [string, number]>>

/** The values with those of `said` at `at`; empty values say nothing. */
export const withValues = (
  values: TimedValues,
  said: Readonly<Record<string, string>> | undefined,
  at: number,
): TimedValues => {
  if (said === undefined) return values
  const next = new Map(Object.entries(values))
  for (const [key, value] of Object.entries(said)) {
    const known = next.get(key)
    if (value !== "" && (known === undefined || isLater([value, at], known)))
      next.set(key, [value, at])
  }
  return Object.fromEntries(next)
}

const isLater = (
  [value, at]: readonly [string, number],
  [knownValue, knownAt]: readonly [string, number],
): boolean => at > knownAt || (at === knownAt && value > knownValue)
