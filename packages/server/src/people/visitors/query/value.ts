// Parses a predicate's value: the kind its operator takes, trimmed, within limits (spec 3.1, 3.2). Errors contain
// what was expected, what was received, and where.
import { DateTime, Result } from "effect"
import { show } from "../../../platform/http/issues.ts"
import { InvalidRule } from "./invalid-rule.ts"
import type { ValueKind } from "@footfall/normal-form/rule-fields"

/** Maximum code points of a text, after trimming. */ // spec 3.1
export const textLengthMax = 255
/** Maximum items of a list of texts or numbers. */ // spec 3.1
export const textsMax = 1_000

type Read = Result.Result<unknown, InvalidRule>

/** The value as stored in the rule. `path`: its JSON pointer. */
export const readValue = (kind: ValueKind, value: unknown, path: string): Read =>
  readers[kind](value, path)

const readNumber = (value: unknown, path: string): Read =>
  typeof value === "number" && Number.isFinite(value)
    ? Result.succeed(value)
    : wrongType("a finite number", value, path)

const readRange = (value: unknown, path: string): Read => {
  if (!Array.isArray(value) || value.length !== 2) {
    return wrongType("a list of two numbers, the lowest and the highest", value, path)
  }
  return Result.all(value.map((item, index) => readNumber(item, `${path}/${index}`)))
}

const readText = (value: unknown, path: string): Read => {
  if (typeof value !== "string") return wrongType("a string", value, path)
  const text = value.trim()
  const length = [...text].length
  return length <= textLengthMax
    ? Result.succeed(text)
    : tooLong(`at most ${textLengthMax} characters, received ${length}`, path)
}

const readListOf =
  (nouns: string, readOne: (value: unknown, path: string) => Read) =>
  (value: unknown, path: string): Read => {
    if (!Array.isArray(value) || value.length === 0) {
      return wrongType(`a list of 1 to ${textsMax} ${nouns}`, value, path)
    }
    if (value.length > textsMax) {
      return tooLong(`at most ${textsMax} ${nouns}, received ${value.length}`, path)
    }
    return Result.all(value.map((item, index) => readOne(item, `${path}/${index}`)))
  }

const readScalar = (value: unknown, path: string): Read =>
  typeof value === "string" || (typeof value === "number" && Number.isFinite(value))
    ? readers[typeof value === "string" ? "text" : "number"](value, path)
    : wrongType("a string or a finite number", value, path)

const readBoolean = (value: unknown, path: string): Read =>
  typeof value === "boolean" ? Result.succeed(value) : wrongType("true or false", value, path)

const readMoment = (value: unknown, path: string): Read =>
  typeof value === "string" && momentOf(value.trim()) !== undefined
    ? Result.succeed(value.trim())
    : wrongType("an ISO 8601 date, or a timestamp with its zone", value, path)

const readDuration = (value: unknown, path: string): Read =>
  typeof value === "string" && hoursOf(value.trim()) !== undefined
    ? Result.succeed(value.trim())
    : wrongType(`1h to ${hoursMax}h, or 1d to ${daysMax}d`, value, path)

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

const readId =
  (of: "list" | "member") =>
  (value: unknown, path: string): Read =>
    typeof value === "string" && uuid.test(value.trim())
      ? Result.succeed(value.trim().toLowerCase())
      : wrongType(`the id of a ${of}`, value, path)

const readMember = readId("member")

const readers: Readonly<Record<ValueKind, (value: unknown, path: string) => Read>> = {
  number: readNumber,
  range: readRange,
  text: readText,
  scalar: readScalar,
  texts: readListOf("strings", readText),
  numbers: readListOf("numbers", readNumber),
  boolean: readBoolean,
  moment: readMoment,
  duration: readDuration,
  list: readId("list"),
  member: readMember,
  members: readListOf("ids of members", readMember),
}

const wrongType = (expected: string, value: unknown, path: string): Read =>
  InvalidRule.fail("wrong_value_type", path, `Expected ${expected}, received ${show(value)}.`)

const tooLong = (expected: string, path: string): Read =>
  InvalidRule.fail("value_too_long", path, `Expected ${expected}.`)

// Maximum duration in a rule: hours or days within limits (spec 3.2).
export const hoursMax = 8_760
export const daysMax = 3_650

/** Whole hours; undefined unless the text is `<n>h` or `<n>d` within the limits. */
export const hoursOf = (text: string): number | undefined => {
  const [, digits, unit] = /^([1-9]\d{0,3})([hd])$/.exec(text) ?? []
  if (digits === undefined) return undefined
  const count = Number(digits)
  if (unit === "h") return count <= hoursMax ? count : undefined
  return count <= daysMax ? count * 24 : undefined
}

// A moment in a rule: an ISO 8601 date, meaning midnight UTC, or a timestamp with a zone (spec 3.2). A time without a
// zone is rejected as ambiguous.
const pattern =
  /^(\d{4}-\d{2}-\d{2})(?:T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d))?$/

/** The moment, or undefined if the text is invalid. */
export const momentOf = (text: string): DateTime.Utc | undefined => {
  const date = pattern.exec(text)?.[1]
  if (date === undefined) return undefined
  // JavaScript parses February 30 as March 2.
  const midnight = DateTime.make(`${date}T00:00:00Z`)
  if (midnight._tag === "None" || DateTime.formatIsoDateUtc(midnight.value) !== date) {
    return undefined
  }
  return DateTime.toUtc(DateTime.makeUnsafe(text))
}
