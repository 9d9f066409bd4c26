// The contacts of HubSpot, of the account or of a list, a dynamic one too. Opting out and bouncing are properties of the
// contact. A contact may have more than one address, or none.
import { Effect, Schema, Stream } from "effect"
import { ListGone } from "./connector-error.ts"
import { bareList } from "./mailing-list.ts"
import { linkedPages, type PeopleReader, type WhichPeople } from "./people-reading.ts"
import type { ProviderApi } from "./provider-api.ts"

export const contactType = "0-1"
const perPage = 100

const List = Schema.Struct({
  listId: Schema.String,
  name: Schema.String,
  objectTypeId: Schema.String,
  processingType: Schema.String,
})
const Lists = Schema.Struct({
  lists: Schema.Array(List),
  hasMore: Schema.Boolean,
  offset: Schema.Int,
})
const OneList = Schema.Struct({ list: List })

/** The lists of contacts of these kinds. */
export const contactLists = (api: ProviderApi, processingTypes: ReadonlyArray<string>) => {
  const page = (offset: number) =>
    ({
      method: "POST",
      path: "/crm/v3/lists/search",
      body: {
        processingTypes,
        objectTypeId: contactType,
        count: perPage,
        offset,
        additionalProperties: [],
      },
    }) as const
  const all = api.pages(
    Lists,
    page(0),
    ({ lists }) => lists,
    ({ hasMore, offset }) => (hasMore ? page(offset) : undefined),
  )
  return Effect.map(all, (lists) => lists.filter(isOfContacts))
}

const isOfContacts = ({ objectTypeId }: typeof List.Type) => objectTypeId === contactType

/** A list of contacts. Fails with ListGone. */
export const contactList = Effect.fnUntraced(function* (api: ProviderApi, listId: string) {
  const path = `/crm/v3/lists/${encodeURIComponent(listId)}`
  const { list } = yield* api.read(OneList, { method: "GET", path })
  return isOfContacts(list) ? list : yield* new ListGone()
})

const properties = [
  "email",
  "hs_additional_emails",
  "hs_email_optout",
  "hs_email_hard_bounce_reason_enum",
  "hs_email_quarantined",
  "hs_email_bad_address",
]

const Contact = Schema.Struct({
  properties: Schema.Record(Schema.String, Schema.NullOr(Schema.String)),
})
const Next = Schema.optionalKey(
  Schema.Struct({ next: Schema.optionalKey(Schema.Struct({ after: Schema.String })) }),
)
const Contacts = Schema.Struct({ results: Schema.Array(Contact), paging: Next })
const Memberships = Schema.Struct({
  results: Schema.Array(Schema.Struct({ recordId: Schema.String })),
  paging: Next,
})

const emailsOf =
  (people: WhichPeople) =>
  ({ properties: all }: typeof Contact.Type): ReadonlyArray<string> => {
    const own = new Map(Object.entries(all))
    const isRefusing =
      ["hs_email_optout", "hs_email_quarantined", "hs_email_bad_address"].some(
        (name) => own.get(name) === "true",
      ) || (own.get("hs_email_hard_bounce_reason_enum") ?? "") !== ""
    if (people === "refused" && !isRefusing) return []
    return [own.get("email"), ...(own.get("hs_additional_emails") ?? "").split(";")].flatMap(
      (email) => (email === null || email === undefined || email === "" ? [] : [email]),
    )
  }

export const hubspotPeople: PeopleReader = {
  needsList: false,
  lists: (api) =>
    Effect.map(contactLists(api, ["MANUAL", "DYNAMIC", "SNAPSHOT"]), (lists) =>
      lists.map(({ listId, name }) => bareList(listId, name)),
    ),
  read: (api, { listId, people }) => {
    if (listId === null) {
      const page = (after?: string) =>
        ({
          method: "GET",
          path: "/crm/v3/objects/contacts",
          query: {
            limit: perPage,
            properties: properties.join(","),
            ...(after === undefined ? {} : { after }),
          },
        }) as const
      return linkedPages(api, Contacts, page(), ({ paging, results }) => ({
        emails: Effect.succeed(results.flatMap(emailsOf(people))),
        next: paging?.next === undefined ? undefined : page(paging.next.after),
      }))
    }
    const page = (after?: string) =>
      ({
        method: "GET",
        path: `/crm/v3/lists/${encodeURIComponent(listId)}/memberships`,
        query: { limit: perPage, ...(after === undefined ? {} : { after }) },
      }) as const
    const contacts = (ids: ReadonlyArray<string>) =>
      api.read(Contacts, {
        method: "POST",
        path: "/crm/v3/objects/contacts/batch/read",
        body: { inputs: ids.map((id) => ({ id })), properties, propertiesWithHistory: [] },
      })
    const pages = linkedPages(api, Memberships, page(), ({ paging, results }) => ({
      emails:
        results.length === 0
          ? Effect.succeed([])
          : Effect.map(contacts(results.map(({ recordId }) => recordId)), (read) =>
              read.results.flatMap(emailsOf(people)),
            ),
      next: paging?.next === undefined ? undefined : page(paging.next.after),
    }))
    return Stream.concat(Stream.drain(Stream.fromEffect(contactList(api, listId))), pages)
  },
}
