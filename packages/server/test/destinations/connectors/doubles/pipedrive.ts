// Pipedrive: a repeated POST is a second person, PATCH replaces labels and addresses as a whole, and `marketing_status` is
// set when it is sent.
import type { Double } from "../double.ts"
import { type Of, ok, type ServiceAnswer, startService } from "../service.ts"

interface Person {
  readonly id: number
  name: string
  emails: ReadonlyArray<{ value: string }>
  label_ids: ReadonlyArray<number>
  marketing_status: string
  custom_fields: Record<string, unknown>
}

interface PersonBody {
  readonly name: string
  readonly emails: ReadonlyArray<{ readonly value: string }>
  readonly label_ids?: ReadonlyArray<number>
  readonly marketing_status?: string
  readonly custom_fields?: Readonly<Record<string, unknown>>
}

const error = (status: number, message: string): ServiceAnswer => ({
  status,
  body: { success: false, error: message, error_info: "" },
})
const scoreCode = "9dc80c50d78a15643bfc4ca79d76156a73a1ca0e"

export const startPipedrive = async (): Promise<Double> => {
  let token = "token-1"
  const persons = new Map<number, Person>()
  const labels = new Map<number, string>([[1, "Customer"]])
  /** Ids of persons by address in lower case. */
  const idsByEmail = new Map<string, Set<number>>()
  let lastId = 0
  const options = () => [...labels].map(([id, label]) => ({ id, label }))
  const labelField = () => ({
    field_name: "Labels",
    field_code: "label_ids",
    field_type: "set",
    is_custom_field: false,
    options: options(),
  })
  const fields = () => [
    {
      field_name: "Name",
      field_code: "name",
      field_type: "varchar",
      is_custom_field: false,
      options: null,
    },
    {
      field_name: "Score",
      field_code: scoreCode,
      field_type: "double",
      is_custom_field: true,
      options: null,
    },
    labelField(),
  ]
  const create = (name: string): Person => {
    const id = ++lastId
    const made: Person = {
      id,
      name,
      emails: [],
      label_ids: [],
      marketing_status: "no_consent",
      custom_fields: {},
    }
    persons.set(id, made)
    return made
  }
  const write = (person: Person, body: PersonBody): ServiceAnswer | undefined => {
    const { custom_fields, ...rest } = body
    for (const [code, value] of Object.entries(custom_fields ?? {})) {
      if (code !== scoreCode || typeof value !== "number") return error(400, "Invalid field")
      person.custom_fields[code] = value
    }
    for (const id of rest.label_ids ?? []) {
      if (!labels.has(id)) return error(400, "Invalid label")
    }
    Object.assign(person, rest)
    find(person)
    return undefined
  }
  const find = ({ emails, id }: Person) => {
    for (const { value } of emails) {
      const ids = idsByEmail.get(value.toLowerCase()) ?? new Set()
      idsByEmail.set(value.toLowerCase(), ids.add(id))
    }
  }
  const shown = (person: Person) => ok({ success: true, data: person })

  const service = await startService({
    contract: "pipedrive",
    refused: (headers) =>
      headers["x-api-token"] === token ? undefined : error(401, "unauthorized access"),
    routes: () => ({
      "GET /v1/users/me": () => ok({ success: true, data: { id: 1, name: "Owner" } }),
      "GET /v2/personFields": () =>
        ok({ success: true, data: fields(), additional_data: { next_cursor: null } }),
      "GET /v2/personFields/{field_code}": () => ok({ success: true, data: labelField() }),
      "POST /v2/personFields/{field_code}/options": ({
        body,
      }: Of<ReadonlyArray<{ readonly label: string }>>) => {
        const made = body.map(({ label }) => {
          const id = labels.size + 1
          labels.set(id, label)
          return { id, label }
        })
        return ok({ success: true, data: made }, 201)
      },
      "GET /v2/persons": ({ query }) => {
        const page = [...persons.values()].slice(0, Number(query.get("limit") ?? 100))
        return ok({ success: true, data: page, additional_data: { next_cursor: null } })
      },
      "GET /v2/persons/search": ({ query }) => {
        const term = query.get("term")!.toLowerCase()
        const items = [...(idsByEmail.get(term) ?? [])]
          .flatMap((id) => persons.get(id) ?? [])
          .filter(({ emails }) => emails.some(({ value }) => value.toLowerCase() === term))
          .map(({ emails, id, name }) => ({
            result_score: 1,
            item: { id, type: "person", name, emails: emails.map(({ value }) => value) },
          }))
        return ok({ success: true, data: { items } })
      },
      "GET /v2/persons/{id}": ({ params }) => {
        const person = persons.get(Number(params["id"]))
        return person === undefined ? error(404, "Person not found") : shown(person)
      },
      "POST /v2/persons": ({ body }: Of<PersonBody>) => {
        const { value } = body.emails[0]!
        if (value.startsWith("refused")) return error(400, `${value} is not a valid email`)
        const person = create(body.name)
        const refused = write(person, body)
        if (refused !== undefined) persons.delete(person.id)
        return refused ?? { ...shown(person), status: 201 }
      },
      "PATCH /v2/persons/{id}": ({ body, params }: Of<PersonBody>) => {
        const person = persons.get(Number(params["id"]))
        if (person === undefined) return error(404, "Person not found")
        return write(person, body) ?? shown(person)
      },
      "DELETE /v2/persons/{id}": ({ params }) => {
        persons.delete(Number(params["id"]))
        return ok({ success: true, data: { id: Number(params["id"]) } })
      },
    }),
  })
  return Object.assign(service, {
    credentials: { apiKey: token },
    listId: "persons",
    fieldMapping: { name: "firstName", [scoreCode]: "intent.score" },
    fieldsOf: (firstName: string, score: number) => ({ name: firstName, [scoreCode]: score }),
    newStatus: "no_consent",
    refusing: ["unsubscribed", "bounced"],
    refused: [],
    removable: null,
    canRemoveFromList: false,
    hasTags: true,
    canErase: true,
    put: (email: string, status: string | null) => {
      const person = create("Someone")
      person.emails = [{ value: email }]
      person.label_ids = [1]
      person.marketing_status = status ?? "no_consent"
      find(person)
    },
    people: () =>
      [...persons.values()].map(({ custom_fields, emails, label_ids, marketing_status, name }) => ({
        email: emails[0]!.value,
        status: marketing_status,
        fields: { name, ...custom_fields },
        tags: label_ids.map((id) => labels.get(id)!),
      })),
    refusedPrefix: "refused",
    revoke: () => void (token = "token-2"),
    wait: (seconds: number) => ({ "x-ratelimit-reset": String(seconds) }),
  })
}
