// Brevo. `listIds` puts back someone who left that list, and an `emailBlacklisted` that is sent is set, so a contact is
// read first and only put on a list that they neither are on nor left.
import { Effect, Schema } from "effect"
import { brevoPeople } from "./brevo-people.ts"
import {
  absent,
  type Connector,
  kept,
  keyFields,
  oneByOne,
  removed,
  usualBaseUrl,
  written,
} from "./connector.ts"
import {
  bareList,
  field,
  type ListFieldType,
  type MailingList,
  typedFields,
} from "./mailing-list.ts"
import { type ProviderApi, refusal, unreadable } from "./provider-api.ts"

const perPage = 50

const List = Schema.Struct({
  id: Schema.Int,
  name: Schema.String,
  totalBlacklisted: Schema.optionalKey(Schema.Int),
  totalSubscribers: Schema.optionalKey(Schema.Int),
})
// Without lists, Brevo leaves `lists` out.
const Lists = Schema.Struct({
  lists: Schema.optionalKey(Schema.Array(List)),
  count: Schema.optionalKey(Schema.Int),
})
const Attributes = Schema.Struct({
  attributes: Schema.Array(
    Schema.Struct({
      name: Schema.String,
      category: Schema.String,
      type: Schema.optionalKey(Schema.String),
    }),
  ),
})
const Contact = Schema.Struct({
  emailBlacklisted: Schema.Boolean,
  listIds: Schema.Array(Schema.Int),
  listUnsubscribed: Schema.optionalKey(Schema.NullOr(Schema.Array(Schema.Int))),
})
const isContact = Schema.is(Contact)
const Folders = Schema.Struct({
  folders: Schema.optionalKey(Schema.Array(Schema.Struct({ id: Schema.Int }))),
})
const Made = Schema.Struct({ id: Schema.Int })

const types: ReadonlyMap<string, ListFieldType> = new Map([
  ["float", "number"],
  ["date", "date"],
  ["multiple-choice", "choice_multiple"],
])

const attributes = (api: ProviderApi) =>
  Effect.map(
    api.read(Attributes, { method: "GET", path: "/contacts/attributes" }),
    ({ attributes: all }) =>
      all.flatMap(({ category, name, type = "text" }) => {
        if (category === "category") return [field(name, "choice_single")]
        return category === "normal" && type !== "boolean"
          ? [field(name, types.get(type) ?? "text")]
          : []
      }),
  )

const listOf = (list: typeof List.Type, fields: MailingList["fields"]): MailingList => {
  const { id, name, totalBlacklisted: unsubscribed = 0, totalSubscribers: subscribed = 0 } = list
  return { ...bareList(String(id), name), fields, counts: { pending: 0, subscribed, unsubscribed } }
}

const contactPath = (email: string) => `/contacts/${encodeURIComponent(email)}`

/** Undefined if Brevo doesn't have them. */
const read = Effect.fnUntraced(function* (api: ProviderApi, email: string) {
  const path = contactPath(email)
  const query = { identifierType: "email_id" }
  const { json, status } = yield* api.ask({ method: "GET", path, query, answers: [404] })
  if (status === 404) return undefined
  return isContact(json) ? json : yield* unreadable
})

/** The status of everyone on a list who is not blocklisted. */
const subscribed = "subscribed"

const isDuplicate = (json: unknown) =>
  (json as { readonly code?: unknown } | null)?.code === "duplicate_parameter"

