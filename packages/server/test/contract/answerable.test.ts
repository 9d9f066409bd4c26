// Everything that is accepted can be returned: each stored text of each body, at its maximum length and with letters of
// every kind, is read again alone and in its list, and is unchanged (spec 1.5). The texts come from the contract.
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import {
  type fieldNames,
  operatorsOf,
  typeOfField,
  valueKindOf,
} from "../../src/people/visitors/query/predicate.ts"
import { type MailerProvider, startMailerProvider } from "../destinations/mailer-provider.ts"
import { type Answer, send, Tenant } from "../isolation/world.ts"
import { startServer, type TestServer } from "../support/server.ts"
import { putTopics, topic } from "../topics/topics.ts"
import { boundedTexts, contractSchemas, textsInUnits } from "./bounded-texts.ts"

let server: TestServer
let tenant: Tenant
let provider: MailerProvider
let connectedAccountId: string

beforeAll(async () => {
  // Connected accounts belong to a provider in this process.
  vi.stubEnv("ALLOW_PRIVATE_WEBHOOKS", "on")
  provider = await startMailerProvider()
  server = await startServer({ workers: false })
  tenant = await Tenant.make(server)
  await putTopics(server, [topic(1, "Freight")])
  connectedAccountId = await tenant.connectedAccount()
})
afterAll(async () => {
  await server.close()
  await provider.close()
})

/** One code point each, or several that belong together. The last one grows when its case changes. */
const letters = ["a", "😀", "e\u0301", "İ"]
/** Prefixes that some fields require. */
const beginnings = ["", "/", "https://acme.example/", "https://127.0.0.1:1/"]

/** Text of exactly this many code points. */
const filled = (beginning: string, letter: string, length: number): string => {
  const points = [...beginning, ...letter.repeat(length)].slice(0, length)
  return points.join("")
}

interface Resource {
  readonly body: object
  /** The path that creates or changes it. */
  readonly path: string
  /** The path that returns it. Absent: only its list does. */
  readonly one?: (id: string) => string
  /** Absent: there is no list. */
  readonly list?: string
  /** Whether DELETE removes it. Default: true. */
  readonly isKept?: boolean
}

const rule = (predicate: object = { field: "behavior.sessions", op: "gte", value: 1 }) => ({
  version: 1,
  rule: predicate,
})

const segments = "/v1/data/segments"
const lists = "/v1/data/lists"
const sources = "/v1/data/suppression-sources"
const fileSource = {
  name: "CRM",
  kind: "url",
  url: "https://acme.example/customers.csv",
  types: ["domain"],
}
const inbound = "/v1/data/inbound"
const pixels = "/v1/data/pixels"
const webhooks = "/v1/data/webhooks"
const topicLists = "/v1/intent/topic-lists"
const audiences = "/v1/intent/audiences"
const accounts = "/v1/intent/integrations/accounts"

const at = (list: string) => (id: string) => `${list}/${id}`
const settings = {
  topicRules: [{ path: "/t", topicId: 1 }],
  keyPages: [{ path: "/t", name: "T" }],
}
const config = { topicIds: [1], filters: { companyIndustry: ["retail"] } }

