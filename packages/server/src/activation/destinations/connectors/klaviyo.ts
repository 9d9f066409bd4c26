// Klaviyo. Profiles are imported with their list by a job, which is followed to its end. The subscribe job lifts suppressions,
// so it is asked only on request, and only for people who never said anything. Who refused is imported without the list.
import { Effect, Schema } from "effect"
import {
  absent,
  type Connector,
  failed,
  kept,
  keyFields,
  type ListTarget,
  type MemberOutcome,
  onList,
  removed,
  usualBaseUrl,
  written,
  type WrittenMember,
} from "./connector.ts"
import { imported, subscribed, unsubscribed } from "./klaviyo-jobs.ts"
import { isRefusing, klaviyoPeople, marketingOf, Profile } from "./klaviyo-people.ts"
import { bareList, field, type MailingList } from "./mailing-list.ts"
import { type ProviderApi, refusal } from "./provider-api.ts"

/** Addresses of one filter as encoded, because a URL has at most 2048 characters. */
const filterLengthMax = 1_600
const List = Schema.Struct({
  id: Schema.String,
  attributes: Schema.Struct({
    name: Schema.NullOr(Schema.String),
    opt_in_process: Schema.optionalKey(Schema.NullOr(Schema.String)),
  }),
})
const Lists = Schema.Struct({
  data: Schema.Array(List),
  links: Schema.optionalKey(
    Schema.Struct({ next: Schema.optionalKey(Schema.NullOr(Schema.String)) }),
  ),
})
const OneList = Schema.Struct({ data: List })
const Made = Schema.Struct({ data: Schema.Struct({ id: Schema.String }) })
const Profiles = Schema.Struct({ data: Schema.Array(Profile) })
const listOf = ({ attributes, id }: typeof List.Type): MailingList => ({
  ...bareList(id, attributes.name ?? id),
  doubleOptIn: attributes.opt_in_process === "double_opt_in",
  fields: [
    field("first_name", "text", "First name"),
    field("last_name", "text", "Last name"),
    field("organization", "text", "Organization"),
    field("title", "text", "Title"),
    field("location.city", "text", "City"),
    field("location.region", "text", "Region"),
    field("location.country", "text", "Country"),
  ],
})

/** Those that Klaviyo has, by address in lower case; `listId`: only those on that list. */
const profiles = Effect.fnUntraced(function* (
  api: ProviderApi,
  emails: ReadonlyArray<string>,
  listId?: string,
) {
  const found = new Map<string, typeof Profile.Type>()
  for (const chunk of chunks(emails)) {
    const { data } = yield* api.read(Profiles, {
      method: "GET",
      path: listId === undefined ? "/profiles" : `/lists/${encodeURIComponent(listId)}/profiles`,
      query: {
        filter: `any(email,${JSON.stringify(chunk)})`,
        "additional-fields[profile]": "subscriptions",
        "page[size]": 100,
      },
    })
    for (const one of data) found.set(one.attributes.email?.toLowerCase() ?? "", one)
  }
  return found
})

const chunks = (emails: ReadonlyArray<string>): ReadonlyArray<ReadonlyArray<string>> => {
  const all: Array<Array<string>> = []
  let length = filterLengthMax
  for (const email of emails) {
    const added = encodeURIComponent(`${JSON.stringify(email)},`).length
    length += added
    if (length > filterLengthMax) {
      all.push([])
      length = added
    }
    all.at(-1)!.push(email)
  }
  return all
}

const upsert = Effect.fnUntraced(function* (
  api: ProviderApi,
  { config, list, notes }: ListTarget,
  members: ReadonlyArray<WrittenMember>,
) {
  const emails = members.map(({ email }) => email)
  const known = yield* profiles(api, emails)
  const present = yield* profiles(api, emails, list.id)
  const profile = ({ email }: WrittenMember) => known.get(email.toLowerCase())
  const [refusing, willing] = [
    members.filter((member) => isRefusing(profile(member), list.id)),
    members.filter((member) => !isRefusing(profile(member), list.id)),
  ]
  const isMissing = ({ email }: WrittenMember) => !present.has(email.toLowerCase())
  const missing = willing.filter(isMissing)
  if (missing.length > 0) yield* notes.adding(missing.map(({ email }) => email))
  const failures = new Map([
    ...(yield* imported(api, list, willing, true)),
    ...(yield* imported(api, list, refusing, false)),
  ])
  const isAsked = config.newContactStatus === "SUBSCRIBED" && !list.doubleOptIn
  const silent = willing.filter((member) => {
    const { consent = "NEVER_SUBSCRIBED" } = marketingOf(profile(member))
    return consent === "NEVER_SUBSCRIBED" && !failures.has(member.email)
  })
  if (isAsked && silent.length > 0) {
    yield* subscribed(
      api,
      list.id,
      silent.map(({ email }) => email),
    )
  }
  return members.map((member): MemberOutcome => {
    const error = failures.get(member.email)
    if (error !== undefined) return failed(error)
    return written(missing.includes(member))
  })
})

