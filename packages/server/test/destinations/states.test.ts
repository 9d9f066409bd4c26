// Every row of spec 4.3, for both types where they differ.
import type * as dns from "node:dns/promises"
import pg from "pg"
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest"
import { type MailerProvider, startMailerProvider } from "./mailer-provider.ts"
import { names, namesBefore } from "./names.ts"
import { type Account, type Destination, eventTypes, World } from "./support.ts"

vi.mock("node:dns/promises", async (original) => {
  const system = await original<typeof dns>()
  return { ...system, lookup: namesBefore(system.lookup) }
})

let world: World
let provider: MailerProvider
let account: Account
beforeAll(async () => {
  names.set("hooks.tidewater.example", ["93.184.215.14"])
  world = await World.start()
  provider = await startMailerProvider()
  provider.addList({ id: "buyers" })
  account = await world.account(provider)
})
afterEach(() => {
  provider.fault = undefined
})
afterAll(async () => {
  await provider.close()
  await world.close()
})

const active = async (): Promise<Destination> =>
  world.changed(await world.webhook(), { status: "active" })
const paused = async (): Promise<Destination> => world.changed(await active(), { status: "paused" })
const needsAttention = async (): Promise<Destination> => {
  const destination = await active()
  await world.needsAttention(destination, "ENDPOINT_GONE")
  return world.read(destination)
}

const issueCodes = (body: { readonly error: { readonly details: unknown } }) =>
  (body.error.details as { issues: ReadonlyArray<{ path: string; code: string }> }).issues.map(
    ({ code, path }) => `${path} ${code}`,
  )

describe("– POST → draft", () => {
  it("revision 1, nothing approved", async () => {
    expect(await world.webhook()).toMatchObject({
      status: "draft",
      configRevision: 1,
      approvedConfigHash: null,
    })
  })
})

describe("draft PATCH active → active", () => {
  it("webhook: if the URL passes the guard; its hash is approved", async () => {
    const destination = await active()

    expect(destination).toMatchObject({ status: "active", configRevision: 1 })
    expect(destination.approvedConfigHash).toMatch(/^[0-9a-f]{64}$/)
  })

  it("webhook: a name that cannot be resolved is a 400 and changes nothing", async () => {
    const destination = await world.webhook({ url: "https://nowhere.invalid/hook" })

    const { body, status } = await world.patch(destination, { status: "active" })

    expect(status).toBe(400)
    expect(issueCodes(body)).toEqual(["/body/status url_not_resolvable"])
    expect(await world.read(destination)).toMatchObject({ status: "draft" })
  })

  it("automation: if the account is healthy and has the list", async () => {
    const destination = await world.automation(account.id)

    expect(await world.changed(destination, { status: "active" })).toMatchObject({
      status: "active",
      automation: { connectedAccount: { id: account.id, status: "healthy" } },
    })
  })

  it("automation: a missing list is a 400", async () => {
    const destination = await world.automation(account.id, { listId: "gone" })

    const activated = await world.patch(destination, { status: "active" })
    const changed = await world.patch(destination, {
      status: "active",
      config: { listId: "gone too" },
    })

    expect(activated.status).toBe(400)
    expect(issueCodes(activated.body)).toEqual(["/body/status enum"])
    expect(issueCodes(changed.body)).toEqual(["/body/config/listId enum"])
    expect(await world.read(destination)).toMatchObject({ status: "draft", configRevision: 1 })
  })

  it("automation: an account that is not healthy is a 409", async () => {
    const own = await world.account(provider)
    const destination = await world.automation(own.id)
    await world.server.sql("update connected_account set status = 'unhealthy' where id = $1", [
      own.id,
    ])

    const { body, status } = await world.patch(destination, { status: "active" })

    expect(status).toBe(409)
    expect(body.error).toMatchObject({
      code: "ACCOUNT_UNHEALTHY",
      details: { status: "unhealthy" },
    })
  })

  it("automation: an account whose provider is failing now is marked unhealthy", async () => {
    const own = await world.account(provider)
    const destination = await world.automation(own.id)
    provider.fault = () => ({ status: 503 })

    const { body, status } = await world.patch(destination, { status: "active" })

    expect(status).toBe(409)
    expect(body.error).toMatchObject({ details: { status: "unhealthy" } })
  })
})

