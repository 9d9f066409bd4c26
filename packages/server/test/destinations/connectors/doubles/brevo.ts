// Brevo: a PUT with `listIds` puts a contact on the list, also one who left it, and sets any `emailBlacklisted` that it is
// sent. A contact who left a list is in `listUnsubscribed`.
import type { Double } from "../double.ts"
import { type Of, ok, type ServiceAnswer, startService } from "../service.ts"

interface Contact {
  readonly id: number
  readonly email: string
  emailBlacklisted: boolean
  attributes: Record<string, unknown>
  readonly listIds: Set<number>
  readonly listUnsubscribed: Set<number>
}

interface ContactBody {
  readonly email: string
  readonly attributes?: Readonly<Record<string, unknown>>
  readonly listIds?: ReadonlyArray<number>
  readonly unlinkListIds?: ReadonlyArray<number>
  readonly emailBlacklisted?: boolean
  readonly updateEnabled?: boolean
}

const error = (status: number, code: string, message: string): ServiceAnswer => ({
  status,
  body: { code, message },
})
const list = 7

export const startBrevo = async (): Promise<Double> => {
  let apiKey = "xkeysib-1"
  const lists = new Set([list])
  let lastId = 0
  const contacts = new Map<string, Contact>()
  const attributes = [
    { name: "FIRSTNAME", category: "normal", type: "text" },
    { name: "SCORE", category: "normal", type: "float" },
    { name: "DOUBLE_OPT-IN", category: "category", enumeration: [{ value: 1, label: "Yes" }] },
  ]
  const create = (email: string): Contact => {
    const id = ++lastId
    const one = { id, email, emailBlacklisted: false, attributes: {} }
    const made: Contact = { ...one, listIds: new Set(), listUnsubscribed: new Set() }
    contacts.set(email.toLowerCase(), made)
    return made
  }
  const shown = (one: Contact) => ({
    ...one,
    smsBlacklisted: false,
    listIds: [...one.listIds],
    listUnsubscribed: one.listUnsubscribed.size === 0 ? null : [...one.listUnsubscribed],
  })
  const write = (contact: Contact, body: Omit<ContactBody, "email">): ServiceAnswer => {
    for (const id of body.listIds ?? []) {
      if (!lists.has(id)) return error(400, "invalid_parameter", "List ID does not exist")
    }
    for (const [name, value] of Object.entries(body.attributes ?? {})) {
      if (name === "SCORE" && typeof value !== "number") {
        return error(400, "invalid_parameter", "Invalid attribute")
      }
      // An attribute that Brevo doesn't have is dropped.
      if (attributes.some((one) => one.name === name)) contact.attributes[name] = value
    }
    if (body.emailBlacklisted !== undefined) contact.emailBlacklisted = body.emailBlacklisted
    for (const id of body.listIds ?? []) {
      contact.listIds.add(id)
      contact.listUnsubscribed.delete(id)
    }
    for (const id of body.unlinkListIds ?? []) contact.listIds.delete(id)
    return { status: 204 }
  }
  const of = (params: Readonly<Record<string, string>>) =>
    contacts.get(params["identifier"]!.toLowerCase())
  const gone = error(404, "document_not_found", "Contact does not exist")
  const listOf = (id: number) => ({
    id,
    name: "Buyers",
    totalBlacklisted: 0,
    totalSubscribers: contacts.size,
    uniqueSubscribers: contacts.size,
    folderId: 1,
  })

  /** Oldest first if it is asked for. Without contacts, `contacts` is left out. */
  const page = (found: ReadonlyArray<Contact>, query: URLSearchParams) => {
    const sorted = query.get("sort") === "asc" ? found : found.toReversed()
    const offset = Number(query.get("offset") ?? 0)
    const entries = sorted.slice(offset, offset + Number(query.get("limit") ?? 50))
    return ok({
      ...(entries.length > 0 && { contacts: entries.map(shown) }),
      count: found.length,
    })
  }

  const service = await startService({
    contract: "brevo",
    apiPath: "/v3",
    refused: (headers) =>
      headers["api-key"] === apiKey ? undefined : error(401, "unauthorized", "Key not found"),
    routes: () => ({
      "GET /account": () => ok({ email: "owner@acme.example", companyName: "Acme" }),
      "GET /contacts/lists": () => ok({ lists: [...lists].map(listOf), count: lists.size }),
      "GET /contacts/lists/{listId}": ({ params }) =>
        lists.has(Number(params["listId"]))
          ? ok(listOf(Number(params["listId"])))
          : error(404, "document_not_found", "List ID does not exist"),
      "GET /contacts/folders": () => ok({ folders: [{ id: 1, name: "Lists" }], count: 1 }),
      "POST /contacts/lists": () => {
        const id = Math.max(...lists) + 1
        lists.add(id)
        return ok({ id }, 201)
      },
      "DELETE /contacts/lists/{listId}": ({ params }) => {
        lists.delete(Number(params["listId"]))
        return { status: 204 }
      },
      "GET /contacts/attributes": () => ok({ attributes }),
      "GET /contacts": ({ query }) => page([...contacts.values()], query),
      "GET /contacts/lists/{listId}/contacts": ({ params, query }) => {
        const id = Number(params["listId"])
        return lists.has(id)
          ? page(
              [...contacts.values()].filter((one) => one.listIds.has(id)),
              query,
            )
          : error(404, "document_not_found", "List ID does not exist")
      },
      "GET /contacts/{identifier}": ({ params }) => {
        const contact = of(params)
        return contact === undefined ? gone : ok(shown(contact))
      },
      "POST /contacts": ({ body }: Of<ContactBody>) => {
        if (body.email.startsWith("refused")) {
          return error(400, "invalid_parameter", `Invalid email address ${body.email}`)
        }
        if (contacts.has(body.email.toLowerCase()) && body.updateEnabled !== true) {
          return error(400, "duplicate_parameter", "Contact already exist")
        }
        const made = contacts.get(body.email.toLowerCase()) ?? create(body.email)
        const written = write(made, body)
        return written.status === 204 ? ok({ id: made.id }, 201) : written
      },
      "PUT /contacts/{identifier}": ({ body, params }: Of<ContactBody>) => {
        const contact = of(params)
        return contact === undefined ? gone : write(contact, body)
      },
      "DELETE /contacts/{identifier}": ({ params }) => {
        const contact = of(params)
        if (contact === undefined) return gone
        contacts.delete(contact.email.toLowerCase())
        return { status: 204 }
      },
      "POST /contacts/lists/{listId}/contacts/remove": ({
        body,
        params,
      }: Of<{ readonly emails: ReadonlyArray<string> }>) => {
        const removed = body.emails.filter((email) =>
          contacts.get(email.toLowerCase())?.listIds.delete(Number(params["listId"])),
        )
        return removed.length === 0
          ? error(
              400,
              "invalid_parameter",
              "Contact already removed from list and/or does not exist",
            )
          : ok({ contacts: { success: removed, failure: [], total: removed.length } }, 201)
      },
    }),
  })
  return Object.assign(service, {
    credentials: { apiKey },
    listId: String(list),
    fieldMapping: { FIRSTNAME: "firstName", SCORE: "intent.score" },
    fieldsOf: (firstName: string, score: number) => ({ FIRSTNAME: firstName, SCORE: score }),
    newStatus: "on the list",
    refusing: ["blacklisted", "left"],
    refused: ["blacklisted", "left"],
    removable: "on the list",
    canRemoveFromList: true,
    hasTags: false,
    canErase: true,
    put: (email: string, status: string | null) => {
      const contact = create(email)
      if (status === "left") contact.listUnsubscribed.add(list)
      else contact.listIds.add(list)
      contact.emailBlacklisted = status === "blacklisted"
    },
    forget: (email: string) => void contacts.delete(email.toLowerCase()),
    people: () =>
      [...contacts.values()].map((one) => ({
        email: one.email,
        status: one.emailBlacklisted
          ? "blacklisted"
          : one.listIds.has(list)
            ? "on the list"
            : one.listUnsubscribed.has(list)
              ? "left"
              : null,
        fields: one.attributes,
        tags: [],
      })),
    refusedPrefix: "refused",
    revoke: () => void (apiKey = "xkeysib-2"),
    deleteList: () => void lists.clear(),
    wait: (seconds: number) => ({ "x-sib-ratelimit-reset": String(seconds) }),
  })
}
