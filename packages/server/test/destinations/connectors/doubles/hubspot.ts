// HubSpot: a batch is all or nothing, values are texts, an existing contact is matched by address, and only static lists of
// contacts take members.
import type { Double } from "../double.ts"
import { type Of, ok, type ServiceAnswer, startService } from "../service.ts"

interface Contact {
  readonly id: string
  properties: Record<string, string>
}

interface Inputs {
  readonly idProperty?: string
  readonly inputs: ReadonlyArray<{
    readonly id: string
    readonly properties: Readonly<Record<string, string>>
  }>
}

type Ids = ReadonlyArray<string>

const error = (status: number, message: string, category: string): ServiceAnswer => ({
  status,
  body: { status: "error", message, correlationId: "1", category },
})
const listed = (listId: string, processingType: string, objectTypeId = "0-1") => ({
  listId,
  name: processingType === "MANUAL" ? "Buyers" : "Everyone",
  objectTypeId,
  processingType,
  processingStatus: "COMPLETE",
  listVersion: 1,
})

interface HubSpot extends Double {
  /** Sets properties of a contact. */
  set(email: string, properties: Readonly<Record<string, string>>): void
}

export const startHubSpot = async (): Promise<HubSpot> => {
  let token = "pat-eu1-1"
  const listId = "17"
  const lists = new Map([
    [listId, listed(listId, "MANUAL")],
    ["18", listed("18", "DYNAMIC")],
    ["19", listed("19", "MANUAL", "0-2")],
  ])
  /** Records by list. */
  const membersOf = new Map([[listId, new Set<string>()]])
  const members = membersOf.get(listId)!
  const contacts = new Map<string, Contact>()
  let lastId = 100
  const properties = [
    { name: "email", label: "Email", type: "string", fieldType: "text" },
    { name: "firstname", label: "First name", type: "string", fieldType: "text" },
    { name: "footfall_score", label: "Score", type: "number", fieldType: "number" },
    { name: "hs_email_optout", label: "Unsubscribed", type: "bool", fieldType: "booleancheckbox" },
    {
      name: "hs_object_id",
      label: "Record ID",
      type: "number",
      fieldType: "number",
      modificationMetadata: { readOnlyValue: true },
    },
  ]
  const idByEmail = new Map<string, string>()
  const byEmail = (email: string) => contacts.get(idByEmail.get(email.toLowerCase()) ?? "")
  const create = (email: string): Contact => {
    const made = { id: String(++lastId), properties: { email: email.toLowerCase() } }
    contacts.set(made.id, made)
    idByEmail.set(made.properties.email, made.id)
    return made
  }
  const shown = ({ id, properties: all }: Contact, isNew: boolean) => ({
    id,
    properties: all,
    createdAt: "2026-03-11T09:04:00Z",
    updatedAt: "2026-03-11T09:04:00Z",
    archived: false,
    new: isNew,
  })
  const next = (isMore: boolean, last: string | number | undefined) =>
    isMore ? { paging: { next: { after: String(last), link: "" } } } : {}
  const batch = (results: ReadonlyArray<unknown>, status = 200) =>
    ok({ status: "COMPLETE", results, startedAt: "", completedAt: "" }, status)
  const moved = (recordsIdsAdded: ReadonlyArray<string>, recordIdsRemoved: ReadonlyArray<string>) =>
    ok({ recordsIdsAdded, recordIdsRemoved, recordIdsMissing: [] })

  const service = await startService({
    contract: "hubspot",
    refused: ({ authorization }) =>
      authorization === `Bearer ${token}`
        ? undefined
        : error(401, "Authentication credentials not found.", "INVALID_AUTHENTICATION"),
    routes: () => ({
      "GET /crm/v3/objects/contacts": ({ query }) => {
        const limit = Number(query.get("limit") ?? 10)
        const after = Number(query.get("after") ?? 0)
        const found = [...contacts.values()].filter(({ id }) => Number(id) > after)
        const page = found.slice(0, limit)
        return ok({
          results: page.map((one) => shown(one, false)),
          ...next(found.length > limit, page.at(-1)?.id),
        })
      },
      "GET /crm/v3/lists/{listId}/memberships": ({ params, query }) => {
        if (!lists.has(params["listId"]!)) {
          return error(404, "List does not exist.", "OBJECT_NOT_FOUND")
        }
        const limit = Number(query.get("limit") ?? 100)
        const after = Number(query.get("after") ?? 0)
        const onIt = membersOf.get(params["listId"]!) ?? new Set()
        const found = [...onIt].map(Number).filter((id) => id > after)
        const page = found.toSorted((a, b) => a - b).slice(0, limit)
        return ok({
          total: onIt.size,
          results: page.map((id) => ({
            recordId: String(id),
            membershipTimestamp: "2026-03-11T09:04:00Z",
          })),
          ...next(found.length > limit, page.at(-1)),
        })
      },
      "GET /crm/v3/properties/{objectType}": () => ok({ results: properties }),
      "POST /crm/v3/lists/search": ({ body }: Of<{ readonly processingTypes: Ids }>) => {
        const found = [...lists.values()].filter(({ processingType }) =>
          body.processingTypes.includes(processingType),
        )
        return ok({ lists: found, hasMore: false, offset: found.length, total: found.length })
      },
      "POST /crm/v3/lists": () => {
        const id = String(100 + lists.size)
        lists.set(id, listed(id, "MANUAL"))
        membersOf.set(id, new Set())
        return ok({ list: lists.get(id) })
      },
      "DELETE /crm/v3/lists/{listId}": ({ params }) => {
        lists.delete(params["listId"]!)
        membersOf.delete(params["listId"]!)
        return { status: 204 }
      },
      "GET /crm/v3/lists/{listId}": ({ params }) => {
        const list = lists.get(params["listId"]!)
        return list === undefined
          ? error(404, "List does not exist.", "OBJECT_NOT_FOUND")
          : ok({ list })
      },
      "POST /crm/v3/objects/contacts/batch/upsert": ({ body }: Of<Inputs>) => {
        for (const { id, properties: given } of body.inputs) {
          if (id.startsWith("refused")) {
            const message = `Property values were not valid: ${id} is not a valid email`
            return error(400, message, "VALIDATION_ERROR")
          }
          for (const name of Object.keys(given)) {
            if (properties.some((one) => one.name === name)) continue
            return error(400, `Property "${name}" does not exist`, "VALIDATION_ERROR")
          }
        }
        return batch(
          body.inputs.map(({ id, properties: given }) => {
            const known = byEmail(id)
            const contact = known ?? create(id)
            contact.properties = { ...contact.properties, ...given }
            return shown(contact, known === undefined)
          }),
        )
      },
      "POST /crm/v3/objects/contacts/batch/read": ({ body }: Of<Inputs>) => {
        const isByEmail = body.idProperty === "email"
        const found = body.inputs.flatMap(
          ({ id }) => (isByEmail ? byEmail(id) : contacts.get(id)) ?? [],
        )
        const isWhole = found.length === body.inputs.length
        return batch(
          found.map((one) => shown(one, false)),
          isWhole ? 200 : 207,
        )
      },
      "POST /crm/v3/lists/records/memberships/batch/read": ({
        body,
      }: Of<{ readonly inputs: ReadonlyArray<{ readonly recordId: string }> }>) =>
        batch(
          body.inputs
            .filter(({ recordId }) => contacts.has(recordId))
            .map(({ recordId }) => ({
              objectTypeId: "0-1",
              recordId,
              recordListMemberships: [...membersOf].flatMap(([id, records]) =>
                records.has(recordId) ? [{ listId: id, listVersion: 1, isPublicList: false }] : [],
              ),
            })),
        ),
      "PUT /crm/v3/lists/{listId}/memberships/add": ({ body, params }: Of<Ids>) => {
        if (lists.get(params["listId"]!)?.processingType !== "MANUAL") {
          return error(400, "List is not static.", "VALIDATION_ERROR")
        }
        const onIt = membersOf.get(params["listId"]!)!
        const added = body.filter((id) => contacts.has(id) && !onIt.has(id))
        for (const id of added) onIt.add(id)
        return moved(added, [])
      },
      "PUT /crm/v3/lists/{listId}/memberships/remove": ({ body, params }: Of<Ids>) => {
        const gone = body.filter((id) => membersOf.get(params["listId"]!)?.delete(id) === true)
        return moved([], gone)
      },
      "POST /crm/v3/objects/contacts/gdpr-delete": ({
        body,
      }: Of<{ readonly objectId: string }>) => {
        contacts.delete(body.objectId)
        for (const listed of membersOf.values()) listed.delete(body.objectId)
        return { status: 204 }
      },
    }),
  })
  return Object.assign(service, {
    credentials: { apiKey: token },
    listId,
    fieldMapping: { firstname: "firstName", footfall_score: "intent.score" },
    fieldsOf: (firstName: string, score: number) => ({
      firstname: firstName,
      footfall_score: String(score),
    }),
    newStatus: "on the list",
    refusing: ["opted out"],
    refused: ["opted out"],
    removable: "on the list",
    canRemoveFromList: true,
    hasTags: false,
    canErase: true,
    put: (email: string, status: string | null) => {
      const contact = create(email)
      // Opting out is the contact's: membership of a list says nothing about it.
      if (status === "opted out") contact.properties["hs_email_optout"] = "true"
      else if (status !== null) members.add(contact.id)
    },
    set: (email: string, given: Readonly<Record<string, string>>) =>
      void Object.assign(byEmail(email)!.properties, given),
    people: () =>
      [...contacts.values()].map(({ id, properties: { email, ...fields } }) => ({
        email: email!,
        status:
          fields["hs_email_optout"] === "true"
            ? "opted out"
            : members.has(id)
              ? "on the list"
              : null,
        fields,
        tags: [],
      })),
    refusedPrefix: "refused",
    revoke: () => void (token = "pat-eu1-2"),
    deleteList: () => void lists.clear(),
  })
}
