// The profiles of Klaviyo, and which of them refused: a suppression, of everything or of one list, or a consent that was
// withdrawn. Who unsubscribed from a list is no longer on it, so they are found among all profiles.
import { Effect, Schema, Stream } from "effect"
import { linkedPages, type PeopleReader } from "./people-reading.ts"

const Marketing = Schema.Struct({
  consent: Schema.optionalKey(Schema.NullOr(Schema.String)),
  suppression: Schema.optionalKey(Schema.NullOr(Schema.Array(Schema.Unknown))),
  list_suppressions: Schema.optionalKey(
    Schema.NullOr(Schema.Array(Schema.Struct({ list_id: Schema.String }))),
  ),
})

export const Profile = Schema.Struct({
  id: Schema.String,
  attributes: Schema.Struct({
    email: Schema.NullOr(Schema.String),
    subscriptions: Schema.optionalKey(
      Schema.NullOr(
        Schema.Struct({ email: Schema.optionalKey(Schema.Struct({ marketing: Marketing })) }),
      ),
    ),
  }),
})

const Page = Schema.Struct({
  data: Schema.Array(Profile),
  links: Schema.optionalKey(
    Schema.Struct({ next: Schema.optionalKey(Schema.NullOr(Schema.String)) }),
  ),
})

export const marketingOf = (profile: typeof Profile.Type | undefined) =>
  profile?.attributes.subscriptions?.email?.marketing ?? {}

/** They unsubscribed, from everything or from this list (null: from any), bounced or complained. */
export const isRefusing = (
  profile: typeof Profile.Type | undefined,
  listId: string | null,
): boolean => {
  const { consent, list_suppressions, suppression } = marketingOf(profile)
  return (
    consent === "UNSUBSCRIBED" ||
    (suppression ?? []).length > 0 ||
    (list_suppressions ?? []).some((one) => listId === null || one.list_id === listId)
  )
}

const listPath = (listId: string) => `/lists/${encodeURIComponent(listId)}`

export const klaviyoPeople: PeopleReader = {
  needsList: false,
  read: (api, { listId, people }) => {
    const isAll = people === "all"
    const pages = linkedPages(
      api,
      Page,
      {
        method: "GET",
        path: isAll && listId !== null ? `${listPath(listId)}/profiles` : "/profiles",
        query: {
          "page[size]": 100,
          "fields[profile]": isAll ? "email" : "email,subscriptions",
          ...(isAll ? {} : { "additional-fields[profile]": "subscriptions" }),
        },
      },
      ({ data, links }) => ({
        emails: Effect.succeed(
          data.flatMap((profile) => {
            const { email } = profile.attributes
            return email !== null && (isAll || isRefusing(profile, listId)) ? [email] : []
          }),
        ),
        next: typeof links?.next === "string" ? { method: "GET", path: links.next } : undefined,
      }),
    )
    if (isAll || listId === null) return pages
    const list = api.ask({ method: "GET", path: listPath(listId) })
    return Stream.concat(Stream.drain(Stream.fromEffect(list)), pages)
  },
}
