// One imported signal: all fields are needed, the topic must be of the catalogue, and the date within the
// time that signals are kept. Source: spec 2.19, 5.14.
import { DateTime, Option } from "effect"
import { type Field, text, wholeNumber } from "../../../people/import/field.ts"
import { type FieldValues, RecordReader } from "../../../people/import/record-reader.ts"
import { Rejection } from "../../../people/import/rejection.ts"
import { normalizeEmailHash } from "../../../visits/email-address.ts"
import { missingField, topicIdField } from "../../import/topic-row.ts"

/** Days that signals are kept. */ // spec 1.8
export const signalDaysMax = 400

export const scoreMax = 100

/** Units: code points; longer texts are neither hash nor date. */
const textLengthMax = 255

/** A day of the calendar. */
const day = (value: string): string | undefined => {
  const date = /^\d{4}-\d{2}-\d{2}$/.test(value) ? DateTime.make(`${value}T00:00:00Z`) : undefined
  if (date === undefined || Option.isNone(date)) return undefined
  return DateTime.formatIsoDateUtc(date.value) === value ? value : undefined
}

const fields: ReadonlyArray<Field> = [
  topicIdField,
  text({ path: "emailHash", column: "email_hash" }, textLengthMax, normalizeEmailHash),
  wholeNumber({ path: "score", column: "score" }, { minimum: 1, maximum: scoreMax }),
  text({ path: "date", column: "date" }, textLengthMax, day),
]

export const signalReader = new RecordReader(fields)

export const signalPaths = fields.map(({ path }) => path)

export interface SignalRow {
  readonly topicId: number
  readonly emailHash: string
  readonly score: number
  /** Place in the list of dates. */
  readonly date: number
  /** Of the data row, from 1. */
  readonly number: number
}

/** What signals of one import may name, and the dates they have named, each at its place. */
export class SignalScope {
  readonly topicIds: ReadonlySet<number>
  readonly #first: string
  readonly #last: string
  readonly #places = new Map<string, number>()

  /** `dates`: the first and the last that signals may have, `YYYY-MM-DD`. */
  constructor(topicIds: ReadonlySet<number>, dates: readonly [first: string, last: string]) {
    this.topicIds = topicIds
    this.#first = dates[0]
    this.#last = dates[1]
  }

  /** In the order of their places. */
  get dates(): ReadonlyArray<string> {
    return [...this.#places.keys()]
  }

  /** The place of a day of the calendar; undefined where signals may not have it. */
  placeOf(date: string): number | undefined {
    const known = this.#places.get(date)
    if (known !== undefined) return known
    if (date < this.#first || date > this.#last) return undefined
    this.#places.set(date, this.#places.size)
    return this.#places.size - 1
  }

  /** The place of what may be no day at all. */
  placeOfText(date: string): number | undefined {
    return day(date) === undefined ? undefined : this.placeOf(date)
  }

  row(said: FieldValues, number: number): SignalRow | Rejection {
    const missing = missingField(fields, said)
    if (missing !== undefined) return missing
    // Their readers give numbers and texts.
    const [topicId, emailHash, score, date] = said.values as [number, string, number, string]
    if (!this.topicIds.has(topicId)) return new Rejection("unknown_topic", "topicId")
    const place = this.placeOf(date)
    if (place === undefined) return new Rejection("out_of_range", "date")
    return { topicId, emailHash, score, date: place, number }
  }
}
