// A list of a service, as our API returns it (spec 2.17): a mailing list, or the objects of a CRM that take contacts.
import { Schema } from "effect"
import type { ListFields } from "./list-contact.ts"

export const listFieldTypes = [
  "text",
  "number",
  "date",
  "choice_single",
  "choice_multiple",
] as const
export type ListFieldType = (typeof listFieldTypes)[number]

const ListField = Schema.Struct({
  tag: Schema.String,
  type: Schema.Literals(listFieldTypes),
  label: Schema.String,
  fallback: Schema.NullOr(Schema.String),
})
export type ListField = typeof ListField.Type

export class MailingList extends Schema.Opaque<MailingList>()(
  Schema.Struct({
    id: Schema.String,
    name: Schema.String,
    doubleOptIn: Schema.Boolean,
    fields: Schema.Array(ListField),
    tags: Schema.Array(Schema.String),
    counts: Schema.NullOr(
      Schema.Struct({
        pending: Schema.Int,
        subscribed: Schema.Int,
        unsubscribed: Schema.Int,
      }),
    ),
  }).annotate({ identifier: "MailingList" }),
) {}

export const field = (
  tag: string,
  type: ListFieldType = "text",
  label = tag,
  fallback: string | null = null,
): ListField => ({ tag, type, label, fallback })

/** A list of which nothing more is known. */
export const bareList = (id: string, name = id): MailingList => ({
  id,
  name,
  doubleOptIn: false,
  fields: [],
  tags: [],
  counts: null,
})

/** The values in the types of the list's fields. A field that the list doesn't have keeps its value. */
export const typedFields = (
  fields: ListFields,
  list: Pick<MailingList, "fields">,
): Record<string, string | number | ReadonlyArray<string>> => {
  const types = new Map(list.fields.map(({ tag, type }) => [tag, type]))
  const typed = (tag: string, value: string | number) => {
    switch (types.get(tag)) {
      case undefined:
        return value
      case "number":
        return Number.isFinite(Number(value)) ? Number(value) : undefined
      case "choice_multiple":
        return String(value).split("|")
      default:
        return String(value)
    }
  }
  return Object.fromEntries(
    Object.entries(fields).flatMap(([tag, value]) => {
      const written = typed(tag, value)
      return written === undefined ? [] : [[tag, written]]
    }),
  )
}