describe("active PATCH paused → paused", () => {
  it("waiting deliveries stay queued", async () => {
    const destination = await active()
    const deliveryId = await world.delivery(destination, "queued")

    expect(await world.changed(destination, { status: "paused" })).toMatchObject({
      status: "paused",
      configRevision: 1,
      approvedConfigHash: destination.approvedConfigHash,
    })
    expect(await world.statusOfDelivery(deliveryId)).toBe("queued")
  })
})

describe("paused PATCH active → active", () => {
  it("without another approval", async () => {
    const destination = await paused()

    expect(await world.changed(destination, { status: "active" })).toMatchObject({
      status: "active",
      approvedConfigHash: destination.approvedConfigHash,
    })
  })
})

describe("active, account disconnected → needs_attention", () => {
  it("at the second consecutive refusal, and the error is shown", async () => {
    const own = await world.account(provider)
    const destination = await world.automation(own.id)
    await world.changed(destination, { status: "active" })
    provider.fault = () => ({ status: 401 })

    await world.get(`POST /v1/intent/integrations/accounts/${own.id}/check`)
    expect(await world.read(destination)).toMatchObject({ status: "active" })
    await world.get(`POST /v1/intent/integrations/accounts/${own.id}/check`)

    expect(await world.read(destination)).toMatchObject({
      status: "needs_attention",
      stats: { lastErrorCode: "ACCOUNT_DISCONNECTED" },
      automation: { connectedAccount: { status: "disconnected" } },
    })
  })
})

describe("needs_attention PATCH active → active", () => {
  it("errors start at zero, and the config is approved again", async () => {
    const destination = await needsAttention()

    const { approvedConfigHash, stats, status } = await world.changed(destination, {
      status: "active",
    })

    expect(status).toBe("active")
    expect(approvedConfigHash).toBe(destination.approvedConfigHash)
    expect(destination.stats["consecutiveErrors"]).toBe(10)
    expect(stats).toMatchObject({ consecutiveErrors: 0, lastErrorCode: "ENDPOINT_GONE" })
  })

  it("not while the cause remains", async () => {
    const destination = await world.automation(account.id)
    await world.changed(destination, { status: "active" })
    await world.needsAttention(destination, "LIST_NOT_FOUND")
    const list = provider.lists.get("buyers")!
    provider.lists.delete("buyers")

    const { status } = await world.patch(destination, { status: "active" })
    provider.lists.set("buyers", list)

    expect(status).toBe(400)
    expect(await world.read(destination)).toMatchObject({ status: "needs_attention" })
  })
})

describe("needs_attention PATCH paused → paused", () => {
  it("is allowed", async () => {
    const destination = await needsAttention()

    expect(await world.changed(destination, { status: "paused" })).toMatchObject({
      status: "paused",
    })
  })
})

describe("needs_attention, paused, PATCH active", () => {
  it("not while the cause remains", async () => {
    const destination = await world.automation(account.id)
    await world.changed(destination, { status: "active" })
    await world.needsAttention(destination, "LIST_NOT_FOUND")
    const list = provider.lists.get("buyers")!
    provider.lists.delete("buyers")

    await world.changed(destination, { status: "paused" })
    await world.changed(destination, { name: "Another" })
    const { status } = await world.patch(destination, { status: "active" })
    provider.lists.set("buyers", list)

    expect(status).toBe(400)
    expect(await world.read(destination)).toMatchObject({ status: "paused" })
  })

  it("once the cause is removed: errors start at 0, and the next pause ends without an approval", async () => {
    const destination = await world.automation(account.id)
    await world.changed(destination, { status: "active" })
    await world.needsAttention(destination, "LIST_NOT_FOUND")
    await world.changed(destination, { status: "paused" })

    const activated = await world.changed(destination, { status: "active" })
    await world.changed(destination, { status: "paused" })
    provider.fault = () => ({ status: 500 })
    const again = await world.changed(destination, { status: "active" })

    expect(activated).toMatchObject({ status: "active", stats: { consecutiveErrors: 0 } })
    expect(again).toMatchObject({ status: "active" })
  })
})

