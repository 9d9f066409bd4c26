// Mailchimp. `status` in a PUT sets the status of anyone, so it is sent only to bring back someone whom this destination
// archived; `status_if_new` is for new members alone. A member is read first, because a PUT doesn't say who was new.
import type { lists, Status } from "@mailchimp/mailchimp_marketing"
import { Effect, Schema } from "effect"
import { hash } from "node:crypto"
import {
  absent,
  type Connector,
  kept,
  keyFields,
  oneByOne,
  removed,
  skipped,
  usualBaseUrl,
  written,
} from "./connector.ts"
import { ProviderRateLimited } from "./connector-error.ts"
import { mailchimpPeople } from "./mailchimp-people.ts"
import {
  bareList,
  field,
  type ListFieldType,
  type MailingList,
  typedFields,
} from "./mailing-list.ts"
import { type ApiAnswer, type ProviderApi, refusal, unreadable } from "./provider-api.ts"

const perPage = 100
/** Our own limit: lists that are shown with their fields, which take a request each. */
const listsWithFields = 100

const List = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  double_optin: Schema.optionalKey(Schema.Boolean),
  stats: Schema.optionalKey(
    Schema.Struct({ member_count: Schema.Int, unsubscribe_count: Schema.Int }),
  ),
})
const Lists = Schema.Struct({ lists: Schema.Array(List), total_items: Schema.Int })
const MergeFields = Schema.Struct({
  merge_fields: Schema.Array(
    Schema.Struct({
      tag: Schema.String,
      type: Schema.String,
      name: Schema.optionalKey(Schema.String),
    }),
  ),
})
const Member = Schema.Struct({
  status: Schema.String,
  tags: Schema.optionalKey(Schema.Array(Schema.Struct({ name: Schema.String }))),
})
const isMember = Schema.is(Member)

const types: ReadonlyMap<string, ListFieldType> = new Map([
  ["number", "number"],
  ["date", "date"],
  ["birthday", "date"],
  ["dropdown", "choice_single"],
  ["radio", "choice_single"],
])

const listPath = (listId: string) => `/lists/${encodeURIComponent(listId)}`
const memberPath = (listId: string, email: string) =>
  `${listPath(listId)}/members/${hash("md5", email.toLowerCase(), "hex")}`

const withFields = (api: ProviderApi, list: typeof List.Type) =>
  Effect.map(
    api.read(MergeFields, {
      method: "GET",
      path: `${listPath(list.id)}/merge-fields`,
      query: { count: 1_000 },
    }),
    ({ merge_fields }): MailingList => ({
      ...listOf(list),
      // An address has parts, which no attribute of a contact fills.
      fields: merge_fields
        .filter(({ type }) => type !== "address")
        .map(({ name, tag, type }) => field(tag, types.get(type) ?? "text", name)),
    }),
  )

/** Mailchimp does not count who is pending. */
const listOf = ({ double_optin, id, name, stats }: typeof List.Type): MailingList => ({
  ...bareList(id, name),
  doubleOptIn: double_optin === true,
  counts:
    stats === undefined
      ? null
      : { pending: 0, subscribed: stats.member_count, unsubscribed: stats.unsubscribe_count },
})

const titleOf = (json: unknown) => (json as { readonly title?: unknown } | null)?.title
/** They unsubscribed or bounced, and only they can come back. */
const isRefusedByPerson = ({ json, status }: ApiAnswer) =>
  status === 400 && titleOf(json) === "Member In Compliance State"

const removable = new Set(["subscribed", "pending"])

