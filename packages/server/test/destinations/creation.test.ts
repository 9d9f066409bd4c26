// What a destination requires, and what is rejected (spec 5.10, 10.3).
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type MailerProvider, startMailerProvider } from "./mailer-provider.ts"
import { type Account, automationBody, eventTypes, webhookBody, World } from "./support.ts"

let world: World
let provider: MailerProvider
let account: Account
let audienceId: string
beforeAll(async () => {
  world = await World.start({ isPrivateAllowed: true })
  provider = await startMailerProvider()
  account = await world.account(provider)
  audienceId = await world.audience()
})
afterAll(async () => {
  await provider.close()
  await world.close()
})

const create = (body: unknown, audience = audienceId) =>
  world.ask(`POST /v1/intent/audiences/${audience}/destinations`, body)
const issuesOf = ({ body }: Awaited<ReturnType<typeof create>>) =>
  (body.error.details as { issues: ReadonlyArray<{ path: string; code: string }> }).issues.map(
    ({ code, path }) => `${path} ${code}`,
  )

describe("defaults", () => {
  it("of a webhook: 10 seconds, every contact", async () => {
    expect(await world.webhook()).toMatchObject({
      validationPolicy: "none",
      webhook: { timeoutMs: 10_000 },
    })
  })

  it("of an automation: valid and catch-all contacts; the config filled in; no secret", async () => {
    const { body, status } = await create(automationBody(account.id))

    expect(status).toBe(201)
    expect(body.data).toMatchObject({
      webhookSecret: null,
      destination: {
        validationPolicy: "valid_or_catchall",
        webhook: null,
        automation: {
          appSlug: "mailer",
          connectedAccount: {
            id: account.id,
            automationAccountId: expect.stringMatching(/^acct_[0-9a-z]{26}$/),
            appSlug: "mailer",
            appName: "Mailer",
            accountName: "Newsletter",
            status: "healthy",
          },
          config: {
            listId: "buyers",
            emailSource: "email",
            newContactStatus: "SUBSCRIBED",
            fieldMapping: {},
            tags: [],
          },
        },
      },
    })
  })
})

describe("event types", () => {
  it("are stored in the order of the specification (spec 2.15.2)", async () => {
    const destination = await world.webhook({ eventTypes: eventTypes.toReversed() })

    expect(destination.webhook?.["eventTypes"]).toEqual(eventTypes)
  })

  it.each([
    ["none", [], "/body/eventTypes min_items"],
    ["a repeated one", [eventTypes[0], eventTypes[0]], "/body/eventTypes format"],
    ["an unknown one", ["intent.audience.contact.erased"], "/body/eventTypes/0 enum"],
  ])("with %s are rejected", async (_what, given, issue) => {
    const answer = await create(webhookBody({ eventTypes: given }))

    expect(answer.status).toBe(400)
    expect(issuesOf(answer)).toContain(issue)
  })
})

describe("bounds of a webhook", () => {
  it.each([
    ["name", "n".repeat(160), "n".repeat(161), "max_length"],
    ["name", "n", "  ", "min_length"],
    ["timeoutMs", 1000, 999, "min"],
    ["timeoutMs", 30_000, 30_001, "max"],
    ["timeoutMs", 1500, 1500.5, "type"],
    ["url", "https://hooks.tidewater.example/", "tidewater", "format"],
    ["url", "https://hooks.tidewater.example/", "ftp://tidewater.example/", "url_not_allowed"],
    [
      "url",
      "https://hooks.tidewater.example/",
      "https://a:b@tidewater.example/",
      "url_not_allowed",
    ],
    [
      "url",
      `https://tidewater.example/${"x".repeat(2048 - 26)}`,
      `https://tidewater.example/${"x".repeat(2049 - 26)}`,
      "url_not_allowed",
    ],
    ["validationPolicy", "none", "all", "enum"],
  ])("%s", async (field, good, bad, code) => {
    const audience = await world.audience()
    const refused = await create(webhookBody({ [field]: bad }), audience)

    expect((await create(webhookBody({ [field]: good }), audience)).status).toBe(201)
    expect(refused.status).toBe(400)
    expect(issuesOf(refused)).toEqual([`/body/${field} ${code}`])
  })
})

describe("bounds of an automation config", () => {
  const many = (count: number) => Array.from({ length: count }, (_, place) => `tag ${place}`)
  it.each([
    ["listId", "l".repeat(200), "l".repeat(201), "/body/config/listId max_length"],
    ["listId", "l", "", "/body/config/listId min_length"],
    ["listId", "...", "..", "/body/config/listId format"],
    ["listName", "l".repeat(200), "l".repeat(201), "/body/config/listName max_length"],
    ["emailSource", "email", "businessEmail", "/body/config/emailSource enum"],
    ["newContactStatus", "SUBSCRIBED", "PENDING", "/body/config/newContactStatus enum"],
    ["tags", many(19), many(20), "/body/config/tags max_items"],
    ["tags", ["t".repeat(100)], ["t".repeat(101)], "/body/config/tags/0 max_length"],
    ["tags", ["t"], [""], "/body/config/tags/0 min_length"],
    ["fieldMapping", { A: "company.name" }, { A: "phone" }, "/body/config/fieldMapping/A enum"],
  ])("%s", async (field, good, bad, issue) => {
    const audience = await world.audience()
    const body = (value: unknown) => automationBody(account.id, { listId: "l", [field]: value })
    const refused = await create(body(bad), audience)

    expect((await create(body(good), audience)).status).toBe(201)
    expect(refused.status).toBe(400)
    expect(issuesOf(refused)).toEqual([issue])
  })
})

