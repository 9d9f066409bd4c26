// Connected accounts: connecting them, their visible states, their mailing lists (spec 2.17, 4.5, 5.11).
import { randomUUID } from "node:crypto"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { type MailerProvider, startMailerProvider } from "./mailer-provider.ts"
import { type Account, World } from "./support.ts"

const path = "/v1/intent/integrations/accounts"
let world: World
let provider: MailerProvider
beforeAll(async () => {
  world = await World.start()
  provider = await startMailerProvider()
})
afterEach(() => {
  provider.apiKey = "mailer-key-1"
  provider.fault = undefined
  provider.nextUrl = undefined
  provider.pageSize = 100
  provider.lists.clear()
})
afterAll(async () => {
  await provider.close()
  await world.close()
})

const connect = (credentials: Readonly<Record<string, unknown>>, more = {}) =>
  world.ask(`POST ${path}`, { appSlug: "mailer", credentials, ...more })
const credentials = () => ({ apiKey: provider.apiKey, baseUrl: provider.url })
const check = async ({ id }: Account) =>
  (await world.get<{ readonly account: Account }>(`POST ${path}/${id}/check`)).account
const list = async () =>
  (await world.get<{ readonly accounts: ReadonlyArray<Account> }>(`GET ${path}`)).accounts
const listsOf = ({ id }: Pick<Account, "id">) =>
  world.ask(`GET /v1/intent/integrations/mailer/lists?connectedAccountId=${id}`)
const issueOf = ({ body }: Awaited<ReturnType<typeof connect>>) =>
  (body.error.details as { issues: ReadonlyArray<{ path: string; code: string }> }).issues[0]
const stored = async () =>
  (await world.server.sql("select count(*)::int as count from connected_account"))[0]!["count"]

describe("connecting", () => {
  it("stores an account after a good probe, and never shows its credentials", async () => {
    const answer = await connect(credentials(), { accountName: "Newsletter" })

    expect(answer.status).toBe(201)
    expect(answer.body.data).toEqual({
      account: {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        automationAccountId: expect.stringMatching(/^acct_[0-9a-z]{26}$/),
        appSlug: "mailer",
        appName: "Mailer",
        accountName: "Newsletter",
        status: "healthy",
        lastSyncedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/),
      },
    })
    const [row] = await world.server.sql(
      "select encode(credentials, 'escape') as text from connected_account limit 1",
    )
    expect(row?.["text"]).not.toContain(provider.apiKey)
    expect(JSON.stringify(await list())).not.toContain(provider.apiKey)
  })

  it("accepts an account without a name", async () => {
    expect((await connect(credentials())).body.data).toMatchObject({
      account: { accountName: null },
    })
  })

  it.each([401, 403])(
    "returns 400 for rejected credentials (%d), and stores nothing",
    async (status) => {
      const before = await stored()
      provider.fault = () => ({ status })

      const answer = await connect(credentials())

      expect(answer.status).toBe(400)
      expect(answer.body.error.code).toBe("VALIDATION_ERROR")
      expect(issueOf(answer)).toMatchObject({ path: "/body/credentials/apiKey" })
      expect(await stored()).toBe(before)
    },
  )

  it.each([
    ["500", { status: 500 }, 500],
    ["429", { status: 429 }, 429],
    ["404", { status: 404 }, 404],
    ["no JSON", "garbage", 200],
    ["no answer", "reset", null],
  ] as const)(
    "returns 500 with the status of a provider that fails with %s",
    async (_what, fault, status) => {
      const before = await stored()
      provider.fault = () => fault

      const answer = await connect(credentials())

      expect(answer.status).toBe(500)
      expect(answer.body.error).toMatchObject({ code: "PROVIDER_ERROR", details: { status } })
      expect(await stored()).toBe(before)
    },
  )

  it("is 503 without a base URL, from the account or the server", async () => {
    const { body, status } = await connect({ apiKey: "k" })

    expect([status, body.error.code]).toEqual([503, "INTEGRATION_UNAVAILABLE"])
  })

  it.each([
    ["a query", `?key=1`],
    ["a fragment", `#there`],
  ])("rejects a base URL with %s", async (_what, more) => {
    const answer = await connect({ apiKey: provider.apiKey, baseUrl: provider.url + more })

    expect(answer.status).toBe(400)
    expect(issueOf(answer)).toMatchObject({ path: "/body/credentials/baseUrl", code: "format" })
  })

  it("accepts a base URL with trailing slashes", async () => {
    const answer = await connect({ apiKey: provider.apiKey, baseUrl: `${provider.url}//` })

    expect(answer.status).toBe(201)
  })

  it.each([
    ["with a space", "a b"],
    ["with a line break", "a\nb"],
    ["that is empty", ""],
    ["that is too long", "k".repeat(1025)],
  ])("rejects a key %s, without repeating it", async (_what, apiKey) => {
    const answer = await connect({ apiKey, baseUrl: provider.url })

    expect(answer.status).toBe(400)
    expect(issueOf(answer)).toMatchObject({ path: "/body/credentials/apiKey" })
    if (apiKey !== "") expect(JSON.stringify(answer.body)).not.toContain(apiKey.slice(0, 80))
  })
})