/** How to call each operation that stores a text. */
const stored: Readonly<Record<string, () => Promise<Resource> | Resource>> = {
  "POST /v1/data/segments": () => ({
    path: segments,
    body: { name: "Buyers", ruleAst: rule() },
    one: at(segments),
    list: segments,
  }),
  "PATCH /v1/data/segments/:segmentId": async () => ({
    path: `${segments}/${await tenant.segment()}`,
    body: {},
    one: at(segments),
    list: segments,
  }),
  "POST /v1/data/lists": () => ({
    path: lists,
    body: { name: "Accounts", subject: "companies" },
    one: at(lists),
    list: lists,
  }),
  "PATCH /v1/data/lists/:listId": async () => ({
    path: `${lists}/${await tenant.list()}`,
    body: {},
    one: at(lists),
    list: lists,
  }),
  "POST /v1/data/visitors/:visitorId/notes": async () => {
    const path = `/v1/data/visitors/${(await tenant.visitor()).visitorId}/notes`
    return { path, body: { text: "Call back" }, list: path }
  },
  "PATCH /v1/data/visitors/:visitorId/notes/:noteId": async () => {
    const { noteId, visitorId } = await tenant.visitorNote()
    const list = `/v1/data/visitors/${visitorId}/notes`
    return { path: `${list}/${noteId}`, body: { text: "Call back" }, list }
  },
  "POST /v1/data/companies/:domain/notes": async () => {
    const path = `/v1/data/companies/${await tenant.company()}/notes`
    return { path, body: { text: "Call back" }, list: path }
  },
  "PATCH /v1/data/companies/:domain/notes/:noteId": async () => {
    const { domain, noteId } = await tenant.companyNote()
    const list = `/v1/data/companies/${domain}/notes`
    return { path: `${list}/${noteId}`, body: { text: "Call back" }, list }
  },
  "POST /v1/data/suppression-sources": () => ({
    path: sources,
    body: fileSource,
    one: at(sources),
    list: sources,
  }),
  "PATCH /v1/data/suppression-sources/:sourceId": async () => ({
    path: `${sources}/${resourceOf((await ask("POST", sources, fileSource)).body["data"]).id}`,
    body: {},
    one: at(sources),
    list: sources,
  }),
  "POST /v1/data/inbound": async () => ({
    path: inbound,
    body: { name: "RB2B", pixelId: (await tenant.pixel()).id, preset: "rb2b" },
    one: at(inbound),
    list: inbound,
  }),
  "PATCH /v1/data/inbound/:inboundId": async () => ({
    path: `${inbound}/${(await tenant.inbound()).inboundId}`,
    body: {},
    one: at(inbound),
    list: inbound,
  }),
  "POST /v1/data/pixels": () => ({
    path: pixels,
    body: { domain: `${randomUUID()}.example`, settings },
    one: at(pixels),
    list: pixels,
  }),
  "PATCH /v1/data/pixels/:id": async () => ({
    path: `${pixels}/${(await tenant.pixel()).id}`,
    body: { settings },
    one: at(pixels),
    list: pixels,
  }),
  "POST /v1/data/pixels/:id/write-keys": async () => {
    const path = `${pixels}/${(await tenant.pixel()).id}/write-keys`
    return { path, body: { name: "Backend" }, list: path }
  },
  "POST /v1/data/webhooks": () => ({
    path: webhooks,
    body: {
      name: "CRM",
      url: "https://192.0.2.1/",
      status: "inactive",
      trigger: "page_viewed",
    },
    one: at(webhooks),
    list: webhooks,
  }),
  "PATCH /v1/data/webhooks/:id": async () => ({
    path: `${webhooks}/${await tenant.webhook()}`,
    body: { trigger: "page_viewed" },
    one: at(webhooks),
    list: webhooks,
  }),
  "POST /v1/organizations": () => ({
    path: "/v1/organizations",
    body: { name: "Tidewater", slug: `t${randomUUID().slice(0, 30)}` },
    list: "/v1/organizations",
    isKept: true,
  }),
  "PATCH /v1/organizations/:id": () => ({
    path: `/v1/organizations/${tenant.organization.organizationId}`,
    body: {},
    one: at("/v1/organizations"),
    list: "/v1/organizations",
    isKept: true,
  }),
  "POST /v1/api-keys": () => ({
    path: "/v1/api-keys",
    body: { name: "Backend" },
    list: "/v1/api-keys",
  }),
  "POST /v1/intent/topic-lists": () => ({
    path: topicLists,
    body: { name: "Watched", topicIds: [1] },
    one: at(topicLists),
    list: topicLists,
  }),
  "PATCH /v1/intent/topic-lists/:id": async () => ({
    path: `${topicLists}/${await tenant.topicList()}`,
    body: {},
    one: at(topicLists),
    list: topicLists,
  }),
  "POST /v1/intent/audiences": () => ({
    path: audiences,
    body: { name: "Buyers", config },
    one: at(audiences),
    list: audiences,
  }),
  "PATCH /v1/intent/audiences/:id": async () => ({
    path: `${audiences}/${await tenant.audience()}`,
    body: { config },
    one: at(audiences),
    list: audiences,
  }),
  "POST /v1/intent/audiences/:audienceId/destinations": async () => {
    const list = `${audiences}/${await tenant.audience()}/destinations`
    const body = {
      destinationType: "automation",
      name: "List",
      appSlug: "mailer",
      connectedAccountId,
      config: { listId: "1", tags: ["a"] },
    }
    return { path: list, body, one: at(list), list }
  },
  "PATCH /v1/intent/audiences/:audienceId/destinations/:destinationId": async () => {
    const list = `${audiences}/${await tenant.audience()}/destinations`
    const { data } = await tenant.ask<{ readonly destination: { readonly id: string } }>(
      "POST",
      list,
      {
        destinationType: "automation",
        name: "List",
        appSlug: "mailer",
        connectedAccountId,
        config: { listId: "1" },
      },
    )
    const body = { config: { listId: "1", tags: ["a"] } }
    return { path: `${list}/${data.destination.id}`, body, one: at(list), list }
  },
  "POST /v1/intent/integrations/accounts": () => {
    const { apiKey, url: baseUrl } = provider
    const body = { appSlug: "mailer", credentials: { apiKey, baseUrl } }
    return { path: accounts, body, list: accounts }
  },
}

