// `destinations` and `integrations` as a user runs them: the requests, the output, and where third-party secrets are
// read from.

import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { FakeApi } from "./fixtures/fake-api.ts"
import { footfall } from "./fixtures/footfall.ts"
import { apiKey } from "./fixtures/records.ts"
import { account, list, mailingList, service, webhook } from "./fixtures/destination-records.ts"

const audience = webhook.audienceId
const { id } = webhook
const destinations = `/v1/intent/audiences/${audience}/destinations`
const accounts = "/v1/intent/integrations/accounts"
const secret = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="

let api: FakeApi
let environment: NodeJS.ProcessEnv

beforeEach(async () => {
  api = await FakeApi.start()
  environment = {
    FOOTFALL_BASE_URL: api.baseUrl,
    FOOTFALL_API_KEY: apiKey,
    FOOTFALL_ACCESS_TOKEN: "e30.e30.e30",
  }
  api.on(`GET ${destinations}`, () => ({
    data: { destinations: [webhook, mailingList], total: 2 },
  }))
  api.on(`GET ${destinations}/${id}`, () => ({ data: { destination: webhook } }))
  api.on(`POST ${destinations}`, () => ({
    status: 201,
    data: { destination: webhook, webhookSecret: secret },
  }))
  api.on(`PATCH ${destinations}/${id}`, () => ({ data: { destination: webhook } }))
  api.on(`DELETE ${destinations}/${id}`, () => ({ data: { deleted: true } }))
  api.on(`POST ${destinations}/${id}/rotate-secret`, () => ({
    data: { destination: webhook, webhookSecret: secret },
  }))
  api.on(`GET ${accounts}`, () => ({ data: { accounts: [account] } }))
  api.on(`POST ${accounts}`, () => ({ status: 201, data: { account } }))
  api.on(`POST ${accounts}/${account.id}/check`, () => ({ data: { account } }))
  api.on(`DELETE ${accounts}/${account.id}`, () => ({ data: { deleted: true } }))
  api.on("GET /v1/intent/integrations", () => ({ data: { integrations: [service] } }))
  api.on("GET /v1/intent/integrations/mailer/lists", () => ({ data: { lists: [list] } }))
})
afterEach(() => api[Symbol.asyncDispose]())

const run = (words: ReadonlyArray<string>, input = "") => footfall(words, { environment, input })
const sent = (route: string): unknown => JSON.parse(api.seen(route).at(-1)?.body || "null")

describe("destinations", () => {
  test("list and get print the destinations", async () => {
    const listed = await run(["destinations", "list", audience])
    const csv = await run(["destinations", "list", audience, "--output", "csv"])
    const one = await run(["destinations", "get", audience, id])

    expect(JSON.parse(listed.stdout)).toEqual({
      data: [webhook, mailingList],
      meta: { total: 2, hasMore: false, nextCursor: null },
    })
    expect(csv.stdout.split("\r\n")[1]).toContain("https://hooks.tidewater.example/footfall")
    expect(JSON.parse(one.stdout)).toEqual({ data: webhook })
  })

  test.each([
    [
      "a webhook with every event",
      ["--url", "https://crm.example/hook"],
      {
        destinationType: "webhook",
        url: "https://crm.example/hook",
        eventTypes: webhook.webhook?.eventTypes,
      },
    ],
    [
      "a webhook, with everything",
      [
        ...["--url", "https://crm.example/hook", "--event", "contact", "--timeout", "5000"],
        ...["--validation", "valid_or_catchall"],
      ],
      {
        destinationType: "webhook",
        url: "https://crm.example/hook",
        eventTypes: ["intent.audience.contact.upserted"],
        timeoutMs: 5000,
        validationPolicy: "valid_or_catchall",
      },
    ],
    [
      "a mailing list",
      [
        ...["--account", account.id, "--list", "buyers", "--list-name", "Buyers", "--tag", "new"],
        ...["--field", "FNAME=firstName", "A=B=company.name"],
      ],
      {
        destinationType: "automation",
        appSlug: "mailer",
        connectedAccountId: account.id,
        config: {
          listId: "buyers",
          listName: "Buyers",
          fieldMapping: { FNAME: "firstName", "A=B": "company.name" },
          tags: ["new"],
        },
      },
    ],
  ])("create creates %s and shows the secret", async (_what, words, body) => {
    const made = await run(["destinations", "create", audience, "CRM intake", ...words])

    expect(sent(`POST ${destinations}`)).toEqual({ name: "CRM intake", ...body })
    expect(JSON.parse(made.stdout)).toEqual({
      data: { destination: webhook, webhookSecret: secret },
    })
  })

  test.each([
    ["of neither kind", []],
    ["of both kinds", ["--url", "https://crm.example/", "--account", account.id, "--list", "l"]],
    ["of an account without a list", ["--account", account.id]],
    ["with a tag and without a list", ["--account", account.id, "--tag", "new"]],
    ["with an unknown event", ["--url", "https://crm.example/", "--event", "bounced"]],
    ["with half a field", ["--account", account.id, "--list", "l", "--field", "FNAME="]],
    ["with a timeout that is too long", ["--url", "https://crm.example/", "--timeout", "30001"]],
  ])("create rejects one %s before it sends anything", async (_what, words) => {
    const { exitCode } = await run(["destinations", "create", audience, "CRM", ...words])

    expect(exitCode).toBe(2)
    expect(api.requests).toEqual([])
  })

  test.each([
    [["activate"], { status: "active" }],
    [["pause"], { status: "paused" }],
    [["update", "--name", "Other"], { name: "Other" }],
    [
      ["update", "--url", "https://crm.example/v2", "--active"],
      { url: "https://crm.example/v2", status: "active" },
    ],
  ])("%s sends only the changes", async ([word = "", ...words], body) => {
    const { stdout } = await run(["destinations", word, audience, id, ...words])

    expect(sent(`PATCH ${destinations}/${id}`)).toEqual(body)
    expect(JSON.parse(stdout)).toEqual({ data: webhook })
  })

  test("update without anything to change is a usage error", async () => {
    expect((await run(["destinations", "update", audience, id])).exitCode).toBe(2)
  })

  test("delete asks for confirmation, and needs --yes without a terminal", async () => {
    expect((await run(["destinations", "delete", audience, id])).exitCode).toBe(2)
    const { stdout } = await run(["destinations", "delete", audience, id, "--yes"])
    expect(JSON.parse(stdout)).toEqual({ data: { id, deleted: true } })
  })

  test("rotate-secret uses the session and prints the new secret", async () => {
    const { stdout } = await run([
      "destinations",
      "rotate-secret",
      audience,
      id,
      "--grace-hours",
      "0",
    ])

    const route = `POST ${destinations}/${id}/rotate-secret`
    expect(sent(route)).toEqual({ graceHours: 0 })
    expect(api.seen(route)[0]?.headers["authorization"]).toBe("Bearer e30.e30.e30")
    expect(JSON.parse(stdout).data.webhookSecret).toBe(secret)
  })

  test.each([
    [{ ok: true, statusCode: 204, latencyMs: 12, error: null }, 0],
    [{ ok: false, statusCode: 410, latencyMs: 12, error: "ENDPOINT_GONE" }, 1],
  ])("a test call reports %o and ends with %d", async (result, code) => {
    api.on(`POST ${destinations}/${id}/test`, () => ({ data: result }))

    const { exitCode, stdout } = await run(["destinations", "test", audience, id])

    expect(JSON.parse(stdout)).toEqual({ data: result })
    expect(exitCode).toBe(code)
  })
})

