// Pipedrive. It has no lists, and addresses are not unique: a person is searched for before one is created, and the id is
// remembered. A PATCH replaces labels as a whole, so a person is read before they are labeled. `marketing_status` is never
// written.
import { Effect, Schema } from "effect"
import type { AddPersonRequest, UpdatePersonRequest } from "pipedrive/v2"
import {
  absent,
  type Connector,
  keyFields,
  type ListMember,
  type ListTarget,
  oneByOne,
  removed,
  usualBaseUrl,
  written,
  type WrittenMember,
} from "./connector.ts"
import { ListGone } from "./connector-error.ts"
import {
  bareList,
  field,
  type ListFieldType,
  type MailingList,
  typedFields,
} from "./mailing-list.ts"
import { type ProviderApi, refusal, unreadable } from "./provider-api.ts"

/** The only list there is. */
const persons = "persons"

const PersonField = Schema.Struct({
  field_name: Schema.String,
  field_code: Schema.String,
  field_type: Schema.String,
  is_custom_field: Schema.optionalKey(Schema.Boolean),
  options: Schema.optionalKey(
    Schema.NullOr(Schema.Array(Schema.Struct({ id: Schema.Unknown, label: Schema.String }))),
  ),
})
const PersonFields = Schema.Struct({
  data: Schema.Array(PersonField),
  additional_data: Schema.optionalKey(
    Schema.NullOr(Schema.Struct({ next_cursor: Schema.optionalKey(Schema.NullOr(Schema.String)) })),
  ),
})
const OneField = Schema.Struct({ data: PersonField })
const Options = Schema.Struct({
  data: Schema.Array(Schema.Struct({ id: Schema.Int, label: Schema.String })),
})
const Found = Schema.Struct({
  data: Schema.Struct({
    items: Schema.Array(Schema.Struct({ item: Schema.Struct({ id: Schema.Int }) })),
  }),
})
const Person = Schema.Struct({
  data: Schema.Struct({
    id: Schema.Int,
    emails: Schema.optionalKey(
      Schema.NullOr(Schema.Array(Schema.Struct({ value: Schema.String }))),
    ),
    label_ids: Schema.optionalKey(Schema.NullOr(Schema.Array(Schema.Int))),
    is_deleted: Schema.optionalKey(Schema.Boolean),
  }),
})
const isPerson = Schema.is(Person)

const AnyPersons = Schema.Struct({ data: Schema.NullOr(Schema.Array(Schema.Unknown)) })

const types: ReadonlyMap<string, ListFieldType> = new Map([
  ["varchar", "text"],
  ["varchar_auto", "text"],
  ["text", "text"],
  ["double", "number"],
  ["int", "number"],
])

const list = Effect.fnUntraced(function* (api: ProviderApi) {
  const page = (cursor?: string) =>
    ({
      method: "GET",
      path: "/v2/personFields",
      query: { limit: 500, ...(cursor === undefined ? {} : { cursor }) },
    }) as const
  const all = yield* api.pages(
    PersonFields,
    page(),
    ({ data }) => data,
    ({ additional_data: more }) =>
      typeof more?.next_cursor === "string" ? page(more.next_cursor) : undefined,
  )
  const custom = all.flatMap(({ field_code, field_name, field_type, is_custom_field }) => {
    const type = types.get(field_type)
    return is_custom_field === true && type !== undefined
      ? [field(field_code, type, field_name)]
      : []
  })
  const labels = all.find(({ field_code }) => field_code === "label_ids")?.options ?? []
  return {
    ...bareList(persons, "Persons"),
    fields: [field("name", "text", "Name"), ...custom],
    tags: labels.map(({ label }) => label),
  } satisfies MailingList
})

/** Ids of labels, which are created if they are missing. Looked up once for a delivery. */
const labelIds = (api: ProviderApi, target: ListTarget, labels: ReadonlyArray<string>) =>
  target.lookingUp.withPermit(lookedUpLabels(api, target, labels))

const lookedUpLabels = Effect.fnUntraced(function* (
  api: ProviderApi,
  { lookedUp }: ListTarget,
  labels: ReadonlyArray<string>,
) {
  if (labels.some((label) => !lookedUp.has(label))) {
    const path = "/v2/personFields/label_ids"
    const { data } = yield* api.read(OneField, { method: "GET", path })
    for (const { id, label } of data.options ?? []) lookedUp.set(label, Number(id))
    const missing = labels.filter((label) => !lookedUp.has(label))
    if (missing.length > 0) {
      const body = missing.map((label) => ({ label }))
      const made = yield* api.read(Options, { method: "POST", path: `${path}/options`, body })
      for (const { id, label } of made.data) lookedUp.set(label, id)
    }
  }
  return labels.flatMap((label) => lookedUp.get(label) ?? [])
})