export const mailchimp = {
  appName: "Mailchimp",
  credentials: keyFields("Create one under Profile, Extras, API keys.", usualBaseUrl),
  keyForm: { pattern: /-[a-z]{2,4}\d{1,3}$/, expected: "a key with its data center, as in …-us21" },
  origin: (apiKey) => {
    const center = /-([a-z]{2,4}\d{1,3})$/.exec(apiKey)?.[1]
    return center === undefined ? undefined : `https://${center}.api.mailchimp.com`
  },
  apiPath: "/3.0",
  headers: ({ apiKey }) => ({
    authorization: `Basic ${Buffer.from(`footfall:${apiKey}`).toString("base64")}`,
  }),
  abilities: {
    newContactStatus: [null, "SUBSCRIBED"],
    hasTags: true,
    onLeave: ["keep", "remove_tag", "remove_from_list"],
    canErase: true,
  },
  // It documents ten connections at a time, and no rate. Two are left to the owner's other tools.
  pace: { burst: 20, perSecond: 100, atOnce: 8 },
  membersMax: 1,
  retryAfterHeaders: ["retry-after"],
  errorOf: (answer) => {
    // Under load it answers 403 without a problem, which says nothing about the key.
    if (answer.status === 403 && titleOf(answer.json) === undefined) {
      return new ProviderRateLimited({ retryAfterSeconds: answer.retryAfterSeconds })
    }
    return answer.status === 400 ? refusal(answer, "detail", "title") : undefined
  },
  probe: (api) => Effect.asVoid(api.ask({ method: "GET", path: "/ping" })),
  lists: Effect.fnUntraced(function* (api) {
    const page = (offset: number) =>
      ({ method: "GET", path: "/lists", query: { count: perPage, offset } }) as const
    const all = yield* api.pages(
      Lists,
      page(0),
      ({ lists }) => lists,
      ({ total_items }, pages) =>
        pages * perPage < total_items ? page(pages * perPage) : undefined,
    )
    const first = all.slice(0, listsWithFields)
    const described = yield* Effect.forEach(first, (list) => withFields(api, list), {
      concurrency: 5,
    })
    return [...described, ...all.slice(listsWithFields).map(listOf)]
  }),
  list: (api, listId) =>
    Effect.flatMap(api.read(List, { method: "GET", path: listPath(listId) }), (list) =>
      withFields(api, list),
    ),
  people: mailchimpPeople,
  // A new audience needs the owner's postal address, and plans have few.
  trial: {
    status: Effect.fnUntraced(function* (api, { list }, email) {
      const path = memberPath(list.id, email)
      const { json, status } = yield* api.ask({ method: "GET", path, answers: [404] })
      if (status === 404) return null
      return isMember(json) ? json.status : yield* unreadable
    }),
    refuse: (api, { list }, email) =>
      Effect.asVoid(
        api.ask({
          method: "PUT",
          path: memberPath(list.id, email),
          query: { skip_merge_validation: "true" },
          body: { email_address: email, status_if_new: "unsubscribed", status: "unsubscribed" },
        }),
      ),
  },
  upsert: oneByOne(
    Effect.fnUntraced(function* (api, { list, notes }, { email, fields, formerStatus, tags }) {
      const path = memberPath(list.id, email)
      const found = yield* api.ask({ method: "GET", path, answers: [404] })
      const isNew = found.status === 404
      if (!isNew && !isMember(found.json)) return yield* unreadable
      const known = isMember(found.json) && !isNew ? found.json : undefined
      const isBack =
        known?.status === "archived" && formerStatus !== null && removable.has(formerStatus)
      if (isNew || isBack) yield* notes.adding([email])
      const put = yield* api.ask({
        method: "PUT",
        path,
        query: { skip_merge_validation: "true" },
        body: {
          email_address: email,
          merge_fields: typedFields(fields, list),
          status_if_new: list.doubleOptIn ? "pending" : "subscribed",
          ...(isBack ? { status: formerStatus as Status } : {}),
        } satisfies lists.SetListMemberBody,
        answers: [400],
      })
      if (isRefusedByPerson(put)) return skipped
      if (put.status === 400) return yield* refusal(put, "detail", "title")
      const present = new Set(known?.tags?.map(({ name }) => name))
      const missing = tags.filter((tag) => !present.has(tag))
      if (missing.length > 0) {
        const active = missing.map((name) => ({ name, status: "active" as const }))
        yield* api.ask({
          method: "POST",
          path: `${path}/tags`,
          body: { tags: active } satisfies lists.MemberTagsBody,
          isOfFound: true,
        })
      }
      return written(isNew || isBack)
    }),
  ),
  remove: oneByOne(
    Effect.fnUntraced(function* (api, { list, managedTag, notes }, { email }, how) {
      const path = memberPath(list.id, email)
      if (how === "remove_tag") {
        const tags = [{ name: managedTag, status: "inactive" as const }]
        const sent = yield* api.ask({
          method: "POST",
          path: `${path}/tags`,
          body: { tags } satisfies lists.MemberTagsBody,
          answers: [404],
        })
        return sent.status === 404 ? absent : removed()
      }
      if (how === "erase") {
        const sent = yield* api.ask({
          method: "POST",
          path: `${path}/actions/delete-permanent`,
          answers: [404],
        })
        return sent.status === 404 ? absent : removed()
      }
      const found = yield* api.ask({ method: "GET", path, answers: [404] })
      if (found.status === 404) return absent
      if (!isMember(found.json)) return yield* unreadable
      const { status } = found.json
      if (!removable.has(status)) return status === "archived" ? absent : kept
      yield* notes.removing(new Map([[email, status]]))
      // Archives them.
      yield* api.ask({ method: "DELETE", path, answers: [404] })
      return removed(status)
    }),
  ),
} satisfies Connector