describe("integrations", () => {
  test("apps prints what each service asks for and can do", async () => {
    const { stdout } = await run(["integrations", "apps"])

    expect(JSON.parse(stdout)).toEqual({
      data: [service],
      meta: { total: 1, hasMore: false, nextCursor: null },
    })
  })

  test("create connects an account of any service, with the name of its API user", async () => {
    await run(
      [
        ...["integrations", "accounts", "create", "--app", "listmonk", "--user", "footfall"],
        ...["--provider-url", "https://lists.example", "--key-stdin"],
      ],
      "token-1\n",
    )

    expect(sent(`POST ${accounts}`)).toEqual({
      appSlug: "listmonk",
      credentials: { apiKey: "token-1", username: "footfall", baseUrl: "https://lists.example" },
    })
  })

  test("prints accounts and lists", async () => {
    const meta = { total: 1, hasMore: false, nextCursor: null }
    const listed = await run(["integrations", "accounts", "list"])
    const one = await run(["integrations", "accounts", "get", account.id])
    const none = await run(["integrations", "accounts", "get", id])
    const lists = await run(["integrations", "lists", account.id])
    const checked = await run(["integrations", "accounts", "check", account.id])

    expect(JSON.parse(listed.stdout)).toEqual({ data: [account], meta })
    expect(JSON.parse(lists.stdout)).toEqual({ data: [list], meta })
    expect(JSON.parse(checked.stdout)).toEqual({ data: account })
    expect(JSON.parse(one.stdout)).toEqual({ data: account })
    expect(none.stderr).toContain("footfall integrations accounts list")
    expect(none.exitCode).toBe(5)
  })

  test.each([
    [true, 0],
    [false, 1],
  ])("certify with every check passed: %s ends with the code %d", async (hasPassed, code) => {
    const status = hasPassed ? "passed" : "failed"
    const check = { name: "refusal", status, message: "Someone stays unsubscribed." }
    const certificate = { listId: "7", isListCreated: false, hasPassed, checks: [check] }
    api.on(`POST ${accounts}/${account.id}/certify`, () => ({ data: { certificate } }))
    const words = ["destinations", "certify", account.id, "--list", "7", "--domain", "acme.example"]

    const { exitCode, stderr, stdout } = await run(words)

    expect(sent(`POST ${accounts}/${account.id}/certify`)).toEqual({
      listId: "7",
      domain: "acme.example",
    })
    expect(JSON.parse(stdout)).toEqual({ data: certificate })
    expect(stderr.includes("CHECK_FAILED")).toBe(!hasPassed)
    expect(exitCode).toBe(code)
  })

  test("create reads the provider's key from standard input and never prints it", async () => {
    const { stderr, stdout } = await run(
      ["integrations", "accounts", "create", "--key-stdin", "--name", "Newsletter"],
      "mailer-key-1\n",
    )

    expect(sent(`POST ${accounts}`)).toEqual({
      appSlug: "mailer",
      accountName: "Newsletter",
      credentials: { apiKey: "mailer-key-1" },
    })
    expect(stdout + stderr).not.toContain("mailer-key-1")
  })

  test("create without a key is a usage error", async () => {
    expect((await run(["integrations", "accounts", "create"])).exitCode).toBe(2)
    expect(api.requests).toEqual([])
  })

  test("delete asks for confirmation", async () => {
    const words = ["integrations", "accounts", "delete", account.id]
    expect((await run(words)).exitCode).toBe(2)
    expect((await run([...words, "--yes"])).exitCode).toBe(0)
  })
})