const personPath = (id: number | string) => `/v2/persons/${encodeURIComponent(id)}`

const read = Effect.fnUntraced(function* (api: ProviderApi, id: number | string) {
  const { json, status } = yield* api.ask({
    method: "GET",
    path: personPath(id),
    answers: [404],
  })
  if (status === 404) return undefined
  if (!isPerson(json)) return yield* unreadable
  return json.data.is_deleted === true ? undefined : json.data
})

/** By the remembered id, as long as that person has the address; otherwise the oldest person who has it. */
const personOf = Effect.fnUntraced(function* (api: ProviderApi, { email, remoteId }: ListMember) {
  const remembered = remoteId === null ? undefined : yield* read(api, remoteId)
  const isSame = remembered?.emails?.some(
    ({ value }) => value.toLowerCase() === email.toLowerCase(),
  )
  if (isSame === true) return remembered
  const { data } = yield* api.read(Found, {
    method: "GET",
    path: "/v2/persons/search",
    query: { term: email, fields: "email", exact_match: "true", limit: 100 },
  })
  const ids = data.items.map(({ item }) => item.id)
  return ids.length === 0 ? undefined : yield* read(api, Math.min(...ids))
})

const valuesOf = (fields: WrittenMember["fields"], target: ListTarget) => {
  const { name, ...custom } = typedFields(fields, target.list)
  return {
    ...(name === undefined ? {} : { name: String(name) }),
    ...(Object.keys(custom).length === 0 ? {} : { custom_fields: custom }),
  }
}

export const pipedrive = {
  appName: "Pipedrive",
  credentials: keyFields("Under Personal preferences, API.", usualBaseUrl),
  origin: () => "https://api.pipedrive.com",
  apiPath: "",
  headers: ({ apiKey }) => ({ "x-api-token": apiKey }),
  abilities: {
    newContactStatus: [null],
    hasTags: true,
    onLeave: ["keep", "remove_tag"],
    canErase: true,
  },
  // Its documented limit for searches on the smallest plan: 10 in 2 seconds.
  pace: { burst: 1, perSecond: 4.5 },
  membersMax: 1,
  retryAfterHeaders: ["retry-after", "x-ratelimit-reset"],
  errorOf: (answer) => (answer.status === 400 ? refusal(answer, "error", "error_info") : undefined),
  probe: (api) => Effect.asVoid(api.ask({ method: "GET", path: "/v1/users/me" })),
  lists: (api) => Effect.map(list(api), (one) => [one]),
  list: (api, listId) => (listId === persons ? list(api) : new ListGone()),
  // It has one list, everyone in the account, and is checked by the label of a trial account.
  trial: {
    status: Effect.fnUntraced(function* (api, target, email) {
      const known = yield* personOf(api, { email, remoteId: null })
      if (known === undefined) return null
      const [label] = yield* labelIds(api, target, [target.managedTag])
      return (known.label_ids ?? []).includes(label ?? 0) ? target.managedTag : null
    }),
    isEmpty: (api) =>
      Effect.map(
        api.read(AnyPersons, { method: "GET", path: "/v2/persons", query: { limit: 1 } }),
        ({ data }) => (data ?? []).length === 0,
      ),
  },
  upsert: oneByOne(
    Effect.fnUntraced(function* (api, target, member) {
      const { email, fields, tags } = member
      const labels = yield* labelIds(api, target, tags)
      const values = valuesOf(fields, target)
      const known = yield* personOf(api, member)
      if (known === undefined) {
        yield* target.notes.adding([email])
        const emails = [{ value: email, primary: true, label: "work" }]
        const body = {
          name: email,
          ...values,
          emails,
          label_ids: labels,
        } satisfies AddPersonRequest
        const { data } = yield* api.read(Person, { method: "POST", path: "/v2/persons", body })
        return written(true, String(data.id))
      }
      const label_ids = [...new Set([...(known.label_ids ?? []), ...labels])]
      const path = personPath(known.id)
      const body = { ...values, label_ids } satisfies UpdatePersonRequest
      yield* api.ask({ method: "PATCH", path, body, isOfFound: true })
      return written(false, String(known.id))
    }),
  ),
  remove: oneByOne(
    Effect.fnUntraced(function* (api, target, member, how) {
      const known = yield* personOf(api, member)
      if (known === undefined) return absent
      const path = personPath(known.id)
      if (how === "erase") {
        yield* api.ask({ method: "DELETE", path, answers: [404] })
        return removed()
      }
      const [label] = yield* labelIds(api, target, [target.managedTag])
      const present = known.label_ids ?? []
      if (label === undefined) return absent
      const label_ids = present.filter((id) => id !== label)
      const body = { label_ids } satisfies UpdatePersonRequest
      yield* api.ask({ method: "PATCH", path, body, isOfFound: true })
      return removed()
    }),
  ),
} satisfies Connector
