// Ids on the command line.

import { InvalidArgumentError } from "commander"

/**
 * A parser of ids, which are uuids in lower case (spec 1.5).
 * Errors: InvalidArgumentError, naming the command that lists them.
 */
export const uuid =
  (noun: string, listCommand: string) =>
  (text: string): string => {
    const id = text.toLowerCase()
    if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) return id
    throw new InvalidArgumentError(`Expected the id of ${noun}. Run: ${listCommand}`)
  }