describe("states of a connected account (spec 4.5), by probes", () => {
  it.each([
    ["5xx", { status: 502 }],
    ["429", { status: 429 }],
    ["no answer", "reset"],
  ] as const)(
    "a healthy account with %s becomes unhealthy, and healthy again at the next good probe",
    async (_what, fault) => {
      const account = await world.account(provider)
      provider.fault = () => fault
      expect((await check(account)).status).toBe("unhealthy")

      provider.fault = undefined
      // After a 429, the next probe waits for its turn.
      const status = async () => (await check(account)).status
      await expect.poll(status, { timeout: 30_000 }).toBe("healthy")
    },
  )

  it("a revoked token makes it unhealthy, then disconnected, and healthy once connected again", async () => {
    const account = await world.account(provider)
    provider.apiKey = "another"

    expect((await check(account)).status).toBe("unhealthy")
    expect((await check(account)).status).toBe("disconnected")
    expect((await check(account)).status).toBe("disconnected")

    provider.apiKey = "mailer-key-1"
    const again = await check(account)
    expect(again.status).toBe("healthy")
    expect(again.lastSyncedAt > account.lastSyncedAt).toBe(true)
  })

  it("refusals are consecutive only without another probe in between", async () => {
    const account = await world.account(provider)
    provider.fault = () => ({ status: 401 })
    await check(account)
    provider.fault = () => ({ status: 500 })
    await check(account)
    provider.fault = () => ({ status: 401 })

    expect((await check(account)).status).toBe("unhealthy")
  })

  it("removal deletes its credentials, and destinations need attention", async () => {
    const account = await world.account(provider)
    provider.addList({ id: "buyers" })
    const draft = await world.automation(account.id)
    const active = await world.automation(account.id)
    await world.changed(active, { status: "active" })
    const paused = await world.automation(account.id)
    await world.changed(paused, { status: "active" })
    await world.changed(paused, { status: "paused" })

    const removed = await world.ask(`DELETE ${path}/${account.id}`)

    expect([removed.status, removed.body.data]).toEqual([200, { deleted: true }])
    expect((await list()).map(({ id }) => id)).not.toContain(account.id)
    for (const operation of [`POST ${path}/${account.id}/check`, `DELETE ${path}/${account.id}`]) {
      expect((await world.ask(operation)).status).toBe(404)
    }
    expect((await listsOf(account)).status).toBe(404)
    const [row] = await world.server.sql(
      "select credentials from connected_account where id = $1",
      [account.id],
    )
    expect(row?.["credentials"]).toBeNull()
    expect((await world.read(draft)).status).toBe("draft")
    for (const destination of [active, paused]) {
      expect(await world.read(destination)).toMatchObject({
        status: "needs_attention",
        stats: { lastErrorCode: "ACCOUNT_DISCONNECTED" },
        automation: { connectedAccount: { id: account.id, status: "disconnected" } },
      })
    }
    const { body, status } = await world.patch(active, { status: "active" })
    expect([status, body.error.code]).toEqual([409, "ACCOUNT_UNHEALTHY"])
  })
})