describe.each([
  ["active", active],
  ["paused", paused],
  ["needs_attention", needsAttention],
] as const)("%s PATCH of url, eventTypes or config → draft", (_status, make) => {
  it.each([
    ["url", { url: "https://hooks.tidewater.example/other" }],
    ["eventTypes", { eventTypes: eventTypes.slice(0, 2) }],
  ])("%s: approval is withdrawn, waiting deliveries are cancelled", async (_field, change) => {
    const destination = await make()
    const queued = await world.delivery(destination, "queued")

    expect(await world.changed(destination, change)).toMatchObject({
      status: "draft",
      configRevision: 2,
      approvedConfigHash: null,
    })
    expect(await world.statusOfDelivery(queued)).toBe("cancelled")
    const [row] = await world.server.sql("select completed_at from delivery where id = $1", [
      queued,
    ])
    expect(row?.["completed_at"]).not.toBeNull()
  })

  it("lets a delivery in progress finish its batch", async () => {
    const destination = await make()
    const processing = await world.delivery(destination, "processing")

    await world.changed(destination, { url: "https://hooks.tidewater.example/other" })

    expect(await world.statusOfDelivery(processing)).toBe("processing")
  })
})

it("active PATCH config (automation) → draft", async () => {
  const destination = await world.automation(account.id)
  await world.changed(destination, { status: "active" })

  expect(
    await world.changed(destination, { config: { listId: "buyers", tags: ["new"] } }),
  ).toMatchObject({ status: "draft", configRevision: 2, approvedConfigHash: null })
})

describe("any PATCH of name, timeoutMs or validationPolicy → same", () => {
  it.each([
    ["name", { name: "Another" }],
    ["timeoutMs", { timeoutMs: 5000 }],
    ["validationPolicy", { validationPolicy: "valid_or_catchall" }],
  ])("%s: revision +1, still approved, waiting deliveries stay", async (_field, change) => {
    const destination = await active()
    const queued = await world.delivery(destination, "queued")

    expect(await world.changed(destination, change)).toMatchObject({
      status: "active",
      configRevision: 2,
      approvedConfigHash: destination.approvedConfigHash,
    })
    expect(await world.statusOfDelivery(queued)).toBe("queued")
  })

  it("in a draft too", async () => {
    const destination = await world.webhook()

    expect(await world.changed(destination, { name: "Another" })).toMatchObject({
      status: "draft",
      configRevision: 2,
    })
  })
})

describe("draft PATCH paused → draft", () => {
  it("is a conflict", async () => {
    const { body, status } = await world.patch(await world.webhook(), { status: "paused" })

    expect(status).toBe(409)
    expect(body.error).toMatchObject({
      code: "INVALID_TRANSITION",
      details: { status: "draft", requested: "paused" },
    })
  })

  it("also if a change in the same request would make it a draft; nothing of the change is stored", async () => {
    const destination = await active()

    const { status } = await world.patch(destination, {
      status: "paused",
      url: "https://hooks.tidewater.example/other",
    })

    expect(status).toBe(409)
    expect(await world.read(destination)).toEqual(destination)
  })
})

describe("any DELETE → deleted", () => {
  it.each([
    ["draft", () => world.webhook()],
    ["active", active],
    ["paused", paused],
    ["needs_attention", needsAttention],
  ] as const)(
    "%s: waiting deliveries are cancelled, and a second DELETE is not found",
    async (_from, make) => {
      const destination = await make()
      const queued = await world.delivery(destination, "queued")
      const path = world.pathOf(destination)

      const deleted = await world.ask(`DELETE ${path}`)

      expect([deleted.status, deleted.body.data]).toEqual([200, { deleted: true }])
      expect(await world.statusOfDelivery(queued)).toBe("cancelled")
      for (const operation of [`GET ${path}`, `DELETE ${path}`, `POST ${path}/test`]) {
        expect((await world.ask(operation)).status).toBe(404)
      }
      expect((await world.patch(destination, { name: "x" })).status).toBe(404)
    },
  )
})

