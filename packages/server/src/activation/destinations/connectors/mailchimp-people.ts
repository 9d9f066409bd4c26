// The members of a Mailchimp audience. Who bounced is `cleaned`, who complained `unsubscribed`. Archived members are on no list.
import { Effect, Schema, Stream } from "effect"
import { ListGone } from "./connector-error.ts"
import { type PeopleReader, placedPages } from "./people-reading.ts"
import type { ProviderApi } from "./provider-api.ts"

const Page = Schema.Struct({
  members: Schema.Array(Schema.Struct({ email_address: Schema.String })),
})

const members = (api: ProviderApi, listId: string, status: string | undefined) =>
  placedPages(({ offset, size }) =>
    Effect.map(
      api.read(Page, {
        method: "GET",
        path: `/lists/${encodeURIComponent(listId)}/members`,
        query: {
          fields: "members.email_address",
          count: size,
          offset,
          ...(status === undefined ? {} : { status }),
        },
      }),
      ({ members: all }) => all.map(({ email_address: email }) => ({ key: email, email })),
    ),
  )

export const mailchimpPeople: PeopleReader = {
  needsList: true,
  read: (api, { listId, people }) => {
    if (listId === null) return Stream.fail(new ListGone())
    return people === "all"
      ? members(api, listId, undefined)
      : Stream.flatMap(Stream.fromIterable(["unsubscribed", "cleaned"]), (status) =>
          members(api, listId, status),
        )
  },
}
