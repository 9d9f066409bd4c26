// Hours on the command line.

import { InvalidArgumentError } from "commander"

/** Longest time two secrets sign. spec 5.6. */
const HOURS_MAX = 72

/** A parser of hours, from none on. Errors: InvalidArgumentError. */
export const graceHours = (text: string): number => {
  const hours = Number(text)
  if (/^\d{1,2}$/.test(text) && hours <= HOURS_MAX) return hours
  throw new InvalidArgumentError(`Expected a whole number from 0 to ${HOURS_MAX}.`)
}