export const klaviyo = {
  appName: "Klaviyo",
  credentials: keyFields(
    "Create a private key under Settings, API keys, with full access to lists and profiles.",
    usualBaseUrl,
  ),
  origin: () => "https://a.klaviyo.com",
  apiPath: "/api",
  headers: ({ apiKey }) => ({
    authorization: `Klaviyo-API-Key ${apiKey}`,
    accept: "application/vnd.api+json",
    "content-type": "application/vnd.api+json",
    revision: "2026-07-15",
  }),
  abilities: {
    newContactStatus: [null, "SUBSCRIBED"],
    hasTags: false,
    onLeave: ["keep", "remove_from_list"],
    canErase: true,
  },
  // Its documented limit for imports: bursts of 10 a second, and 150 a minute.
  pace: { burst: 5, perSecond: 2.4 },
  membersMax: 100,
  retryAfterHeaders: ["retry-after"],
  errorOf: (answer) =>
    answer.status === 400 ? refusal(answer, "errors.0.detail", "errors.0.title") : undefined,
  probe: (api) => Effect.asVoid(api.ask({ method: "GET", path: "/accounts" })),
  lists: (api) =>
    Effect.map(
      api.pages(
        Lists,
        { method: "GET", path: "/lists", query: { "page[size]": 10 } },
        ({ data }) => data,
        ({ links }) =>
          typeof links?.next === "string" ? { method: "GET", path: links.next } : undefined,
      ),
      (lists) => lists.map(listOf),
    ),
  list: (api, listId) =>
    Effect.map(
      api.read(OneList, { method: "GET", path: `/lists/${encodeURIComponent(listId)}` }),
      ({ data }) => listOf(data),
    ),
  people: klaviyoPeople,
  trial: {
    status: Effect.fnUntraced(function* (api, { list }, email) {
      const key = email.toLowerCase()
      const known = (yield* profiles(api, [email])).get(key)
      if (isRefusing(known, list.id)) return "unsubscribed"
      return (yield* profiles(api, [email], list.id)).has(key) ? onList : null
    }),
    refuse: (api, { list }, email) => Effect.asVoid(unsubscribed(api, list.id, email)),
    lists: {
      create: (api, name) =>
        Effect.map(
          api.read(Made, {
            method: "POST",
            path: "/lists",
            body: { data: { type: "list", attributes: { name } } },
          }),
          ({ data }) => data.id,
        ),
      delete: (api, listId) =>
        Effect.asVoid(api.ask({ method: "DELETE", path: `/lists/${encodeURIComponent(listId)}` })),
    },
  },
  upsert,
  remove: Effect.fnUntraced(function* (api, { list, notes }, members, how) {
    const emails = members.map(({ email }) => email)
    if (how === "erase") {
      const known = yield* profiles(api, emails)
      for (const { id } of known.values()) {
        const profile = { data: { type: "profile", id } }
        const data = { type: "data-privacy-deletion-job", attributes: { profile } }
        yield* api.ask({ method: "POST", path: "/data-privacy-deletion-jobs", body: { data } })
      }
      return members.map(({ email }) => (known.has(email.toLowerCase()) ? removed() : absent))
    }
    const present = yield* profiles(api, emails, list.id)
    const profile = (email: string) => present.get(email.toLowerCase())
    const isLeaving = (one: typeof Profile.Type) => !isRefusing(one, list.id)
    const leaving = [...present.values()].filter(isLeaving)
    if (leaving.length > 0) {
      yield* notes.removing(
        new Map(
          emails.flatMap((email) => {
            const one = profile(email)
            return one !== undefined && isLeaving(one) ? [[email, onList] as const] : []
          }),
        ),
      )
      const data = leaving.map(({ id }) => ({ type: "profile", id }))
      const path = `/lists/${encodeURIComponent(list.id)}/relationships/profiles`
      yield* api.ask({ method: "DELETE", path, body: { data } })
    }
    return emails.map((email) => {
      const one = profile(email)
      if (one === undefined) return absent
      return isLeaving(one) ? removed(onList) : kept
    })
  }),
} satisfies Connector
