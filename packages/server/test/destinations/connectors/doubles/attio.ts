// Attio: addresses of people are unique, PATCH appends to multi-select values, PUT of an entry asserts one, and /self answers
// 200 for a wrong token.
import type { Double } from "../double.ts"
import { type Of, ok, type ServiceAnswer, startService } from "../service.ts"

interface Person {
  readonly id: string
  values: Record<string, unknown>
}

interface RecordBody {
  readonly data: {
    readonly values: Readonly<Record<string, unknown>> & {
      readonly email_addresses: ReadonlyArray<string>
    }
  }
}

interface EntryBody {
  readonly data: { readonly parent_record_id: string }
}

interface QueryBody {
  readonly filter: { readonly email_addresses: string }
}

const error = (status: number, message: string): ServiceAnswer => ({
  status,
  body: { status_code: status, type: "invalid_request_error", code: "value_not_found", message },
})

export const startAttio = async (): Promise<Double> => {
  let token = "token-1"
  const listId = "11111111-1111-4111-8111-111111111111"
  const lists = new Map([
    [listId, "people"],
    ["22222222-2222-4222-8222-222222222222", "companies"],
  ])
  const people = new Map<string, Person>()
  /** Record by entry. */
  const entries = new Map<string, string>()
  const entryOf = new Map<string, string>()
  const idByEmail = new Map<string, string>()
  let lastId = 0
  const attributes = [
    { api_slug: "name", title: "Name", type: "personal-name" },
    {
      api_slug: "email_addresses",
      title: "Email addresses",
      type: "email-address",
      is_multiselect: true,
    },
    { api_slug: "footfall_score", title: "Score", type: "number" },
    { api_slug: "created_at", title: "Created at", type: "timestamp", is_writable: false },
  ].map((one) => ({ is_multiselect: false, is_writable: true, ...one, id: {} }))
  const list = ([id, parent]: [string, string]) => ({
    id: { workspace_id: "w", list_id: id },
    api_slug: "buyers",
    name: "Buyers",
    parent_object: [parent],
  })
  const emailsOf = ({ values }: Person) => values["email_addresses"] as ReadonlyArray<string>
  const byEmail = (email: string) => people.get(idByEmail.get(email.toLowerCase()) ?? "")
  const store = (person: Person) => {
    people.set(person.id, person)
    for (const email of emailsOf(person)) idByEmail.set(email.toLowerCase(), person.id)
  }
  const enter = (entry: string, record: string) => {
    entries.set(entry, record)
    entryOf.set(record, entry)
  }
  const leave = (entry: string) => {
    entryOf.delete(entries.get(entry) ?? "")
    return entries.delete(entry)
  }
  const write = (person: Person, values: object): ServiceAnswer | undefined => {
    for (const [slug, value] of Object.entries(values)) {
      const attribute = attributes.find(({ api_slug }) => api_slug === slug)
      if (attribute === undefined) return error(400, `Cannot find attribute with slug "${slug}".`)
      if (attribute.type === "number" && typeof value !== "number")
        return error(400, "Not a number.")
      if (attribute.type === "personal-name") {
        const [name] = value as ReadonlyArray<Readonly<Record<string, unknown>>>
        const parts = ["first_name", "last_name", "full_name"]
        if (parts.some((part) => typeof name?.[part] !== "string")) return error(400, "Not a name.")
      }
      person.values[slug] = value
    }
    return undefined
  }
  const shown = ({ id, values }: Person) => ({
    id: { workspace_id: "w", object_id: "o", record_id: id },
    values,
  })
  const gone = error(404, "Record not found.")

  const service = await startService({
    contract: "attio",
    apiPath: "/v2",
    refused: ({ authorization }) =>
      authorization === `Bearer ${token}` ? undefined : ok({ active: false }),
    routes: () => ({
      "GET /self": () => ok({ active: true }),
      "GET /lists": () => ok({ data: [...lists].map(list) }),
      "GET /lists/{list}": ({ params }) => {
        const parent = lists.get(params["list"]!)
        return parent === undefined
          ? error(404, "No list.")
          : ok({ data: list([params["list"]!, parent]) })
      },
      "GET /{target}/{identifier}/attributes": () => ok({ data: attributes }),
      "POST /objects/{object}/records/query": ({ body }: Of<QueryBody>) => {
        const found = byEmail(body.filter.email_addresses)
        return ok({ data: found === undefined ? [] : [shown(found)] })
      },
      "POST /objects/{object}/records": ({ body }: Of<RecordBody>) => {
        const { values } = body.data
        const email = values.email_addresses[0]!
        if (email.startsWith("refused")) return error(400, `${email} is not an email address.`)
        if (byEmail(email) !== undefined) return error(400, "The value is not unique.")
        const person: Person = { id: `r${++lastId}`, values: {} }
        const refused = write(person, values)
        if (refused !== undefined) return refused
        store(person)
        return ok({ data: shown(person) })
      },
      "PATCH /objects/{object}/records/{record_id}": ({ body, params }: Of<RecordBody>) => {
        const person = people.get(params["record_id"]!)
        if (person === undefined) return gone
        return write(person, body.data.values) ?? ok({ data: shown(person) })
      },
      "DELETE /objects/{object}/records/{record_id}": ({ params }) => {
        if (!people.delete(params["record_id"]!)) return gone
        leave(entryOf.get(params["record_id"]!) ?? "")
        return ok({})
      },
      "GET /objects/{object}/records/{record_id}/entries": ({ params }) =>
        ok({
          data: [entryOf.get(params["record_id"]!)]
            .filter((entry_id) => entry_id !== undefined)
            .map((entry_id) => ({ list_id: listId, list_api_slug: "buyers", entry_id })),
        }),
      "POST /lists/{list}/entries/query": () =>
        ok({ data: [...entries.keys()].slice(0, 1).map((entry_id) => ({ id: { entry_id } })) }),
      "PUT /lists/{list}/entries": ({ body, params }: Of<EntryBody>) => {
        if (!lists.has(params["list"]!)) return error(404, "No list.")
        const { parent_record_id: record } = body.data
        const entry_id = entryOf.get(record) ?? `e${++lastId}`
        enter(entry_id, record)
        const id = { workspace_id: "w", list_id: listId, entry_id }
        return ok({ data: { id, parent_record_id: record, parent_object: "people" } })
      },
      "DELETE /lists/{list}/entries/{entry_id}": ({ params }) =>
        leave(params["entry_id"]!) ? ok({}) : gone,
    }),
  })
  return Object.assign(service, {
    credentials: { apiKey: token },
    listId,
    fieldMapping: { name: "firstName", footfall_score: "intent.score" },
    fieldsOf: (firstName: string, score: number) => ({
      name: [{ first_name: firstName, last_name: "", full_name: firstName }],
      footfall_score: score,
    }),
    newStatus: "on the list",
    refusing: [],
    refused: [],
    removable: "on the list",
    canRemoveFromList: true,
    hasTags: false,
    canErase: true,
    put: (email: string, status: string | null) => {
      const person: Person = { id: `r${++lastId}`, values: { email_addresses: [email] } }
      store(person)
      if (status !== null) enter(`e${++lastId}`, person.id)
    },
    people: () =>
      [...people.values()].map((person) => {
        const { email_addresses: emails, ...fields } = person.values
        return {
          email: (emails as ReadonlyArray<string>)[0]!,
          status: entryOf.has(person.id) ? "on the list" : null,
          fields,
          tags: [],
        }
      }),
    refusedPrefix: "refused",
    revoke: () => void (token = "token-2"),
    deleteList: () => void lists.clear(),
    wait: (seconds: number) => ({
      "retry-after": new Date(Date.now() + seconds * 1000).toUTCString(),
    }),
  })
}
