// Attio. A PUT of a record replaces multi-select values, the addresses too, so a person is searched for by address and then
// created or patched. A PUT of an entry asserts one; a POST would add a second.
import { Effect, Schema } from "effect"
import {
  absent,
  type Connector,
  keyFields,
  type ListTarget,
  oneByOne,
  onList,
  removed,
  usualBaseUrl,
  written,
  type WrittenMember,
} from "./connector.ts"
import { CredentialsRefused, ListGone } from "./connector-error.ts"
import {
  bareList,
  field,
  type ListFieldType,
  type MailingList,
  typedFields,
} from "./mailing-list.ts"
import { type ProviderApi, refusal } from "./provider-api.ts"

const perPage = 500

const Self = Schema.Struct({ active: Schema.Boolean })
const List = Schema.Struct({
  id: Schema.Struct({ list_id: Schema.String }),
  name: Schema.String,
  parent_object: Schema.Array(Schema.String),
})
const Lists = Schema.Struct({ data: Schema.Array(List) })
const OneList = Schema.Struct({ data: List })
const Attributes = Schema.Struct({
  data: Schema.Array(
    Schema.Struct({
      api_slug: Schema.String,
      title: Schema.String,
      type: Schema.String,
      is_multiselect: Schema.optionalKey(Schema.Boolean),
      is_writable: Schema.optionalKey(Schema.Boolean),
    }),
  ),
})
const Record = Schema.Struct({ id: Schema.Struct({ record_id: Schema.String }) })
const Records = Schema.Struct({ data: Schema.Array(Record) })
const OneRecord = Schema.Struct({ data: Record })
const isRecord = Schema.is(OneRecord)
const Entries = Schema.Struct({
  data: Schema.Array(Schema.Struct({ list_id: Schema.String, entry_id: Schema.String })),
})

const AnyEntries = Schema.Struct({ data: Schema.Array(Schema.Unknown) })

const types: ReadonlyMap<string, ListFieldType> = new Map([
  ["text", "text"],
  ["personal-name", "text"],
  ["number", "number"],
  ["rating", "number"],
  ["select", "choice_single"],
])

const fields = (api: ProviderApi) =>
  Effect.map(
    api.pages(
      Attributes,
      { method: "GET", path: "/objects/people/attributes", query: { limit: perPage, offset: 0 } },
      ({ data }) => data,
      ({ data }, pages) =>
        data.length === perPage
          ? {
              method: "GET",
              path: "/objects/people/attributes",
              query: { limit: perPage, offset: pages * perPage },
            }
          : undefined,
    ),
    (all) =>
      all.flatMap(({ api_slug, is_multiselect, is_writable, title, type }) => {
        const known = types.get(type)
        return known === undefined || is_writable === false || is_multiselect === true
          ? []
          : [field(api_slug, known, title)]
      }),
  )

const isOfPeople = ({ parent_object }: typeof List.Type) => parent_object.includes("people")

const listOf = ({ id, name }: typeof List.Type, of: MailingList["fields"]): MailingList => ({
  ...bareList(id.list_id, name),
  fields: of,
})

const recordId = (api: ProviderApi, email: string) =>
  Effect.map(
    api.read(Records, {
      method: "POST",
      path: "/objects/people/records/query",
      body: { filter: { email_addresses: email }, limit: 1 },
    }),
    ({ data }) => data[0]?.id.record_id,
  )

const recordPath = (id: string) => `/objects/people/records/${encodeURIComponent(id)}`

/** The entry of a record on the list. */
const entryId = (api: ProviderApi, id: string, listId: string) =>
  Effect.map(
    api.read(Entries, {
      method: "GET",
      path: `${recordPath(id)}/entries`,
      query: { limit: 1_000 },
      isOfFound: true,
    }),
    ({ data }) => data.find(({ list_id }) => list_id === listId)?.entry_id,
  )

/** A name has parts, and Attio requires all of them. */
const nameOf = (full: string) => {
  const [first_name = "", ...rest] = full.split(" ")
  return [{ first_name, last_name: rest.join(" "), full_name: full }]
}

const valuesOf = (given: WrittenMember["fields"], { list }: ListTarget) => {
  const { email_addresses: _, name, ...values } = typedFields(given, list)
  return { ...values, ...(name === undefined ? {} : { name: nameOf(String(name)) }) }
}

