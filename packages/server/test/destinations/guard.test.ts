// Addresses rejected unless private ones are allowed: literal ones when stored, host names when used (spec 1.9).
import { randomUUID } from "node:crypto"
import type * as dns from "node:dns/promises"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { names, namesBefore } from "./names.ts"
import { startReceiver, webhookBody, World } from "./support.ts"

vi.mock("node:dns/promises", async (original) => {
  const system = await original<typeof dns>()
  return { ...system, lookup: namesBefore(system.lookup) }
})

let world: World
beforeAll(async () => {
  world = await World.start({ isPrivateAllowed: false })
})
afterAll(() => world.close())

const issueOf = (body: { readonly error: { readonly details: unknown } }) =>
  (body.error.details as { issues: ReadonlyArray<{ path: string; code: string }> }).issues[0]

describe("when it is stored", () => {
  it.each([
    "http://hooks.tidewater.example/",
    "https://127.0.0.1/",
    "https://[::ffff:10.0.0.1]/",
    "https://0x7f.1/",
    "https://169.254.169.254/latest/meta-data",
  ])("%s is rejected when creating, changing and connecting", async (url) => {
    const destination = await world.webhook()

    const created = await world.ask(
      `POST /v1/intent/audiences/${destination.audienceId}/destinations`,
      webhookBody({ url }),
    )
    const changed = await world.patch(destination, { url })
    const connected = await world.ask("POST /v1/intent/integrations/accounts", {
      appSlug: "mailer",
      credentials: { apiKey: "k", baseUrl: url },
    })

    expect([created.status, changed.status, connected.status]).toEqual([400, 400, 400])
    expect(issueOf(created.body)).toMatchObject({ path: "/body/url", code: "url_not_allowed" })
    expect(issueOf(changed.body)).toMatchObject({ path: "/body/url", code: "url_not_allowed" })
    expect(issueOf(connected.body)).toMatchObject({
      path: "/body/credentials/baseUrl",
      code: "url_not_allowed",
    })
  })
})

describe("the error says what was expected", () => {
  it.each([
    ["/hooks", "format", "a URL that starts with https://"],
    ["http://hooks.tidewater.example/", "url_not_allowed", "a URL that starts with https:"],
    ["https://a:b@tidewater.example/", "url_not_allowed", "without a user name or password"],
    [`https://tidewater.example/${"a".repeat(2_048)}`, "url_not_allowed", "at most 2048"],
    ["https://10.0.0.1/", "url_not_allowed", "on the public internet"],
  ])("for %s, even if the audience or destination does not exist", async (url, code, expected) => {
    const missing = { audienceId: randomUUID(), id: randomUUID() }

    const created = await world.ask(
      `POST /v1/intent/audiences/${missing.audienceId}/destinations`,
      webhookBody({ url }),
    )
    const changed = await world.patch(missing, { url })

    for (const { body, status } of [created, changed]) {
      expect(status).toBe(400)
      expect(issueOf(body)).toMatchObject({ path: "/body/url", code })
      expect(issueOf(body)).toMatchObject({ message: expect.stringContaining(expected) })
    }
  })

  it("for an account whose base URL has a query", async () => {
    const { body, status } = await world.ask("POST /v1/intent/integrations/accounts", {
      appSlug: "mailer",
      credentials: { apiKey: "k", baseUrl: "https://mailer.tidewater.example/?v=1" },
    })

    expect(status).toBe(400)
    expect(issueOf(body)).toEqual({
      path: "/body/credentials/baseUrl",
      code: "format",
      message: "Expected a URL without query or fragment.",
    })
  })
})

describe("on activation", () => {
  it.each([
    ["the stored address", {}, "/body/status"],
    ["an address of the same request", { url: "https://inside.tidewater.example/b" }, "/body/url"],
  ])("a name with a private address is rejected: %s", async (_which, change, path) => {
    names.set("inside.tidewater.example", ["93.184.215.14", "10.0.0.1"])
    const destination = await world.webhook({ url: "https://inside.tidewater.example/a" })

    const { body, status } = await world.patch(destination, { status: "active", ...change })

    expect(status).toBe(400)
    expect(issueOf(body)).toMatchObject({ path, code: "url_not_allowed" })
    expect(JSON.stringify(body)).not.toContain("10.0.0.1")
    expect(await world.read(destination)).toMatchObject({ status: "draft", configRevision: 1 })
  })
})

it("a name that becomes private later gets no request, and the error does not say why", async () => {
  const receiver = await startReceiver()
  const { port } = new URL(receiver.url)
  names.set("turning.tidewater.example", ["93.184.215.14"])
  const destination = await world.webhook({ url: `https://turning.tidewater.example:${port}/` })
  await world.changed(destination, { status: "active" })
  names.set("turning.tidewater.example", ["127.0.0.1"])

  const result = await world.get(`POST ${world.pathOf(destination)}/test`)

  expect(result).toMatchObject({ ok: false, statusCode: null, error: "URL_BLOCKED" })
  expect(JSON.stringify(result)).not.toContain("127.0.0.1")
  expect(receiver.received).toEqual([])
  await receiver.close()
})
