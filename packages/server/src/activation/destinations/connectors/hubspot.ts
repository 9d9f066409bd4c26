// HubSpot. Contacts are written by address, a hundred a request, with text values; one bad input refuses the whole request,
// so a refused one is halved until the bad inputs are alone. Only static lists of contacts take members. The subscription
// status of a contact is never written.
import { Effect, Schema } from "effect"
import {
  absent,
  type Connector,
  failed,
  keyFields,
  type ListMember,
  type MemberOutcome,
  onList,
  removed,
  usualBaseUrl,
  written,
  type WrittenMember,
} from "./connector.ts"
import { type ConnectorError, ListGone } from "./connector-error.ts"
import { contactList, contactLists, contactType, hubspotPeople } from "./hubspot-people.ts"
import {
  bareList,
  field,
  type ListFieldType,
  type MailingList,
  typedFields,
} from "./mailing-list.ts"
import { type ProviderApi, refusal, unreadable } from "./provider-api.ts"

const isStatic = ({ processingType }: { readonly processingType: string }) =>
  processingType === "MANUAL"
const Properties = Schema.Struct({
  results: Schema.Array(
    Schema.Struct({
      name: Schema.String,
      label: Schema.String,
      type: Schema.String,
      hidden: Schema.optionalKey(Schema.Boolean),
      calculated: Schema.optionalKey(Schema.Boolean),
      modificationMetadata: Schema.optionalKey(Schema.Struct({ readOnlyValue: Schema.Boolean })),
    }),
  ),
})
const Contacts = Schema.Struct({
  results: Schema.Array(
    Schema.Struct({
      id: Schema.String,
      properties: Schema.Record(Schema.String, Schema.NullOr(Schema.String)),
    }),
  ),
})
const isContacts = Schema.is(Contacts)
const Added = Schema.Struct({ recordsIdsAdded: Schema.Array(Schema.String) })
const Memberships = Schema.Struct({
  results: Schema.Array(
    Schema.Struct({
      recordId: Schema.String,
      recordListMemberships: Schema.Array(Schema.Struct({ listId: Schema.String })),
    }),
  ),
})

const Made = Schema.Struct({ list: Schema.Struct({ listId: Schema.String }) })

const types: ReadonlyMap<string, ListFieldType> = new Map([
  ["string", "text"],
  ["number", "number"],
  ["enumeration", "choice_single"],
])
/** What a person allowed is theirs to say, and the address names them. */
const isOffered = (name: string) => name !== "email" && !/^hs_(email_optout|legal_basis)/.test(name)

const fields = (api: ProviderApi) =>
  Effect.map(
    api.read(Properties, { method: "GET", path: "/crm/v3/properties/contacts" }),
    ({ results }) =>
      results.flatMap(({ calculated, hidden, label, modificationMetadata, name, type }) => {
        const isReadOnly = modificationMetadata?.readOnlyValue === true || calculated === true
        const known = types.get(type)
        return known === undefined || isReadOnly || hidden === true || !isOffered(name)
          ? []
          : [field(name, known, label)]
      }),
  )

const listOf = (
  { listId, name }: { readonly listId: string; readonly name: string },
  of: MailingList["fields"],
): MailingList => ({
  ...bareList(listId, name),
  fields: of,
})

const inputOf = ({ email, fields: given }: WrittenMember, list: MailingList) => ({
  id: email,
  idProperty: "email",
  properties: {
    ...Object.fromEntries(
      Object.entries(typedFields(given, list)).flatMap(([name, value]) =>
        isOffered(name) ? [[name, String(value)]] : [],
      ),
    ),
    email,
  },
})

const ids = (contacts: typeof Contacts.Type) =>
  new Map(
    contacts.results.map(({ id, properties }) => [properties["email"]?.toLowerCase() ?? "", id]),
  )

interface Upserted {
  /** Ids by address in lower case. */
  readonly ids: ReadonlyMap<string, string>
  readonly failures: ReadonlyMap<string, ConnectorError>
}

const upserted = Effect.fnUntraced(function* (
  api: ProviderApi,
  list: MailingList,
  members: ReadonlyArray<WrittenMember>,
): Effect.fn.Return<Upserted, ConnectorError> {
  const answer = yield* api.ask({
    method: "POST",
    path: "/crm/v3/objects/contacts/batch/upsert",
    body: { inputs: members.map((member) => inputOf(member, list)) },
    answers: [400, 409],
  })
  if (answer.status < 300) {
    if (!isContacts(answer.json)) return yield* unreadable
    return { ids: ids(answer.json), failures: new Map() }
  }
  if (members.length === 1) {
    const error = refusal(answer, "message")
    return { ids: new Map(), failures: new Map([[members[0]!.email, error]]) }
  }
  const middle = Math.ceil(members.length / 2)
  const one = yield* upserted(api, list, members.slice(0, middle))
  const other = yield* upserted(api, list, members.slice(middle))
  return {
    ids: new Map([...one.ids, ...other.ids]),
    failures: new Map([...one.failures, ...other.failures]),
  }
})

const found = (api: ProviderApi, emails: ReadonlyArray<string>) =>
  Effect.map(
    api.read(Contacts, {
      method: "POST",
      path: "/crm/v3/objects/contacts/batch/read",
      body: {
        idProperty: "email",
        inputs: emails.map((id) => ({ id })),
        properties: ["email"],
        propertiesWithHistory: [],
      },
    }),
    ids,
  )