export const attio = {
  appName: "Attio",
  credentials: keyFields(
    "Create one under Workspace settings, Developers, with read and write access to records and lists.",
    usualBaseUrl,
  ),
  origin: () => "https://api.attio.com",
  apiPath: "/v2",
  headers: ({ apiKey }) => ({ authorization: `Bearer ${apiKey}` }),
  abilities: {
    newContactStatus: [null],
    hasTags: false,
    onLeave: ["keep", "remove_from_list"],
    canErase: true,
  },
  // Its documented limit for writes: 25 a second.
  pace: { burst: 3, perSecond: 22 },
  membersMax: 1,
  retryAfterHeaders: ["retry-after"],
  errorOf: (answer) => (answer.status === 400 ? refusal(answer, "message") : undefined),
  // It answers 200 for a wrong token.
  probe: (api) =>
    Effect.flatMap(api.read(Self, { method: "GET", path: "/self" }), ({ active }) =>
      active ? Effect.void : new CredentialsRefused({ status: 401 }),
    ),
  lists: Effect.fnUntraced(function* (api) {
    const { data } = yield* api.read(Lists, { method: "GET", path: "/lists" })
    const of = yield* fields(api)
    return data.filter(isOfPeople).map((list) => listOf(list, of))
  }),
  list: Effect.fnUntraced(function* (api, listId) {
    const path = `/lists/${encodeURIComponent(listId)}`
    const { data } = yield* api.read(OneList, { method: "GET", path })
    if (!isOfPeople(data)) return yield* new ListGone()
    return listOf(data, yield* fields(api))
  }),
  // Its API deletes no list, and a record can't be refused.
  trial: {
    status: Effect.fnUntraced(function* (api, { list }, email) {
      const id = yield* recordId(api, email)
      if (id === undefined) return null
      return (yield* entryId(api, id, list.id)) === undefined ? null : onList
    }),
    isEmpty: (api, listId) =>
      Effect.map(
        api.read(AnyEntries, {
          method: "POST",
          path: `/lists/${encodeURIComponent(listId)}/entries/query`,
          body: { limit: 1 },
        }),
        ({ data }) => data.length === 0,
      ),
  },
  upsert: oneByOne(
    Effect.fnUntraced(function* (api, target, { email, fields: given }) {
      const values = valuesOf(given, target)
      const listId = target.list.id
      let id = yield* recordId(api, email)
      let isOnList = false
      if (id === undefined) {
        const made = yield* api.ask({
          method: "POST",
          path: "/objects/people/records",
          body: { data: { values: { ...values, email_addresses: [email] } } },
          answers: [400],
        })
        if (isRecord(made.json)) id = made.json.data.id.record_id
        // Refused, unless someone else created them in between.
        else id = yield* recordId(api, email)
        if (id === undefined) return yield* refusal(made, "message")
      } else {
        if (Object.keys(values).length > 0) {
          const body = { data: { values } }
          yield* api.ask({ method: "PATCH", path: recordPath(id), body, isOfFound: true })
        }
        isOnList = (yield* entryId(api, id, listId)) !== undefined
      }
      if (isOnList) return written(false, id)
      yield* target.notes.adding([email])
      const data = { parent_record_id: id, parent_object: "people", entry_values: {} }
      const path = `/lists/${encodeURIComponent(listId)}/entries`
      yield* api.ask({ method: "PUT", path, body: { data } })
      return written(true, id)
    }),
  ),
  remove: oneByOne(
    Effect.fnUntraced(function* (api, { list, notes }, { email }, how) {
      const id = yield* recordId(api, email)
      if (id === undefined) return absent
      if (how === "erase") {
        yield* api.ask({ method: "DELETE", path: recordPath(id), answers: [404] })
        return removed()
      }
      const entry = yield* entryId(api, id, list.id)
      if (entry === undefined) return absent
      yield* notes.removing(new Map([[email, onList]]))
      const path = `/lists/${encodeURIComponent(list.id)}/entries/${encodeURIComponent(entry)}`
      yield* api.ask({ method: "DELETE", path, answers: [404] })
      return removed(onList)
    }),
  ),
} satisfies Connector