/** Their format doesn't allow text of that length or these letters, or a provider checks them. */
const hasOtherForm = new Set([
  "/settings/cookieDomain",
  // A path, and a secret that is never shown: see inbound/inbound.test.ts.
  "/mapping/each",
  "/signingSecret",
  "/settings/ignoredReferrers/0",
  "/url",
  "/credentials/apiKey",
  "/credentials/baseUrl",
  "/credentials/username",
  // Of a source of kind `list` it is a UUID: see suppression/service-sources.test.ts.
  "/listId",
])

/** They store nothing of the text, or nothing that is returned. */
const storeNothing = new Set([
  "POST /v1/auth/accept-invite",
  // The name of the terminal is returned: see device-login.test.ts.
  "POST /v1/auth/device",
  "POST /v1/auth/device/approve",
  "POST /v1/auth/password",
  "POST /v1/auth/password/reset",
  "POST /v1/auth/join",
  "POST /v1/intent/audiences/validate",
  // Its contacts and its list are deleted at the end: see destinations/connectors/certification.test.ts.
  "POST /v1/intent/integrations/accounts/:id/certify",
  "POST /v1/data/webhooks/preview",
  "POST /v1/data/inbound/test",
  // Tags are returned in their normal form: see teamwork/marks.test.ts.
  "PATCH /v1/data/visitors/:visitorId",
  "PATCH /v1/data/companies/:domain",
  // The note is returned with each rule: see suppression/origins.test.ts.
  "POST /v1/data/suppression-rules",
  "PUT /v1/data/suppression-rules",
  // It has no id: see score.test.ts.
  "PUT /v1/data/score",
  "POST /v1/intent/audiences/preview",
])

const texts = contractSchemas().flatMap((schema) =>
  schema.part !== "body" || storeNothing.has(schema.operation)
    ? []
    : boundedTexts(schema).map((text) => ({
        operation: schema.operation,
        field: `/${text.path.join("/")}`,
        ...text,
      })),
)

const ask = (method: string, path: string, body?: unknown): Promise<Answer> =>
  send(server)({
    method,
    path,
    ...(body === undefined ? {} : { body }),
    ...(path.startsWith("/v1/data")
      ? { apiKey: tenant.organization.apiKey }
      : { token: tenant.owner.accessToken }),
  })

type Json = Readonly<Record<string, unknown>>

/** The object with another value at a path, which is created if necessary. */
const withAt = (
  object: unknown,
  [key, ...rest]: ReadonlyArray<string>,
  value: unknown,
): unknown => {
  if (key === undefined) return value
  if (key === "0") return [withAt(Array.isArray(object) ? object[0] : undefined, rest, value)]
  const members = (object ?? {}) as Json
  return { ...members, [key]: withAt(members[key], rest, value) }
}

