// A provider's mailing list, as returned by our API and by the provider's (spec 2.17). Everything except id and name
// may be missing from the provider's response.
import { Schema } from "effect"

export const listFieldTypes = [
  "text",
  "number",
  "date",
  "choice_single",
  "choice_multiple",
] as const

const ListField = Schema.Struct({
  tag: Schema.String,
  type: Schema.Literals(listFieldTypes),
  label: Schema.String,
  fallback: Schema.NullOr(Schema.String),
})

export class MailingList extends Schema.Opaque<MailingList>()(
  Schema.Struct({
    id: Schema.String,
    name: Schema.String,
    doubleOptIn: Schema.Boolean,
    fields: Schema.Array(ListField),
    tags: Schema.Array(Schema.String),
    counts: Schema.Struct({
      pending: Schema.Int,
      subscribed: Schema.Int,
      unsubscribed: Schema.Int,
    }),
  }).annotate({ identifier: "MailingList" }),
) {}

const count = Schema.optionalKey(Schema.Int)
const Counts = Schema.Struct({ pending: count, subscribed: count, unsubscribed: count })

/** One page of `GET {base}/lists`. */
export const ListsPage = Schema.Struct({
  data: Schema.Array(
    Schema.Struct({
      id: Schema.String,
      name: Schema.String,
      double_opt_in: Schema.optionalKey(Schema.Boolean),
      fields: Schema.optionalKey(
        Schema.Array(
          Schema.Struct({
            tag: Schema.String,
            type: Schema.Literals(listFieldTypes),
            label: Schema.optionalKey(Schema.String),
            fallback: Schema.optionalKey(Schema.NullOr(Schema.String)),
          }),
        ),
      ),
      tags: Schema.optionalKey(Schema.Array(Schema.String)),
      // An object, or an array that has it.
      counts: Schema.optionalKey(Schema.Union([Counts, Schema.Array(Counts)])),
    }),
  ),
  paging: Schema.optionalKey(
    Schema.NullOr(
      Schema.Struct({
        next: Schema.optionalKey(Schema.NullOr(Schema.Struct({ url: Schema.String }))),
      }),
    ),
  ),
})

export const mailingListOf = (list: (typeof ListsPage.Type)["data"][number]): MailingList => {
  const { pending = 0, subscribed = 0, unsubscribed = 0 } = [list.counts].flat()[0] ?? {}
  return {
    id: list.id,
    name: list.name,
    doubleOptIn: list.double_opt_in ?? false,
    fields: (list.fields ?? []).map(({ fallback = null, label, tag, type }) => ({
      tag,
      type,
      label: label ?? tag,
      fallback,
    })),
    tags: list.tags ?? [],
    counts: { pending, subscribed, unsubscribed },
  }
}
