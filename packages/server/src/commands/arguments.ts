// Parses the values that operators write after a command or option. Commander rejects invalid values with a message
// that says what was expected.
import { InvalidArgumentError } from "commander"
import type { Duration } from "effect"
import { userEmail } from "../access/user.ts"
import { readLifetime } from "./token.ts"

export const port = (value: string): number => {
  if (/^\d{1,5}$/.test(value) && Number(value) <= 65_535) return Number(value)
  throw new InvalidArgumentError("Expected a port from 0 to 65535.")
}

/** Units: Unicode code points, after trimming. */ // spec 1.5
export const textUpTo =
  (lengthMax: number) =>
  (value: string): string => {
    const text = value.trim()
    const length = [...text].length
    if (length >= 1 && length <= lengthMax) return text
    throw new InvalidArgumentError(`Expected 1 to ${lengthMax} characters.`)
  }

export const email = (value: string): string => {
  const address = userEmail(value)
  if (address !== undefined) return address
  throw new InvalidArgumentError("Expected an email address.")
}

export const lifetime = (value: string): Duration.Duration => {
  const read = readLifetime(value)
  if (read !== undefined) return read
  throw new InvalidArgumentError("Expected a time such as 90s, 30m, 1h or 7d, at most 30 days.")
}

/** The limit of a database column. */
const countMax = 2_147_483_647

/** Commander turns null into empty text, so "none" stays a word until `limitOf`. */
export const countOrNone = (value: string): number | "none" => {
  if (value === "none") return value
  if (/^\d{1,10}$/.test(value) && Number(value) <= countMax) return Number(value)
  throw new InvalidArgumentError(`Expected a number up to ${countMax}, or none.`)
}

export const limitOf = (value: number | "none" | undefined) => (value === "none" ? null : value)

export const isOn = (value: "on" | "off" | undefined) =>
  value === undefined ? undefined : value === "on"
