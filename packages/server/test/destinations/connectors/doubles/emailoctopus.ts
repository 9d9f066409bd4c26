// EmailOctopus: POST answers 409 for a contact that exists, PUT sets any status it is sent, and deleting a contact
// forgets that they unsubscribed.
import { createHash } from "node:crypto"
import type { Double } from "../double.ts"
import { type Of, ok, type ServiceAnswer, startService } from "../service.ts"

interface Contact {
  readonly email: string
  status: string
  fields: Record<string, unknown>
  readonly tags: Set<string>
}

interface ContactBody {
  readonly email_address: string
  readonly fields?: Readonly<Record<string, unknown>>
  readonly tags?: ReadonlyArray<string> | Readonly<Record<string, boolean>>
  readonly status?: string
}

const md5 = (email: string) => createHash("md5").update(email.toLowerCase()).digest("hex")
const problem = (status: number, detail: string): ServiceAnswer => ({
  status,
  body: { type: "about:blank", title: "An error occurred.", detail, status },
})

export const startEmailOctopus = async (doubleOptIn = false): Promise<Double> => {
  let apiKey = "eo_1"
  const listId = "00000000-0000-0000-0000-0000000000aa"
  const contacts = new Map<string, Contact>()
  const emailById = new Map<string, string>()
  const lists = new Set([listId])
  const fields = [
    { tag: "FirstName", type: "text", label: "First name", fallback: null },
    { tag: "Score", type: "number", label: "Score", fallback: null },
  ]
  const shown = (id: string) => ({
    id,
    name: "Buyers",
    double_opt_in: doubleOptIn,
    fields,
    tags: [],
    counts: [{ pending: 0, subscribed: contacts.size, unsubscribed: 0 }],
  })
  const one = ({ email, fields, status, tags }: Contact) => ({
    id: md5(email),
    email_address: email,
    fields,
    tags: [...tags],
    status,
  })
  const invalid = (email: string) => !/^[^@\s]+@[^@\s]+$/.test(email) || email.startsWith("refused")
  const store = (contact: Contact) => {
    contacts.set(contact.email, contact)
    emailById.set(md5(contact.email), contact.email)
  }
  const write = (contact: Contact, body: ContactBody) => {
    contact.status = body.status ?? contact.status
    for (const [tag, value] of Object.entries(body.fields ?? {})) {
      const type = fields.find((field) => field.tag === tag)?.type
      const isTyped = type === "number" ? Number.isInteger(value) : typeof value === "string"
      if (!isTyped) return { ...problem(422, "Unprocessable content.") }
      contact.fields[tag] = value
    }
    const tags = Array.isArray(body.tags)
      ? body.tags.map((tag: string) => [tag, true] as const)
      : Object.entries(body.tags ?? {})
    for (const [tag, isAdded] of tags) {
      if (isAdded) contact.tags.add(tag)
      else contact.tags.delete(tag)
    }
    store(contact)
    return ok(one(contact))
  }
  const created = (email: string): Contact => ({
    email,
    status: doubleOptIn ? "pending" : "subscribed",
    fields: {},
    tags: new Set(),
  })
  const byId = (id: string) => contacts.get(emailById.get(id) ?? "")
  const refusal = (email: string) => ({
    ...problem(422, "Unprocessable content."),
    body: {
      title: "An error occurred.",
      detail: "Unprocessable content.",
      status: 422,
      errors: [{ detail: `The address ${email} is not valid.`, pointer: "/email_address" }],
    },
  })

  const service = await startService({
    contract: "emailoctopus",
    refused: ({ authorization }) =>
      authorization === `Bearer ${apiKey}` ? undefined : problem(401, "Invalid key."),
    routes: (url) => ({
      "GET /lists": () => ok({ data: [...lists].map(shown), paging: { next: null } }),
      "POST /lists": () => {
        const id = `00000000-0000-0000-0000-${String(lists.size).padStart(12, "0")}`
        lists.add(id)
        return ok(shown(id), 201)
      },
      "DELETE /lists/{list_id}": ({ params }) => {
        lists.delete(params["list_id"]!)
        return { status: 204 }
      },
      "GET /lists/{list_id}": ({ params }) =>
        lists.has(params["list_id"]!)
          ? ok(shown(params["list_id"]!))
          : problem(404, "Resource not found."),
      // Without a status: who is subscribed.
      "GET /lists/{list_id}/contacts": ({ params, query }) => {
        const listed = params["list_id"]!
        if (!lists.has(listed)) return problem(404, "Resource not found.")
        const status = query.get("status") ?? "subscribed"
        const limit = Math.min(100, Number(query.get("limit") ?? 100))
        const after = query.get("starting_after") ?? ""
        const found = [...contacts.values()]
          .filter((contact) => contact.status === status && md5(contact.email) > after)
          .toSorted((a, b) => (md5(a.email) < md5(b.email) ? -1 : 1))
        const page = found.slice(0, limit)
        const last = md5(page.at(-1)?.email ?? "")
        const next = `${url}/lists/${listed}/contacts?limit=${limit}&status=${status}&starting_after=${last}`
        return ok({
          data: page.map(one),
          paging: { next: found.length > limit ? { url: next, starting_after: last } : null },
        })
      },
      "POST /lists/{list_id}/contacts": ({ body, params }: Of<ContactBody>) => {
        if (!lists.has(params["list_id"]!)) return problem(404, "Resource not found.")
        if (invalid(body.email_address)) return refusal(body.email_address)
        if (contacts.has(body.email_address)) return problem(409, "Resource already exists.")
        return { ...write(created(body.email_address), body), status: 201 }
      },
      "PUT /lists/{list_id}/contacts": ({ body, params }: Of<ContactBody>) => {
        if (!lists.has(params["list_id"]!)) return problem(404, "Resource not found.")
        if (invalid(body.email_address)) return refusal(body.email_address)
        const { email_address: email } = body
        return write(contacts.get(email) ?? created(email), body)
      },
      "GET /lists/{list_id}/contacts/{contact_id}": ({ params }) => {
        const contact = byId(params["contact_id"]!)
        return contact === undefined ? problem(404, "Resource not found.") : ok(one(contact))
      },
      "PUT /lists/{list_id}/contacts/{contact_id}": ({ body, params }: Of<ContactBody>) => {
        const contact = byId(params["contact_id"]!)
        return contact === undefined ? problem(404, "Resource not found.") : write(contact, body)
      },
      "DELETE /lists/{list_id}/contacts/{contact_id}": ({ params }) => {
        const contact = byId(params["contact_id"]!)
        if (contact === undefined) return problem(404, "Resource not found.")
        contacts.delete(contact.email)
        return { status: 204 }
      },
    }),
  })
  return Object.assign(service, {
    credentials: { apiKey },
    listId,
    fieldMapping: { FirstName: "firstName", Score: "intent.score" },
    fieldsOf: (firstName: string, score: number) => ({ FirstName: firstName, Score: score }),
    newStatus: doubleOptIn ? "pending" : "subscribed",
    refusing: ["unsubscribed", "pending"],
    refused: ["unsubscribed"],
    removable: "subscribed",
    canRemoveFromList: true,
    hasTags: true,
    canErase: true,
    put: (email: string, status: string | null) =>
      store({ ...created(email), status: status ?? "subscribed" }),
    people: () => [...contacts.values()].map((each) => ({ ...each, tags: [...each.tags] })),
    refusedPrefix: "refused",
    revoke: () => void (apiKey = "eo_2"),
    deleteList: () => void lists.clear(),
    wait: (seconds: number) => ({ "x-ratelimit-retry-after": String(seconds) }),
  })
}