describe("mailing lists", () => {
  it("come in the provider's order, across all pages", async () => {
    const account = await world.account(provider)
    const ids = ["z", "a", "m", "b", "y"]
    for (const id of ids) provider.addList({ id, name: `List ${id}`, doubleOptIn: id === "m" })
    provider.pageSize = 2
    const before = provider.requests.length

    const { body, status } = await listsOf(account)

    expect(status).toBe(200)
    const { lists } = body.data as { lists: ReadonlyArray<{ id: string }> }
    expect(lists.map(({ id }) => id)).toEqual(ids)
    expect(lists[2]).toEqual({
      id: "m",
      name: "List m",
      doubleOptIn: true,
      fields: [{ tag: "FNAME", type: "text", label: "First name", fallback: null }],
      tags: [],
      counts: { pending: 0, subscribed: 0, unsubscribed: 0 },
    })
    expect(provider.requests.length - before).toBe(3)
  })

  it("require the id of an account", async () => {
    const without = await world.ask("GET /v1/intent/integrations/mailer/lists")

    expect(without.status).toBe(400)
    expect((await listsOf({ id: randomUUID() })).status).toBe(404)
    expect((await listsOf({ id: "1" })).status).toBe(400)
  })

  it("are not read from an account that is not healthy", async () => {
    const account = await world.account(provider)
    provider.fault = () => ({ status: 500 })
    await check(account)
    const before = provider.requests.length

    const { body, status } = await listsOf(account)

    expect(status).toBe(409)
    expect(body.error).toMatchObject({
      code: "ACCOUNT_UNHEALTHY",
      details: { status: "unhealthy" },
    })
    expect(provider.requests.length).toBe(before)
  })

  it("a failing provider is a 500, and makes the account unhealthy", async () => {
    const account = await world.account(provider)
    provider.fault = () => ({ status: 503 })

    const { body, status } = await listsOf(account)

    expect(status).toBe(500)
    expect(body.error).toMatchObject({ code: "PROVIDER_ERROR", details: { status: 503 } })
    expect((await list()).find(({ id }) => id === account.id)?.status).toBe("unhealthy")
  })

  it("pages that leave the origin are not followed, so the key is not sent elsewhere", async () => {
    const elsewhere = await startMailerProvider()
    const account = await world.account(provider)
    for (const id of ["a", "b"]) provider.addList({ id })
    provider.pageSize = 1
    provider.nextUrl = () => `${elsewhere.url}/lists`

    const { body, status } = await listsOf(account)

    expect([status, body.error.code]).toEqual([500, "PROVIDER_ERROR"])
    expect(elsewhere.requests).toEqual([])
    await elsewhere.close()
  })

  it("a list with endless pages is abandoned", async () => {
    const account = await world.account(provider)
    for (const id of ["a", "b"]) provider.addList({ id })
    provider.pageSize = 1
    provider.nextUrl = () => `${provider.url}/lists`
    const before = provider.requests.length

    expect((await listsOf(account)).status).toBe(500)
    expect(provider.requests.length - before).toBe(100)
  })

  it("lists larger than 8 MiB in total are abandoned at the page that exceeds it", async () => {
    const account = await world.account(provider)
    const tags = ["x".repeat(200_000)]
    for (let place = 0; place < 100; place++) provider.addList({ id: `large-${place}`, tags })
    provider.pageSize = 10
    const before = provider.requests.length

    const { body, status } = await listsOf(account)

    expect([status, body.error.code]).toEqual([500, "PROVIDER_ERROR"])
    expect(provider.requests.length - before).toBe(5)
  })

  it("more than 5,000 lists are abandoned, even on one page", async () => {
    const account = await world.account(provider)
    for (let place = 0; place <= 5_000; place++) provider.addList({ id: `small-${place}` })
    provider.pageSize = 10_000

    const { body, status } = await listsOf(account)

    expect([status, body.error.code]).toEqual([500, "PROVIDER_ERROR"])
  })

  it("of two accounts per organization are read at the same time, never of three", async () => {
    const hanging = await startMailerProvider()
    const accounts = [await world.account(hanging), await world.account(hanging)]
    hanging.fault = () => "hang"
    const before = hanging.requests.length
    const asked = [...accounts, ...accounts].map(listsOf)

    await expect.poll(() => hanging.requests.length - before).toBe(2)
    // After a request of another kind, everything sent with those two has arrived.
    await list()
    expect(hanging.requests.length - before).toBe(2)

    await hanging.close()
    for (const { body } of await Promise.all(asked)) {
      expect(body.error.code).toBe("PROVIDER_ERROR")
    }
  })
})

it("the 51st account is a conflict, also with many concurrent requests", async () => {
  const { length: present } = await list()
  const answers = await Promise.all(
    Array.from({ length: 55 - present }, () => connect(credentials())),
  )

  const refused = answers.filter(({ status }) => status !== 201)
  expect(refused.map(({ body, status }) => [status, body.error.code, body.error.details])).toEqual(
    Array.from({ length: 5 }, () => [409, "CONFLICT", { limit: 50 }]),
  )
  expect(await list()).toHaveLength(50)
})
