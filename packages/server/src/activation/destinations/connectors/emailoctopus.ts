// EmailOctopus, API version 2. A contact is on one list only. POST creates a contact and answers 409 for one that exists;
// PUT sets any status that it is sent, also of someone who unsubscribed, so it is sent none. Taking a contact off its
// list deletes it, and with it the record that they unsubscribed.
import { Effect, Schema } from "effect"
import { hash } from "node:crypto"
import {
  absent,
  type Connector,
  kept,
  keyFields,
  oneByOne,
  removed,
  usualBaseUrl,
  written,
} from "./connector.ts"
import { emailoctopusPeople } from "./emailoctopus-people.ts"
import { allLists, contactsPath, listOf, probeLists, ProviderList } from "./mailer.ts"
import { typedFields } from "./mailing-list.ts"
import { refusal, unreadable } from "./provider-api.ts"

const Contact = Schema.Struct({ status: Schema.String })
const isContact = Schema.is(Contact)
const Made = Schema.Struct({ id: Schema.String })

/** A contact's path: the hash of the address in lower case names it. */
const contactPath = (listId: string, email: string) =>
  `${contactsPath(listId)}/${hash("md5", email.toLowerCase(), "hex")}`

/** Statuses of people who may be removed, and who get them back. */
const removable = new Set(["subscribed", "pending"])

export const emailoctopus = {
  appName: "EmailOctopus",
  credentials: keyFields("Create one under Integrations & API, API keys.", usualBaseUrl),
  origin: () => "https://api.emailoctopus.com",
  apiPath: "",
  headers: ({ apiKey }) => ({ authorization: `Bearer ${apiKey}` }),
  abilities: {
    newContactStatus: [null, "SUBSCRIBED"],
    hasTags: true,
    onLeave: ["keep", "remove_tag", "remove_from_list"],
    canErase: true,
  },
  // Its documented bucket: 100 tokens, 10 more a second.
  pace: { burst: 98, perSecond: 9.8 },
  membersMax: 1,
  retryAfterHeaders: ["x-ratelimit-retry-after", "retry-after"],
  errorOf: (answer) =>
    answer.status === 400 || answer.status === 422
      ? refusal(answer, "errors.0.detail", "detail", "title")
      : undefined,
  probe: probeLists,
  lists: allLists,
  list: (api, listId) =>
    Effect.map(
      api.read(ProviderList, { method: "GET", path: `/lists/${encodeURIComponent(listId)}` }),
      listOf,
    ),
  people: emailoctopusPeople,
  trial: {
    status: Effect.fnUntraced(function* (api, { list }, email) {
      const path = contactPath(list.id, email)
      const { json, status } = yield* api.ask({ method: "GET", path, answers: [404] })
      if (status === 404) return null
      return isContact(json) ? json.status : yield* unreadable
    }),
    refuse: (api, { list }, email) => {
      const body = { email_address: email, status: "unsubscribed" }
      return Effect.asVoid(api.ask({ method: "PUT", path: contactsPath(list.id), body }))
    },
    lists: {
      create: (api, name) =>
        Effect.map(
          api.read(Made, { method: "POST", path: "/lists", body: { name } }),
          ({ id }) => id,
        ),
      delete: (api, listId) =>
        Effect.asVoid(api.ask({ method: "DELETE", path: `/lists/${encodeURIComponent(listId)}` })),
    },
  },
  upsert: oneByOne(
    Effect.fnUntraced(function* (api, { list, notes }, { email, fields, formerStatus, tags }) {
      const contact = { email_address: email, fields: typedFields(fields, list) }
      const path = contactsPath(list.id)
      const added = Object.fromEntries(tags.map((tag) => [tag, true]))
      const update = { method: "PUT", path, body: { ...contact, tags: added } } as const
      const found = yield* api.ask({
        method: "GET",
        path: contactPath(list.id, email),
        answers: [404],
      })
      if (found.status !== 404) return yield* Effect.as(api.ask(update), written(false))
      yield* notes.adding([email])
      const created = yield* api.ask({
        method: "POST",
        path,
        body: {
          ...contact,
          tags,
          // Someone whom we deleted ourselves is created again as they were.
          ...(formerStatus !== null && removable.has(formerStatus) ? { status: formerStatus } : {}),
        },
        answers: [409],
      })
      if (created.status !== 409) return written(true)
      // Someone else created them in between, or an earlier request did whose answer was lost.
      return yield* Effect.as(api.ask(update), written(false))
    }),
  ),
  remove: oneByOne(
    Effect.fnUntraced(function* (api, { list, managedTag, notes }, { email }, how) {
      const path = contactPath(list.id, email)
      if (how === "erase") {
        const { status } = yield* api.ask({ method: "DELETE", path, answers: [404] })
        return status === 404 ? absent : removed()
      }
      if (how === "remove_tag") {
        const body = { tags: { [managedTag]: false } }
        const { status } = yield* api.ask({ method: "PUT", path, body, answers: [404] })
        return status === 404 ? absent : removed()
      }
      const found = yield* api.ask({ method: "GET", path, answers: [404] })
      if (found.status === 404) return absent
      if (!isContact(found.json)) return yield* unreadable
      const { status } = found.json
      if (!removable.has(status)) return kept
      yield* notes.removing(new Map([[email, status]]))
      yield* api.ask({ method: "DELETE", path, answers: [404] })
      return removed(status)
    }),
  ),
} satisfies Connector