describe("the type decides which fields are allowed", () => {
  it.each([
    ["webhook", {}, ["/body/url required", "/body/eventTypes required"]],
    [
      "automation",
      {},
      ["/body/connectedAccountId required", "/body/appSlug required", "/body/config required"],
    ],
    [
      "webhook",
      { ...webhookBody(), appSlug: "mailer", config: { listId: "l" } },
      ["/body/appSlug unknown_field", "/body/config unknown_field"],
    ],
    [
      "automation",
      { ...automationBody(randomUUID()), url: "https://a.example/", timeoutMs: 5000 },
      ["/body/url unknown_field", "/body/timeoutMs unknown_field"],
    ],
  ])("%s", async (destinationType, fields, issues) => {
    const answer = await create({ name: "n", ...fields, destinationType })

    expect(answer.status).toBe(400)
    expect(issuesOf(answer)).toEqual(issues)
  })

  it("also in a change, where type, app and account cannot be set at all", async () => {
    const webhook = await world.webhook()
    const automation = await world.automation(account.id)
    const foreign = await world.patch(webhook, { config: { listId: "l" } })

    expect(issuesOf(foreign)).toEqual(["/body/config unknown_field"])
    expect(issuesOf(await world.patch(automation, { timeoutMs: 5000 }))).toEqual([
      "/body/timeoutMs unknown_field",
    ])
    for (const field of ["destinationType", "appSlug", "connectedAccountId"]) {
      expect(issuesOf(await world.patch(automation, { [field]: "x" }))).toEqual([
        `/body/${field} unknown_field`,
      ])
    }
    expect(issuesOf(await world.patch(automation, { status: "draft" }))).toEqual([
      "/body/status enum",
    ])
  })
})

describe("not found", () => {
  it("is an unknown audience or account", async () => {
    expect((await create(webhookBody(), randomUUID())).status).toBe(404)
    expect((await create(automationBody(randomUUID()))).status).toBe(404)
  })

  it("is a destination of another audience of the organization", async () => {
    const destination = await world.webhook()
    const elsewhere = { ...destination, audienceId: await world.audience() }

    expect((await world.ask(`GET ${world.pathOf(elsewhere)}`)).status).toBe(404)
    expect((await world.patch(elsewhere, { name: "x" })).status).toBe(404)
    expect((await world.ask(`DELETE ${world.pathOf(elsewhere)}`)).status).toBe(404)
    expect((await world.ask(`POST ${world.pathOf(elsewhere)}/rotate-secret`)).status).toBe(404)
  })

  it("an id in upper case is the same id", async () => {
    const destination = await world.webhook()
    const shouted = { ...destination, id: destination.id.toUpperCase() }

    expect((await world.read(shouted)).id).toBe(destination.id)
    expect((await world.ask(`POST ${world.pathOf(shouted)}/rotate-secret`)).status).toBe(200)
    const tried = await world.get<{ readonly statusCode: number | null }>(
      `POST ${world.pathOf(shouted)}/test`,
    )
    expect(tried.statusCode).toBeNull()
  })
})

describe("an account that cannot be used", () => {
  it("is a 409 with its status", async () => {
    const own = await world.account(provider)
    await world.server.sql("update connected_account set status = 'unhealthy' where id = $1", [
      own.id,
    ])

    const { body, status } = await create(automationBody(own.id))

    expect(status).toBe(409)
    expect(body.error).toMatchObject({
      code: "ACCOUNT_UNHEALTHY",
      details: { status: "unhealthy" },
    })
  })

  it("is a 503 when neither account nor server has the provider's base URL", async () => {
    const own = await world.account(provider)
    await world.server.sql("update connected_account set base_url = null where id = $1", [own.id])

    const { body, status } = await create(automationBody(own.id))

    expect(status).toBe(503)
    expect(body.error.code).toBe("INTEGRATION_UNAVAILABLE")
  })
})

it("the 21st destination of an audience is a conflict, also with 30 concurrent requests", async () => {
  const audience = await world.audience()
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, place) =>
      create(webhookBody({ name: `Number ${place}` }), audience),
    ),
  )

  const refused = answers.filter(({ status }) => status !== 201)
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(20)
  expect(refused.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 409))
  expect(refused[0]!.body.error).toMatchObject({ code: "CONFLICT", details: { limit: 20 } })

  const { destinations, total } = await world.get<{
    readonly destinations: ReadonlyArray<{ id: string; audienceId: string; createdAt: string }>
    readonly total: number
  }>(`GET /v1/intent/audiences/${audience}/destinations`)
  const times = destinations.map(({ createdAt }) => createdAt)
  expect(total).toBe(20)
  expect(times).toEqual(times.toSorted().toReversed())

  await world.get(`DELETE ${world.pathOf(destinations[0]!)}`)
  expect((await create(webhookBody(), audience)).status).toBe(201)
})

it("a body is rejected where none is expected, and required nowhere (spec 1.4.12)", async () => {
  const destination = await world.webhook()
  const path = world.pathOf(destination)

  expect(issuesOf(await world.ask(`DELETE ${path}`, { force: true }))).toEqual([
    "/body/force unknown_field",
  ])
  expect((await world.ask(`POST ${path}/test`, {})).status).toBe(200)
  expect((await world.ask(`POST ${path}/rotate-secret`)).status).toBe(200)
  expect((await world.ask(`DELETE ${path}`, {})).status).toBe(200)
})