describe("a status together with a change (spec 5.10)", () => {
  it("applies the change first, and approves the result", async () => {
    const destination = await active()

    const changed = await world.changed(destination, {
      status: "active",
      url: "https://hooks.tidewater.example/other",
    })

    expect(changed).toMatchObject({ status: "active", configRevision: 2 })
    expect(changed.approvedConfigHash).not.toBe(destination.approvedConfigHash)
  })

  it("the current status or the stored values change nothing", async () => {
    const destination = await active()
    const { url } = destination.webhook!

    expect(await world.changed(destination, { status: "active" })).toEqual(destination)
    const reordered = { url, eventTypes: eventTypes.toReversed(), name: destination.name }
    expect(await world.changed(destination, reordered)).toEqual(destination)
    expect(await world.changed(destination, {})).toEqual(destination)
  })

  it("two concurrent changes of different fields are both kept", async () => {
    const destination = await active()

    await Promise.all([
      world.changed(destination, { name: "Another" }),
      world.changed(destination, { timeoutMs: 5000 }),
      world.changed(destination, { url: "https://hooks.tidewater.example/other" }),
    ])

    expect(await world.read(destination)).toMatchObject({
      name: "Another",
      configRevision: 4,
      status: "draft",
      webhook: { timeoutMs: 5000, url: "https://hooks.tidewater.example/other" },
    })
  })
})

describe("an approval at the same time as another request", () => {
  /** Holds the checks of approvals. `begun`: once as many wait. `end`: lets them go on. */
  const held = (count = 1) => {
    const begun = Promise.withResolvers<void>()
    const gate = Promise.withResolvers<undefined>()
    let checks = 0
    provider.fault = () => {
      if (++checks === count) begun.resolve()
      return gate.promise
    }
    return { begun: begun.promise, end: () => gate.resolve(undefined) }
  }

  it("does not approve settings that were changed during its check", async () => {
    const destination = await world.automation(account.id)
    const checking = held()
    const approval = world.patch(destination, { status: "active" })
    await checking.begun
    await world.changed(destination, { config: { listId: "gone" } })
    checking.end()

    expect((await approval).status).toBe(400)
    expect(await world.read(destination)).toMatchObject({
      status: "draft",
      approvedConfigHash: null,
      automation: { config: { listId: "gone" } },
    })
  })

  it("succeeds twice, and is recorded once", async () => {
    const destination = await world.automation(account.id)
    const checking = held(2)
    const approvals = [1, 2].map(() => world.changed(destination, { status: "active" }))
    await checking.begun
    checking.end()

    for (const approved of await Promise.all(approvals)) {
      expect(approved).toMatchObject({ status: "active", configRevision: 1 })
    }
    const records = await world.server.sql(
      "select from audit_entry where target_id = $1 and action = 'destination.updated'",
      [destination.id],
    )
    expect(records).toHaveLength(1)
  })
})

it("a change waits for another one in progress, and keeps it", async () => {
  const destination = await active()
  const other = new pg.Client({ connectionString: world.server.databaseUrl })
  await other.connect()
  await other.query("begin")
  await other.query("update destination set name = 'Another' where id = $1", [destination.id])

  const changing = world.changed(destination, { timeoutMs: 5000 })
  await expect
    .poll(() =>
      world.server.sql(
        `select 1 from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock'`,
      ),
    )
    .toHaveLength(1)
  await other.query("commit").finally(() => other.end())

  expect(await changing).toMatchObject({ name: "Another", webhook: { timeoutMs: 5000 } })
})

it("deleting an audience deletes its destinations (spec 5.8)", async () => {
  const destination = await active()
  const queued = await world.delivery(destination, "queued")
  const processing = await world.delivery(await active(), "processing")

  await world.get(`DELETE /v1/intent/audiences/${destination.audienceId}`)

  expect((await world.ask(`GET ${world.pathOf(destination)}`)).status).toBe(404)
  expect(await world.statusOfDelivery(queued)).toBe("cancelled")
  expect(await world.statusOfDelivery(processing)).toBe("processing")
  const [row] = await world.server.sql("select deleted_at, secret from destination where id = $1", [
    destination.id,
  ])
  expect(row?.["deleted_at"]).not.toBeNull()
  expect(row?.["secret"]).toBeNull()
})
