// Numeric options: whole numbers within bounds.

import { ConfigurationError } from "../errors/footfall-error.ts"

/** Smallest and largest accepted value. */
export interface Bound {
  readonly min: number
  readonly max: number
}

/** Returns the value. Errors: ConfigurationError with option, range and value. */
export function checkBound(name: string, value: number, { min, max }: Bound): number {
  if (Number.isInteger(value) && value >= min && value <= max) return value
  throw new ConfigurationError(
    `${name} must be a whole number from ${min} to ${max}; received ${String(value)}`,
  )
}