export const brevo = {
  appName: "Brevo",
  credentials: keyFields("Create one under SMTP & API, API keys.", usualBaseUrl),
  origin: () => "https://api.brevo.com",
  apiPath: "/v3",
  headers: ({ apiKey }) => ({ "api-key": apiKey }),
  abilities: {
    newContactStatus: [null, "SUBSCRIBED"],
    hasTags: false,
    onLeave: ["keep", "remove_from_list"],
    canErase: true,
  },
  // Its documented limit for contacts: 10 a second.
  pace: { burst: 1, perSecond: 9 },
  membersMax: 1,
  retryAfterHeaders: ["x-sib-ratelimit-reset", "retry-after"],
  errorOf: (answer) => (answer.status === 400 ? refusal(answer, "message") : undefined),
  probe: (api) => Effect.asVoid(api.ask({ method: "GET", path: "/account" })),
  lists: Effect.fnUntraced(function* (api) {
    const page = (offset: number) =>
      ({ method: "GET", path: "/contacts/lists", query: { limit: perPage, offset } }) as const
    const all = yield* api.pages(
      Lists,
      page(0),
      ({ lists = [] }) => lists,
      ({ count = 0 }, pages) => (pages * perPage < count ? page(pages * perPage) : undefined),
    )
    const fields = yield* attributes(api)
    return all.map((list) => listOf(list, fields))
  }),
  list: Effect.fnUntraced(function* (api, listId) {
    const path = `/contacts/lists/${encodeURIComponent(listId)}`
    const list = yield* api.read(List, { method: "GET", path })
    return listOf(list, yield* attributes(api))
  }),
  people: brevoPeople,
  trial: {
    status: (api, { list }, email) =>
      Effect.map(read(api, email), (known) => {
        if (known?.emailBlacklisted === true) return "blocklisted"
        return known?.listIds.includes(Number(list.id)) === true ? subscribed : null
      }),
    refuse: (api, _, email) =>
      Effect.asVoid(
        api.ask({
          method: "PUT",
          path: contactPath(email),
          query: { identifierType: "email_id" },
          body: { emailBlacklisted: true },
        }),
      ),
    lists: {
      create: Effect.fnUntraced(function* (api, name) {
        const path = "/contacts/folders"
        const { folders } = yield* api.read(Folders, {
          method: "GET",
          path,
          query: { limit: 1, offset: 0 },
        })
        // Every account has one from the start, unless its owner deleted it.
        const folderId = folders?.[0]?.id
        if (folderId === undefined) return yield* unreadable
        const body = { name, folderId }
        const { id } = yield* api.read(Made, { method: "POST", path: "/contacts/lists", body })
        return String(id)
      }),
      delete: (api, listId) =>
        Effect.asVoid(
          api.ask({ method: "DELETE", path: `/contacts/lists/${encodeURIComponent(listId)}` }),
        ),
    },
  },
  upsert: oneByOne(
    Effect.fnUntraced(function* (api, { list, notes }, { email, fields }) {
      const listId = Number(list.id)
      const contact = { attributes: typedFields(fields, list) }
      let known = yield* read(api, email)
      if (known === undefined) {
        yield* notes.adding([email])
        const body = { ...contact, email, listIds: [listId], updateEnabled: false }
        const made = yield* api.ask({ method: "POST", path: "/contacts", body, answers: [400] })
        if (made.status !== 400) return written(true)
        if (!isDuplicate(made.json)) return yield* refusal(made, "message")
        // Someone else created them in between.
        known = yield* read(api, email)
        if (known === undefined) return yield* refusal(made, "message")
      }
      const { emailBlacklisted, listIds, listUnsubscribed } = known
      const isAdded =
        !emailBlacklisted &&
        !listIds.includes(listId) &&
        listUnsubscribed?.includes(listId) !== true
      if (isAdded) yield* notes.adding([email])
      yield* api.ask({
        method: "PUT",
        path: contactPath(email),
        query: { identifierType: "email_id" },
        body: { ...contact, ...(isAdded ? { listIds: [listId] } : {}) },
        isOfFound: true,
      })
      return written(isAdded)
    }),
  ),
  remove: oneByOne(
    Effect.fnUntraced(function* (api, { list, notes }, { email }, how) {
      const listId = Number(list.id)
      if (how === "erase") {
        const { status } = yield* api.ask({
          method: "DELETE",
          path: contactPath(email),
          query: { identifierType: "email_id" },
          answers: [404],
        })
        return status === 404 ? absent : removed()
      }
      const known = yield* read(api, email)
      if (known === undefined || !known.listIds.includes(listId)) return absent
      if (known.emailBlacklisted) return kept
      yield* notes.removing(new Map([[email, subscribed]]))
      yield* api.ask({
        method: "POST",
        path: `/contacts/lists/${listId}/contacts/remove`,
        body: { emails: [email] },
      })
      return removed(subscribed)
    }),
  ),
} satisfies Connector