/** Of these contacts, those on the list. */
const listed = Effect.fnUntraced(function* (
  api: ProviderApi,
  listId: string,
  recordIds: Iterable<string>,
) {
  const inputs = [...new Set(recordIds)].map((recordId) => ({
    objectTypeId: contactType,
    recordId,
  }))
  if (inputs.length === 0) return new Set<string>()
  const { results } = yield* api.read(Memberships, {
    method: "POST",
    path: "/crm/v3/lists/records/memberships/batch/read",
    body: { inputs },
  })
  return new Set(
    results.flatMap(({ recordId, recordListMemberships }) =>
      recordListMemberships.some((one) => one.listId === listId) ? [recordId] : [],
    ),
  )
})

const memberships = (listId: string, what: "add" | "remove") =>
  `/crm/v3/lists/${encodeURIComponent(listId)}/memberships/${what}`

export const hubspot = {
  appName: "HubSpot",
  credentials: keyFields(
    "The token of a private app with the scopes crm.objects.contacts, crm.schemas.contacts and crm.lists.",
    usualBaseUrl,
  ),
  origin: () => "https://api.hubapi.com",
  apiPath: "",
  headers: ({ apiKey }) => ({ authorization: `Bearer ${apiKey}` }),
  abilities: {
    newContactStatus: [null],
    hasTags: false,
    onLeave: ["keep", "remove_from_list"],
    canErase: true,
  },
  // Its documented limit for private apps: 100 in 10 seconds.
  pace: { burst: 8, perSecond: 9 },
  membersMax: 100,
  retryAfterHeaders: ["retry-after"],
  errorOf: (answer) => (answer.status === 400 ? refusal(answer, "message") : undefined),
  probe: (api) =>
    Effect.asVoid(
      api.ask({ method: "GET", path: "/crm/v3/objects/contacts", query: { limit: 1 } }),
    ),
  lists: Effect.fnUntraced(function* (api) {
    const all = yield* contactLists(api, ["MANUAL"])
    const of = yield* fields(api)
    return all.filter(isStatic).map((list) => listOf(list, of))
  }),
  list: Effect.fnUntraced(function* (api, listId) {
    const list = yield* contactList(api, listId)
    if (!isStatic(list)) return yield* new ListGone()
    return listOf(list, yield* fields(api))
  }),
  people: hubspotPeople,
  // Opting out is the contact's, and no part of a list.
  trial: {
    status: Effect.fnUntraced(function* (api, { list }, email) {
      const byEmail = yield* found(api, [email])
      return (yield* listed(api, list.id, byEmail.values())).size > 0 ? onList : null
    }),
    lists: {
      create: (api, name) =>
        Effect.map(
          api.read(Made, {
            method: "POST",
            path: "/crm/v3/lists",
            body: { name, objectTypeId: contactType, processingType: "MANUAL" },
          }),
          ({ list }) => list.listId,
        ),
      delete: (api, listId) =>
        Effect.asVoid(
          api.ask({ method: "DELETE", path: `/crm/v3/lists/${encodeURIComponent(listId)}` }),
        ),
    },
  },
  upsert: Effect.fnUntraced(function* (api, { list, notes }, members) {
    const { failures, ids: byEmail } = yield* upserted(api, list, members)
    const present = yield* listed(api, list.id, byEmail.values())
    const idOf = (email: string) => byEmail.get(email.toLowerCase())
    const missing = members.flatMap(({ email }) => {
      const id = idOf(email)
      return id === undefined || present.has(id) ? [] : [email]
    })
    if (missing.length > 0) yield* notes.adding(missing)
    const body = [...new Set(byEmail.values())]
    const { recordsIdsAdded } =
      body.length === 0
        ? { recordsIdsAdded: [] }
        : yield* api.read(Added, { method: "PUT", path: memberships(list.id, "add"), body })
    const added = new Set(recordsIdsAdded)
    return members.map(({ email }): MemberOutcome => {
      const error = failures.get(email)
      if (error !== undefined) return failed(error)
      const id = idOf(email)
      return id === undefined ? failed(unreadable) : written(added.has(id), id)
    })
  }),
  remove: Effect.fnUntraced(function* (api, { list, notes }, members, how) {
    const byEmail = yield* found(
      api,
      members.map(({ email }) => email),
    )
    const idOf = (email: string) => byEmail.get(email.toLowerCase())
    if (how === "erase") {
      for (const objectId of byEmail.values()) {
        const path = "/crm/v3/objects/contacts/gdpr-delete"
        yield* api.ask({ method: "POST", path, body: { objectId }, answers: [404] })
      }
      return members.map(({ email }) => (idOf(email) === undefined ? absent : removed()))
    }
    const present = yield* listed(api, list.id, byEmail.values())
    const isPresent = ({ email }: ListMember) => present.has(idOf(email) ?? "")
    const leaving = members.filter(isPresent)
    if (leaving.length > 0) {
      yield* notes.removing(new Map(leaving.map(({ email }) => [email, onList])))
      yield* api.ask({ method: "PUT", path: memberships(list.id, "remove"), body: [...present] })
    }
    return members.map((member) => (isPresent(member) ? removed(onList) : absent))
  }),
} satisfies Connector
