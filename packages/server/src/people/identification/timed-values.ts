// Values by key with the time they were reported: the latest wins, in whatever order they arrive. Of two values in one
// millisecond the greater text wins, so the order never matters. A key may be any text, including `constructor` and
// `__proto__`.

/** `[value, epoch milliseconds]` by key. */
export type TimedValues = Readonly<Record<string, readonly [string, number]>>

/** Adds the values reported at `at`; empty values are ignored. */
export const withValues = (
  values: TimedValues,
  reported: Readonly<Record<string, string>> | undefined,
  at: number,
): TimedValues => {
  if (reported === undefined) return values
  const next = new Map(Object.entries(values))
  for (const [key, value] of Object.entries(reported)) {
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
