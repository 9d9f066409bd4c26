// The secret of a webhook destination: shown once, encrypted, rotated with an overlap (spec 1.2, 2.15, 5.10), and what
// a test call sends with it.
import { Webhook } from "standardwebhooks"
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest"
import { type MailerProvider, startMailerProvider } from "./mailer-provider.ts"
import { type Destination, eventTypes, startReceiver, World } from "./support.ts"

let world: World
let receiver: Awaited<ReturnType<typeof startReceiver>>
let provider: MailerProvider
const logged: Array<string> = []
beforeAll(async () => {
  vi.spyOn(console, "error").mockImplementation((...words) => void logged.push(words.join(" ")))
  world = await World.start()
  receiver = await startReceiver()
  provider = await startMailerProvider("mailer-key-of-the-secrets-test")
  provider.addList({ id: "buyers" })
})
afterEach(() => {
  receiver.status = 200
  receiver.received.length = 0
  provider.fault = undefined
})
afterAll(async () => {
  await receiver.close()
  await provider.close()
  await world.close()
})

interface Tried {
  readonly ok: boolean
  readonly statusCode: number | null
  readonly latencyMs: number
  readonly error: string | null
}

const tried = (destination: Pick<Destination, "audienceId" | "id">, body?: unknown) =>
  world.get<Tried>(`POST ${world.pathOf(destination)}/test`, body)
const rotated = async (destination: Destination, body?: unknown) => {
  const { webhookSecret } = await world.get<{ readonly webhookSecret: string }>(
    `POST ${world.pathOf(destination)}/rotate-secret`,
    body,
  )
  return webhookSecret
}

const last = () => {
  const { body, headers } = receiver.received.at(-1)!
  const given = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, String(value)]),
  )
  return { body: body.toString(), headers: given }
}
/** Whether the Standard Webhooks library accepts the last request. */
const isSignedBy = (secret: string): boolean => {
  const { body, headers } = last()
  try {
    new Webhook(secret).verify(body, headers)
    return true
  } catch {
    return false
  }
}

it("is in the responses to creation and rotation, and nowhere else (F10)", async () => {
  const { secret: first, ...destination } = await world.webhook({ url: receiver.url })
  const second = await rotated(destination)
  const path = world.pathOf(destination)

  const answers = await Promise.all([
    world.ask(`GET ${path}`),
    world.ask(`GET /v1/intent/audiences/${destination.audienceId}/destinations`),
    world.ask(`PATCH ${path}`, { status: "active" }),
    world.ask(`PATCH ${path}`, { name: "x".repeat(161) }),
    world.ask(`POST ${path}/test`),
    world.ask(`POST ${path}/rotate-secret`, { graceHours: 73 }),
  ])
  const tables = await world.server.sql(
    `select string_agg(query_to_xml(format('select * from %I', table_name), true, false, '')::text, '')
       as everything
     from information_schema.tables
     where table_schema = 'public' and table_type = 'BASE TABLE'`,
  )
  const everywhere = [JSON.stringify(answers.map(({ body }) => body)), ...logged].join("\n")

  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 400, 200, 400])
  for (const secret of [first, second]) {
    const bytes = Buffer.from(secret.slice("whsec_".length), "base64")
    const forms = [
      secret.slice("whsec_".length),
      bytes.toString("hex"),
      bytes.toString("base64url"),
    ]
    for (const form of forms) {
      expect(everywhere).not.toContain(form)
      expect(String(tables[0]!["everything"])).not.toContain(form)
    }
    // XML shows bytea columns as base64.
    const text = Buffer.from(secret).toString("base64").slice(0, 40)
    expect(String(tables[0]!["everything"])).not.toContain(text)
  }
})

