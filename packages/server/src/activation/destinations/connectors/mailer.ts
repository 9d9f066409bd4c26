// `mailer`: the interface of spec 2.17, for a provider of the owner's own. It is the API of EmailOctopus; EmailOctopus
// itself is emailoctopus.ts, which reads contacts and removes them too.
import { Effect, Schema } from "effect"
import { type Connector, kept, keyFields, oneByOne, written } from "./connector.ts"
import { bareList, listFieldTypes, type MailingList } from "./mailing-list.ts"
import { usualPace } from "./pacing.ts"
import type { ProviderApi } from "./provider-api.ts"

const count = Schema.optionalKey(Schema.Int)
const Counts = Schema.Struct({ pending: count, subscribed: count, unsubscribed: count })

/** Everything except id and name may be missing. */
export const ProviderList = Schema.Struct({
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
})

/** One page of `GET {base}/lists`. */
const ListsPage = Schema.Struct({
  data: Schema.Array(ProviderList),
  paging: Schema.optionalKey(
    Schema.NullOr(
      Schema.Struct({
        next: Schema.optionalKey(Schema.NullOr(Schema.Struct({ url: Schema.String }))),
      }),
    ),
  ),
})

export const listOf = (list: typeof ProviderList.Type): MailingList => {
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

export const firstPage = { method: "GET", path: "/lists" } as const

export const allLists = (api: ProviderApi) =>
  Effect.map(
    api.pages(
      ListsPage,
      firstPage,
      ({ data }) => data,
      ({ paging }) => {
        const path = paging?.next?.url
        return path === undefined ? undefined : { method: "GET", path }
      },
    ),
    (lists) => lists.map(listOf),
  )

export const probeLists = (api: ProviderApi) => Effect.asVoid(api.read(ListsPage, firstPage))

export const contactsPath = (listId: string) => `/lists/${encodeURIComponent(listId)}/contacts`

export const mailer = {
  appName: "Mailer",
  credentials: keyFields(
    "The key of your provider's API.",
    "Leave empty to use this server's default.",
  ),
  origin: () => undefined,
  apiPath: "",
  headers: ({ apiKey }) => ({ authorization: `Bearer ${apiKey}` }),
  abilities: {
    newContactStatus: ["SUBSCRIBED"],
    hasTags: true,
    onLeave: ["keep"],
    canErase: false,
  },
  pace: usualPace,
  membersMax: 1,
  retryAfterHeaders: ["retry-after", "x-ratelimit-retry-after"],
  probe: probeLists,
  lists: allLists,
  list: (_, listId) => Effect.succeed(bareList(listId)),
  // Neither request has a status: the provider would apply it to an existing contact too, and a new one would skip the
  // double opt-in of its list. spec 2.17.5.
  upsert: oneByOne((api, { list }, { email, fields, tags }) => {
    const contact = { email_address: email, fields }
    const path = contactsPath(list.id)
    const created = api.ask({
      method: "POST",
      path,
      body: { ...contact, tags },
      answers: [405, 409],
    })
    return Effect.flatMap(created, ({ status }) => {
      if (status < 300) return Effect.succeed(written(true))
      const body = { ...contact, tags: Object.fromEntries(tags.map((tag) => [tag, true])) }
      return Effect.as(api.ask({ method: "PUT", path, body }), written(false))
    })
  }),
  remove: (_api, _target, members) => Effect.succeed(members.map(() => kept)),
} satisfies Connector
