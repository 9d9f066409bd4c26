// Numbers on the command line.

import { InvalidArgumentError } from "commander"

/** A parser of whole numbers from `min` to `max`. Errors: InvalidArgumentError. */
export const wholeNumber =
  (max: number, min = 1) =>
  (text: string): number => {
    const number = Number(text)
    if (/^[0-9]+$/.test(text) && number >= min && number <= max) return number
    throw new InvalidArgumentError(`Expected a whole number from ${min} to ${max}.`)
  }
