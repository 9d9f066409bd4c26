// Numbers on the command line.

import { InvalidArgumentError } from "commander"

/** A parser of whole numbers from 1 to `max`. Errors: InvalidArgumentError. */
export const wholeNumber =
  (max: number) =>
  (text: string): number => {
    const number = Number(text)
    if (/^[0-9]+$/.test(text) && number >= 1 && number <= max) return number
    throw new InvalidArgumentError(`Expected a whole number from 1 to ${max}.`)
  }
