// The calls of destinations and integrations as the server receives them, and their results. One row per endpoint of
// spec 5.10 and 5.11.

import { describe, expect, it } from "vitest"
import { Footfall } from "../src/index.ts"
import { accessToken, apiKey } from "./support/credentials.ts"
import { scriptedServer } from "./support/scripted-server.ts"
import { refuse, succeed } from "./support/steps.ts"

const audienceId = "70865832-8a6e-409c-95c5-d15bafae1a05"
const id = "72c2caee-8b8d-4561-a8f3-fa549b992a9d"
const destinations = `/v1/intent/audiences/${audienceId}/destinations`
const accounts = "/v1/intent/integrations/accounts"
const webhook = {
  destinationType: "webhook",
  name: "CRM intake",
  url: "https://hooks.tidewater.example/footfall",
  eventTypes: ["intent.audience.contact.upserted"],
} as const
const connection = { appSlug: "mailer", credentials: { apiKey: "mailer-key-1" } } as const

interface Row {
  readonly name: string
  readonly call: (footfall: Footfall) => Promise<unknown>
  readonly line: string
  readonly body?: unknown
  readonly query?: Readonly<Record<string, string>>
  readonly data: Readonly<Record<string, unknown>>
  /** Default: the data. */
  readonly given?: unknown
}

const one = { data: { destination: { id } }, given: { id } }
const secret = { data: { destination: { id }, webhookSecret: "whsec_AA==" } }
const account = { data: { account: { id } }, given: { id } }
const deleted = { data: { deleted: true } }

/** BK: sends the key, or the token if there is no key. */
const byEither: ReadonlyArray<Row> = [
  {
    name: "destinations.list",
    call: (f) => f.destinations.list(audienceId),
    line: `GET ${destinations}`,
    data: { destinations: [{ id }], total: 1 },
    given: [{ id }],
  },
  {
    name: "destinations.create",
    call: (f) => f.destinations.create(audienceId, webhook),
    line: `POST ${destinations}`,
    body: webhook,
    ...secret,
  },
  {
    name: "destinations.get",
    call: (f) => f.destinations.get(audienceId, id),
    line: `GET ${destinations}/${id}`,
    ...one,
  },
  {
    name: "destinations.update",
    call: (f) => f.destinations.update(audienceId, id, { status: "active" }),
    line: `PATCH ${destinations}/${id}`,
    body: { status: "active" },
    ...one,
  },
  {
    name: "destinations.delete",
    call: (f) => f.destinations.delete(audienceId, id),
    line: `DELETE ${destinations}/${id}`,
    ...deleted,
  },
  {
    name: "destinations.test",
    call: (f) => f.destinations.test(audienceId, id, { eventType: "intent.audience.sync.started" }),
    line: `POST ${destinations}/${id}/test`,
    body: { eventType: "intent.audience.sync.started" },
    data: { ok: true, statusCode: 200, latencyMs: 3, error: null },
  },
]

/** B+: sends the token, even if there is a key. */
const byToken: ReadonlyArray<Row> = [
  {
    name: "destinations.rotateSecret",
    call: (f) => f.destinations.rotateSecret(audienceId, id, { graceHours: 0 }),
    line: `POST ${destinations}/${id}/rotate-secret`,
    body: { graceHours: 0 },
    ...secret,
  },
  {
    name: "integrations.accounts",
    call: (f) => f.integrations.accounts(),
    line: `GET ${accounts}`,
    data: { accounts: [{ id }] },
    given: [{ id }],
  },
  {
    name: "integrations.connect",
    call: (f) => f.integrations.connect(connection),
    line: `POST ${accounts}`,
    body: connection,
    ...account,
  },
  {
    name: "integrations.check",
    call: (f) => f.integrations.check(id),
    line: `POST ${accounts}/${id}/check`,
    ...account,
  },
  {
    name: "integrations.certify",
    call: (f) => f.integrations.certify(id, { domain: "example.com" }),
    line: `POST ${accounts}/${id}/certify`,
    body: { domain: "example.com" },
    data: { certificate: { hasPassed: true } },
    given: { hasPassed: true },
  },
  {
    name: "integrations.disconnect",
    call: (f) => f.integrations.disconnect(id),
    line: `DELETE ${accounts}/${id}`,
    ...deleted,
  },
  {
    name: "integrations.list",
    call: (f) => f.integrations.list(),
    line: "GET /v1/intent/integrations",
    data: { integrations: [{ appSlug: "mailer" }] },
    given: [{ appSlug: "mailer" }],
  },
  {
    name: "integrations.mailingLists",
    call: (f) => f.integrations.mailingLists("mailer", id),
    line: "GET /v1/intent/integrations/mailer/lists",
    query: { connectedAccountId: id },
    data: { lists: [{ id: "buyers" }] },
    given: [{ id: "buyers" }],
  },
  {
    name: "integrations.readableLists",
    call: (f) => f.integrations.readableLists("mailer", id),
    line: "GET /v1/intent/integrations/mailer/readable-lists",
    query: { connectedAccountId: id },
    data: { lists: [{ id: "buyers" }] },
    given: [{ id: "buyers" }],
  },
]

describe.each([
  ["key", { "x-api-key": apiKey }, byEither],
  ["token", { authorization: `Bearer ${accessToken}` }, byToken],
] as const)("with the %s of the two", (_which, credentials, rows) => {
  it.each(rows)("$name sends its request and returns the data", async (row) => {
    await using server = await scriptedServer([succeed(row.data)])

    const given = await row.call(new Footfall({ apiKey, accessToken, baseUrl: server.baseUrl }))

    const [received] = server.received
    const { body, headers, method, path, query } = received ?? expect.fail("nothing was sent")
    expect(given).toEqual(row.given ?? row.data)
    expect(`${method} ${path}`).toBe(row.line)
    expect(Object.fromEntries(query)).toEqual(row.query ?? {})
    expect(body === "" ? undefined : JSON.parse(body)).toEqual(row.body)
    const { authorization, "x-api-key": key } = headers
    expect({ authorization, "x-api-key": key }).toEqual({
      authorization: undefined,
      "x-api-key": undefined,
      ...credentials,
    })
  })
})

it("a provider's key appears in no error", async () => {
  await using server = await scriptedServer([
    refuse(400, "VALIDATION_ERROR", { details: { received: "mailer-key-1" } }),
  ])
  const footfall = new Footfall({ accessToken, baseUrl: server.baseUrl })

  const error: unknown = await footfall.integrations.connect(connection).catch((each) => each)

  expect(String(error)).toContain("refused")
  expect(`${String(error)} ${JSON.stringify(error)}`).not.toContain("mailer-key-1")
})
