// Schemas shared by the rooms' contracts.
import { DateTime, Option, Schema } from "effect"

/**
 * Adds a description for /openapi.json, /docs and the reference, without changing what is accepted. The description
 * goes on the key and on the encoded form, because the documents lose the key of fields that are trimmed or normalized.
 * A named schema keeps its own description, since other fields use it too.
 */
export const described = <Field extends Schema.Top>(
  description: string,
  field: Field,
): Field["Rebuild"] => {
  const keyed = field.annotateKey({ description })
  if (field.ast.annotations?.["identifier"] !== undefined) return keyed
  // Rebuilding it returns a schema of the same kind.
  return Schema.annotateEncoded<Field>({ description })(keyed as unknown as Field)
}

// A calendar day as requests name it: `YYYY-MM-DD`, UTC (spec 1.5).
const isCalendarDate = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) &&
  text >= "1970-01-01" &&
  Option.exists(DateTime.make(text), (day) => DateTime.formatIsoDateUtc(day) === text)

export const CalendarDate = Schema.Trim.check(
  Schema.makeFilter(isCalendarDate, {
    expected: "a date such as 2026-03-11, from 1970-01-01 to 9999-12-31",
  }),
)

/**
 * An empty body: `{}`. An empty struct would accept any field, like the type `{}`; this rejects each field by name.
 * With BodyOptional the body may be missing.
 */ // spec 1.4.12
export const noFields = Schema.Record(Schema.String, Schema.Never)

/** The query of an endpoint without parameters: rejects each parameter by name. */ // spec 1.4
export const noParameters = Schema.Record(Schema.String, Schema.Never)

// Text in a request: trimmed, then limited in length. Passwords are not trimmed and don't use this (spec 1.5).

/** All text lengths are counted this way. *Units*: Unicode code points. */ // spec 1.5
export const lengthAtLeast = (lengthMin: number) =>
  Schema.isMinCodePoints(lengthMin, {
    expected: lengthMin === 1 ? "at least 1 character" : `at least ${lengthMin} characters`,
    issueCode: "min_length",
  })

export const lengthAtMost = (lengthMax: number) =>
  Schema.isMaxCodePoints(lengthMax, {
    expected: `at most ${lengthMax} characters`,
    issueCode: "max_length",
  })

/**
 * *Units*: Unicode code points, after trimming.
 */
export const requestText = ({
  lengthMax,
  lengthMin,
}: {
  readonly lengthMin: number
  readonly lengthMax: number
}) => Schema.Trim.check(lengthAtLeast(lengthMin), lengthAtMost(lengthMax))
