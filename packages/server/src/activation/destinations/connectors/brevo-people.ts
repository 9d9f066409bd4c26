// The contacts of Brevo. Who unsubscribed from everything, bounced or complained is on its blocklist. Who left a list is no
// longer on it, so who refused is found among all contacts. A contact may have no address.
import { Effect, Schema, Stream } from "effect"
import { type PeopleReader, placedPages } from "./people-reading.ts"

const Page = Schema.Struct({
  // Without contacts, Brevo leaves `contacts` out.
  contacts: Schema.optionalKey(
    Schema.Array(
      Schema.Struct({
        id: Schema.Int,
        email: Schema.optionalKey(Schema.NullOr(Schema.String)),
        emailBlacklisted: Schema.Boolean,
        listUnsubscribed: Schema.optionalKey(Schema.NullOr(Schema.Array(Schema.Int))),
      }),
    ),
  ),
})

export const brevoPeople: PeopleReader = {
  needsList: false,
  read: (api, { listId, people }) => {
    const listPath = `/contacts/lists/${encodeURIComponent(listId ?? "")}`
    const isAll = people === "all"
    const pages = placedPages(({ offset, size }) =>
      Effect.map(
        api.read(Page, {
          method: "GET",
          path: isAll && listId !== null ? `${listPath}/contacts` : "/contacts",
          query: { limit: size, offset, sort: "asc" },
        }),
        ({ contacts = [] }) =>
          contacts.map(({ email = null, emailBlacklisted, id, listUnsubscribed }) => {
            const left = listUnsubscribed ?? []
            const hasLeft = listId === null ? left.length > 0 : left.includes(Number(listId))
            return { key: id, email: isAll || emailBlacklisted || hasLeft ? email : null }
          }),
      ),
    )
    if (isAll || listId === null) return pages
    const list = api.ask({ method: "GET", path: listPath })
    return Stream.concat(Stream.drain(Stream.fromEffect(list)), pages)
  },
}