const valueAt = (object: unknown, path: ReadonlyArray<string>): unknown =>
  path.reduce<unknown>((inner, key) => (inner as Json | undefined)?.[key], object)

/** The first object with an id in the response. */
const resourceOf = (data: unknown): Json & { readonly id: string } => {
  const object = data as Json
  return (
    typeof object["id"] === "string"
      ? object
      : Object.values(object).find((inner) => typeof (inner as Json | null)?.["id"] === "string")
  ) as Json & { readonly id: string }
}

const rowsOf = (data: unknown): ReadonlyArray<Json> =>
  Array.isArray(data) ? data : (Object.values(data as Json).find(Array.isArray) as Array<Json>)

/** Reads the stored resource alone and in its list. */
const readAgain = async (
  { isKept = false, list, one }: Resource,
  answer: Answer,
  path: ReadonlyArray<string>,
) => {
  const made = resourceOf(answer.body["data"])
  const alone = one === undefined ? undefined : await ask("GET", one(made.id))
  const listed = list === undefined ? undefined : await ask("GET", list)

  if (listed !== undefined) {
    expect(listed.status, JSON.stringify(listed.body)).toBe(200)
    const row = rowsOf(listed.body["data"]).find(({ id }) => id === made.id)
    expect(row).toBeDefined()
    if (path.length > 0) expect(valueAt(row, path)).toEqual(valueAt(made, path))
  }
  if (alone !== undefined) {
    expect(alone.status, JSON.stringify(alone.body)).toBe(200)
    if (path.length > 0) {
      expect(valueAt(resourceOf(alone.body["data"]), path)).toEqual(valueAt(made, path))
    }
  }
  if (!isKept) await ask("DELETE", (one ?? at(`${list}`))(made.id))
}

it("every operation with a bounded text is in the table, or stores nothing", () => {
  expect(Object.keys(stored).toSorted()).toEqual(
    [...new Set(texts.map(({ operation }) => operation))].toSorted(),
  )
})

it("the length of every text in the contract is counted in code points", () => {
  expect(contractSchemas().flatMap(textsInUnits)).toEqual([])
})

describe("a text of maximum length is returned as it was stored", () => {
  it.each(texts)("$operation $field", async ({ field, lengthMax, operation, path }) => {
    const method = operation.slice(0, operation.indexOf(" "))
    const accepted: Array<string> = []
    for (const letter of letters) {
      const resource = await stored[operation]!()
      for (const beginning of beginnings) {
        const value = filled(beginning, letter, lengthMax)
        const answer = await ask(method, resource.path, withAt(resource.body, path, value))
        if (answer.status >= 300) {
          expect(answer.status, JSON.stringify(answer.body)).toBe(400)
          continue
        }
        accepted.push(letter)
        await readAgain(resource, answer, path)
        break
      }
    }
    expect(accepted).toEqual(hasOtherForm.has(field) ? [] : letters)
  })
})

describe("a rule with texts of maximum length is returned as it was stored", () => {
  const predicates = ["company.name", "behavior.visited_paths"].flatMap((field) => {
    const type = typeOfField(field as (typeof fieldNames)[number])
    return operatorsOf(type).flatMap((op) => {
      const kind = valueKindOf(type, op)
      return kind === "text" || kind === "texts" ? [{ field, op, kind }] : []
    })
  })

  it.each(predicates)("$field $op", async ({ field, kind, op }) => {
    for (const letter of letters) {
      const text = filled("", letter, 255)
      const value = kind === "text" ? text : Array.from({ length: 100 }, () => text)
      const body = { name: "Buyers", ruleAst: rule({ field, op, value }) }

      const answer = await ask("POST", segments, body)

      expect(answer.status, JSON.stringify(answer.body)).toBe(201)
      const resource = { path: segments, body, one: at(segments), list: segments }
      await readAgain(resource, answer, ["ruleAst"])
    }
  })
})
