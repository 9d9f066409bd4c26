// Reads one imported signal. All fields are required, the topic must be in the catalog, and the date within the
// retention of signals (spec 2.19, 5.14).
import { DateTime, Option } from "effect"
import { type Field, text, wholeNumber } from "../../../people/imports/field.ts"
import {
  type FieldValues,
  missingField,
  RecordReader,
} from "../../../people/imports/record-reader.ts"
import { Rejection } from "../../../people/imports/rejection.ts"
import { normalizeEmailHash } from "../../../collect/visits/email-address.ts"

/** How many days signals are kept. */ // spec 1.8
export const signalDaysMax = 400

export const scoreMax = 100

/** Units: code points. No hash or date is longer. */
const textLengthMax = 255

/** A calendar day. */
const day = (value: string): string | undefined => {
  const date = /^\d{4}-\d{2}-\d{2}$/.test(value) ? DateTime.make(`${value}T00:00:00Z`) : undefined
  if (date === undefined || Option.isNone(date)) return undefined
  return DateTime.formatIsoDateUtc(date.value) === value ? value : undefined
}

/** The limit of a database column. */
const topicIdMax = 2_147_483_647

export const topicIdField = wholeNumber(
  { path: "topicId", column: "topic_id" },
  { minimum: 1, maximum: topicIdMax },
)

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
  /** Number of the data row, from 1. */
  readonly number: number
}

/** The topics and dates that an import's signals may name, and the dates named so far, each with its index. */
export class SignalScope {
  readonly topicIds: ReadonlySet<number>
  readonly #first: string
  readonly #last: string
  readonly #places = new Map<string, number>()

  /** `dates`: the first and last allowed date, `YYYY-MM-DD`. */
  constructor(topicIds: ReadonlySet<number>, dates: readonly [first: string, last: string]) {
    this.topicIds = topicIds
    this.#first = dates[0]
    this.#last = dates[1]
  }

  /** In order of their places. */
  get dates(): ReadonlyArray<string> {
    return [...this.#places.keys()]
  }

  /** The place of a calendar day; undefined if signals may not have it. */
  placeOf(date: string): number | undefined {
    const known = this.#places.get(date)
    if (known !== undefined) return known
    if (date < this.#first || date > this.#last) return undefined
    this.#places.set(date, this.#places.size)
    return this.#places.size - 1
  }

  /** The place of text that may not be a day. */
  placeOfText(date: string): number | undefined {
    return day(date) === undefined ? undefined : this.placeOf(date)
  }

  row(submitted: FieldValues, number: number): SignalRow | Rejection {
    const missing = missingField(fields, submitted)
    if (missing !== undefined) return missing
    // Their parsers return numbers and texts.
    const [topicId, emailHash, score, date] = submitted.values as [number, string, number, string]
    if (!this.topicIds.has(topicId)) return new Rejection("unknown_topic", "topicId")
    const place = this.placeOf(date)
    if (place === undefined) return new Rejection("out_of_range", "date")
    return { topicId, emailHash, score, date: place, number }
  }
}
