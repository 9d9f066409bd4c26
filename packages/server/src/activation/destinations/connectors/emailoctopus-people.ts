// The contacts of EmailOctopus, which are on lists only. Without a status it lists only who is subscribed, so each status is
// read, in the order in which people pass from one to the next. Who bounced or complained is unsubscribed there.
import { Effect, Schema, Stream } from "effect"
import { ListGone } from "./connector-error.ts"
import { contactsPath } from "./mailer.ts"
import { linkedPages, type PeopleReader } from "./people-reading.ts"

const Page = Schema.Struct({
  data: Schema.Array(Schema.Struct({ email_address: Schema.String })),
  paging: Schema.optionalKey(
    Schema.NullOr(
      Schema.Struct({
        next: Schema.optionalKey(
          Schema.NullOr(Schema.Struct({ url: Schema.optionalKey(Schema.NullOr(Schema.String)) })),
        ),
      }),
    ),
  ),
})

const statuses = { all: ["pending", "subscribed", "unsubscribed"], refused: ["unsubscribed"] }

export const emailoctopusPeople: PeopleReader = {
  needsList: true,
  read: (api, { listId, people }) =>
    listId === null
      ? Stream.fail(new ListGone())
      : Stream.flatMap(Stream.fromIterable(statuses[people]), (status) =>
          linkedPages(
            api,
            Page,
            { method: "GET", path: contactsPath(listId), query: { limit: 100, status } },
            ({ data, paging }) => {
              const url = paging?.next?.url ?? undefined
              return {
                emails: Effect.succeed(data.map(({ email_address }) => email_address)),
                next: url === undefined ? undefined : { method: "GET", path: url },
              }
            },
          ),
        ),
}
