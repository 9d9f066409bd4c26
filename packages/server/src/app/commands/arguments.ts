// Parses the values that operators write after a command or option. Commander rejects invalid values with a message
// that says what was expected. Without Effect (docs/adr/0005).
import { InvalidArgumentError } from "commander"
import { userEmail } from "../../access/user-email.ts"

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

const unitSeconds: ReadonlyMap<string, number> = new Map(
  Object.entries({ s: 1, m: 60, h: 3600, d: 86_400 }),
)

const lifetimeMaxSeconds = 30 * 86_400

/** A token's lifetime: seconds, minutes, hours or days. Units: seconds. */
export const lifetime = (value: string): number => {
  const [, count = "", unit = ""] = /^([1-9]\d{0,6})([smhd])$/.exec(value) ?? []
  const seconds = Number(count) * (unitSeconds.get(unit) ?? 0)
  if (unit !== "" && seconds <= lifetimeMaxSeconds) return seconds
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
