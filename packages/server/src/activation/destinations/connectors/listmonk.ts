// listmonk. A subscriber belongs to any number of lists, with a status on each. PUT of a subscriber sets its status and
// drops lists, so an existing one is only patched; adding to a list without a status keeps an existing subscription.
import { Effect, Schema } from "effect"
import {
  absent,
  type Connector,
  kept,
  type ListTarget,
  oneByOne,
  removed,
  written,
  type WrittenMember,
} from "./connector.ts"
import { ContactRefused } from "./connector-error.ts"
import { allLists, listmonkPeople, oneList } from "./listmonk-people.ts"
import { bareList, field, type MailingList } from "./mailing-list.ts"
import { usualPace } from "./pacing.ts"
import { type ProviderApi, refusal } from "./provider-api.ts"

/** A search finds names too; one address finds one subscriber. */
const foundMax = 100

const Subscriber = Schema.Struct({
  id: Schema.Int,
  email: Schema.String,
  status: Schema.String,
  attribs: Schema.NullOr(Schema.Record(Schema.String, Schema.Unknown)),
  lists: Schema.Array(Schema.Struct({ id: Schema.Int, subscription_status: Schema.String })),
})
const Made = Schema.Struct({ data: Schema.Struct({ id: Schema.Int }) })
const Probe = Schema.Struct({ data: Schema.Struct({ total: Schema.Int }) })
const Subscribers = Schema.Struct({
  data: Schema.Struct({ results: Schema.Array(Subscriber), total: Schema.Int }),
})

const listOf = ({
  id,
  name,
  optin,
}: {
  readonly id: number
  readonly name: string
  readonly optin?: string
}): MailingList => ({
  ...bareList(String(id), name),
  doubleOptIn: optin === "double",
  fields: [field("name", "text", "Name")],
})

/** The search is a regular expression over names and addresses. */
const found = Effect.fnUntraced(function* (api: ProviderApi, email: string) {
  const search = `^${email.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")}$`
  const query = { search, page: 1, per_page: foundMax }
  const { data } = yield* api.read(Subscribers, { method: "GET", path: "/subscribers", query })
  return data.results.find((one) => one.email.toLowerCase() === email.toLowerCase())
})

const hidden = new ContactRefused({
  status: 409,
  sentence: "listmonk has this address, but this API user can't see the subscriber.",
})

const listIdOf = ({ list }: ListTarget) => Number(list.id)

const attributesOf = (fields: WrittenMember["fields"]) => {
  const { name, ...attribs } = fields
  return { ...(name === undefined ? {} : { name: String(name) }), attribs }
}

export const listmonk = {
  appName: "listmonk",
  credentials: [
    {
      name: "username",
      label: "API user",
      hint: "Create one under Admin, Users, with the type API.",
      isRequired: true,
    },
    {
      name: "apiKey",
      label: "Token",
      hint: "Shown when the API user is created.",
      isRequired: true,
    },
    {
      name: "baseUrl",
      label: "listmonk URL",
      hint: "For example https://lists.example.com.",
      isRequired: true,
    },
  ],
  origin: () => undefined,
  apiPath: "/api",
  headers: ({ apiKey, username }) => ({ authorization: `token ${username}:${apiKey}` }),
  abilities: {
    newContactStatus: [null, "SUBSCRIBED"],
    hasTags: false,
    onLeave: ["keep", "remove_from_list"],
    canErase: true,
  },
  pace: usualPace,
  membersMax: 1,
  retryAfterHeaders: ["retry-after"],
  errorOf: (answer) => (answer.status === 400 ? refusal(answer, "message") : undefined),
  probe: (api) =>
    Effect.asVoid(
      api.read(Probe, { method: "GET", path: "/lists", query: { page: 1, per_page: 1 } }),
    ),
  lists: (api) => Effect.map(allLists(api), (lists) => lists.map(listOf)),
  list: (api, listId) => Effect.map(oneList(api, listId), listOf),
  people: listmonkPeople,
  trial: {
    status: (api, target, email) =>
      Effect.map(found(api, email), (known) => {
        const listId = listIdOf(target)
        const subscription = known?.lists.find(({ id }) => id === listId)?.subscription_status
        return subscription ?? null
      }),
    refuse: Effect.fnUntraced(function* (api, target, email) {
      const known = yield* found(api, email)
      const body = {
        ids: known === undefined ? [] : [known.id],
        action: "unsubscribe",
        target_list_ids: [listIdOf(target)],
      }
      yield* api.ask({ method: "PUT", path: "/subscribers/lists", body })
    }),
    lists: {
      create: (api, name) =>
        Effect.map(
          api.read(Made, {
            method: "POST",
            path: "/lists",
            body: { name, type: "private", optin: "single", tags: [] },
          }),
          ({ data }) => String(data.id),
        ),
      delete: (api, listId) =>
        Effect.asVoid(api.ask({ method: "DELETE", path: `/lists/${encodeURIComponent(listId)}` })),
    },
  },
  upsert: oneByOne(
    Effect.fnUntraced(function* (api, target, { email, fields, formerStatus }) {
      const lists = [listIdOf(target)]
      const contact = attributesOf(fields)
      let known = yield* found(api, email)
      if (known === undefined) {
        yield* target.notes.adding([email])
        const created = yield* api.ask({
          method: "POST",
          path: "/subscribers",
          body: { email, ...contact, status: "enabled", lists },
          answers: [409],
        })
        if (created.status !== 409) return written(true)
        // Someone else created them in between.
        known = yield* found(api, email)
        if (known === undefined) return yield* hidden
      }
      const attribs = { ...known.attribs, ...contact.attribs }
      const path = `/subscribers/${known.id}`
      yield* api.ask({ method: "PATCH", path, body: { ...contact, attribs } })
      const isMember = known.lists.some(({ id }) => id === lists[0])
      if (isMember || known.status !== "enabled") return written(false)
      yield* target.notes.adding([email])
      yield* api.ask({
        method: "PUT",
        path: "/subscribers/lists",
        body: {
          ids: [known.id],
          action: "add",
          target_list_ids: lists,
          ...(formerStatus === "confirmed" ? { status: formerStatus } : {}),
        },
      })
      return written(true)
    }),
  ),
  remove: oneByOne(
    Effect.fnUntraced(function* (api, target, { email }, how) {
      const known = yield* found(api, email)
      if (known === undefined) return absent
      if (how === "erase") {
        yield* api.ask({ method: "DELETE", path: `/subscribers/${known.id}`, answers: [404] })
        return removed()
      }
      const listId = listIdOf(target)
      const status = known.lists.find(({ id }) => id === listId)?.subscription_status
      if (status === undefined) return absent
      if (status !== "confirmed" && status !== "unconfirmed") return kept
      yield* target.notes.removing(new Map([[email, status]]))
      yield* api.ask({
        method: "PUT",
        path: "/subscribers/lists",
        body: { ids: [known.id], action: "remove", target_list_ids: [listId] },
      })
      return removed(status)
    }),
  ),
} satisfies Connector