describe("rotation", () => {
  it("both secrets sign during the grace period, then only the new one (F9)", async () => {
    const destination = await world.webhook({ url: receiver.url })
    const second = await rotated(destination)

    await tried(destination)
    expect(last().headers["webhook-signature"]?.split(" ")).toHaveLength(2)
    expect([isSignedBy(destination.secret), isSignedBy(second)]).toEqual([true, true])

    await world.server.sql("update destination set former_secret_until = now() where id = $1", [
      destination.id,
    ])
    await tried(destination)
    expect([isSignedBy(destination.secret), isSignedBy(second)]).toEqual([false, true])
  })

  it("a grace period of 0 ends the former secret at once; of three, the first is dropped", async () => {
    const destination = await world.webhook({ url: receiver.url })
    const second = await rotated(destination, { graceHours: 0 })
    await tried(destination)
    expect([isSignedBy(destination.secret), isSignedBy(second)]).toEqual([false, true])

    const third = await rotated(destination, { graceHours: 72 })
    const fourth = await rotated(destination, { graceHours: 72 })
    await tried(destination)
    expect([second, third, fourth].map(isSignedBy)).toEqual([false, true, true])
  })

  it("lasts a day by default, and changes neither revision nor approval", async () => {
    const destination = await world.changed(await world.webhook({ url: receiver.url }), {
      status: "active",
    })
    await rotated(destination)

    const [row] = await world.server.sql(
      `select extract(epoch from former_secret_until - now()) / 3600 as hours
       from destination where id = $1`,
      [destination.id],
    )
    expect(Number(row?.["hours"])).toBeCloseTo(24, 1)
    expect(await world.read(destination)).toMatchObject({
      status: "active",
      configRevision: 1,
      approvedConfigHash: destination.approvedConfigHash,
    })
  })

  it("is a conflict for an automation destination", async () => {
    const destination = await world.automation((await world.account(provider)).id)

    const { body, status } = await world.ask(`POST ${world.pathOf(destination)}/rotate-secret`)

    expect(status).toBe(409)
    expect(body.error).toMatchObject({
      code: "CONFLICT",
      details: { field: "destinationType" },
    })
  })

  it.each([-1, 73, 1.5, "24"])("rejects %s hours", async (graceHours) => {
    const path = world.pathOf(await world.webhook())

    expect((await world.ask(`POST ${path}/rotate-secret`, { graceHours })).status).toBe(400)
  })
})

describe("a test call", () => {
  it.each(eventTypes)("sends %s, signed, and marked as a test", async (eventType) => {
    const destination = await world.webhook({ url: receiver.url })

    const result = await tried(destination, { eventType })

    expect(result).toEqual({
      ok: true,
      statusCode: 200,
      latencyMs: expect.any(Number),
      error: null,
    })
    const { body, headers } = last()
    expect(headers).toMatchObject({
      "webhook-test": "true",
      "webhook-attempt": "1",
      "content-type": "application/json; charset=utf-8",
      "user-agent": expect.stringMatching(/^footfall-webhooks\//),
    })
    expect(isSignedBy(destination.secret)).toBe(true)
    expect(JSON.parse(body)).toMatchObject({
      id: headers["webhook-id"],
      event: eventType,
      apiVersion: "v1",
      organizationId: world.server.organizationId,
      test: true,
      data: { audience: { id: destination.audienceId, name: "Warehouse buyers" } },
    })
  })

  it("sends the first subscribed event type by default", async () => {
    await tried(await world.webhook({ url: receiver.url, eventTypes: eventTypes.slice(1) }))

    expect(JSON.parse(last().body).event).toBe("intent.audience.contact.upserted")
  })

  it.each([
    [301, "ENDPOINT_REJECTED"],
    [401, "ENDPOINT_AUTH"],
    [403, "ENDPOINT_AUTH"],
    [404, "ENDPOINT_NOT_FOUND"],
    [410, "ENDPOINT_GONE"],
    [422, "ENDPOINT_REJECTED"],
    [429, "ENDPOINT_RATE_LIMITED"],
    [500, "ENDPOINT_ERROR"],
  ])("reports that %d is %s; counts nothing and stops nothing", async (status, error) => {
    receiver.status = status
    const destination = await world.changed(await world.webhook({ url: receiver.url }), {
      status: "active",
    })

    const result = await tried(destination)

    expect(result).toMatchObject({ ok: false, statusCode: status, error })
    expect(await world.read(destination)).toEqual(destination)
    expect(receiver.received).toHaveLength(1)
  })

  it("reports that nothing responds", async () => {
    const closed = await startReceiver()
    await closed.close()

    const result = await tried(await world.webhook({ url: closed.url }))

    expect(result).toMatchObject({ ok: false, statusCode: null, error: "ENDPOINT_UNREACHABLE" })
  })

  it("checks account and list of an automation destination, and writes nothing", async () => {
    const { id } = await world.account(provider)
    const good = await world.automation(id)
    const gone = await world.automation(id, { listId: "gone" })

    expect(await tried(good)).toMatchObject({ ok: true, statusCode: 200, error: null })
    expect(await tried(gone)).toMatchObject({ ok: false, error: "LIST_NOT_FOUND" })
    provider.fault = () => ({ status: 502 })
    expect(await tried(good)).toMatchObject({
      ok: false,
      statusCode: 502,
      error: "PROVIDER_ERROR",
    })
    provider.fault = () => ({ status: 403 })
    expect(await tried(good)).toMatchObject({ ok: false, statusCode: 403, error: "ENDPOINT_AUTH" })
    await world.get(`DELETE /v1/intent/integrations/accounts/${id}`)
    expect(await tried(good)).toMatchObject({
      ok: false,
      statusCode: null,
      error: "ACCOUNT_DISCONNECTED",
    })
    expect(provider.writes()).toEqual([])
  })
})
