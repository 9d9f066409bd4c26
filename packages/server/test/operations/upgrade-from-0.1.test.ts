// The upgrade from version 0.1: this server starts on a database that version 0.1 created and filled
// (version-0.1/README.md). All its data is still there, with the same responses.
import { verifyWebhook } from "@footfall/sdk/webhooks"
import { createHash } from "node:crypto"
import { readFile } from "node:fs/promises"
import { promisify } from "node:util"
import { gunzip } from "node:zlib"
import pg from "pg"
import { afterAll, beforeAll, expect, it } from "vitest"
import { testDatabaseUrl } from "../support/database.ts"
import { startServer, type TestServer } from "../support/server.ts"
import { type Receiver, startReceiver } from "../webhooks/receiver.ts"

interface Expected {
  readonly secret: string
  readonly apiKey: string
  readonly organizationId: string
  readonly password: string
  readonly memberPassword: string
  readonly pixelId: string
  readonly pinnedScript: { readonly path: string; readonly integrity: string }
  readonly webhookId: string
  readonly webhookSecret: string
  readonly audienceId: string
  readonly destinationId: string
  readonly destinationSecret: string
  /** The responses of version 0.1: `data` by path, read with the key, and with the owner's access token. */
  readonly answers: Readonly<Record<string, unknown>>
  readonly byToken: Readonly<Record<string, unknown>>
}

const fixture = (name: string) => readFile(new URL(`version-0.1/${name}`, import.meta.url))

let expected: Expected
let database: { readonly url: string; drop(): Promise<void> }
let server: TestServer
let receiver: Receiver

beforeAll(async () => {
  expected = JSON.parse(String(await fixture("expected.json"))) as Expected
  database = await testDatabaseUrl()
  const client = new pg.Client(database.url)
  await client.connect()
  await client.query("drop schema public cascade; create schema public")
  await client.query(String(await promisify(gunzip)(await fixture("database.sql.gz"))))
  await client.end()
  receiver = await startReceiver()
  server = await startServer({
    databaseUrl: database.url,
    secret: expected.secret,
    allowPrivateWebhooks: true,
    workers: false,
  })
})
afterAll(async () => {
  await receiver?.close()
  await server?.close()
  await database?.drop()
})

const call = async (
  path: string,
  headers: Readonly<Record<string, string>> = { "x-api-key": expected.apiKey },
  init: RequestInit = {},
) => {
  const response = await fetch(server.url + path, {
    ...init,
    headers: { "content-type": "application/json", ...headers },
  })
  const { data } = (await response.json()) as { readonly data: unknown }
  return { status: response.status, data }
}

const signIn = async (email: string, password: string) => {
  const body = JSON.stringify({ email, password })
  const { data } = await call("/v1/auth/login", {}, { method: "POST", body })
  const { accessToken } = data as { readonly accessToken: string }
  return { authorization: `Bearer ${accessToken}` }
}

it("users sign in with their password, and are the same users", async () => {
  const member = await signIn("marketing@acme.example", expected.memberPassword)

  expect((await call("/v1/auth/me", member)).data).toMatchObject({
    user: { email: "marketing@acme.example" },
    role: "member",
  })
})

// Not compared: the time the key was last used, and the address of this server in tags.
it("every read returns what version 0.1 returned", async () => {
  const owner = await signIn("owner@acme.example", expected.password)
  const answers: Record<string, unknown> = {}
  for (const path of Object.keys(expected.answers)) {
    const byKey = await call(path)
    answers[path] = (byKey.status === 401 ? await call(path, owner) : byKey).data
  }
  for (const path of Object.keys(expected.byToken)) answers[path] = (await call(path, owner)).data

  expect(answers).toMatchObject({ ...expected.answers, ...expected.byToken })
})

it("the webhook still signs with its secret", async () => {
  const path = `/v1/data/webhooks/${expected.webhookId}`
  const body = JSON.stringify({ url: `${receiver.url}/webhook` })
  const changed = await call(path, undefined, { method: "PATCH", body })
  const tested = await call(`${path}/test`, undefined, { method: "POST", body: "{}" })

  expect([changed.status, tested]).toMatchObject([200, { data: { ok: true } }])
  const { body: payload, headers } = receiver.received.at(-1)!
  await expect(
    verifyWebhook({ payload, headers, secret: expected.webhookSecret }),
  ).resolves.toBeDefined()
})

it("the destination still signs with its secret", async () => {
  const owner = await signIn("owner@acme.example", expected.password)
  const path = `/v1/intent/audiences/${expected.audienceId}/destinations/${expected.destinationId}`
  const body = JSON.stringify({ url: `${receiver.url}/destination` })
  const changed = await call(path, owner, { method: "PATCH", body })
  const tested = await call(`${path}/test`, owner, { method: "POST", body: "{}" })

  expect([changed.status, tested.status]).toEqual([200, 200])
  const { body: payload, headers } = receiver.received.at(-1)!
  await expect(
    verifyWebhook({ payload, headers, secret: expected.destinationSecret }),
  ).resolves.toBeDefined()
})

it("the tags of version 0.1 still load: the plain one, and the pinned one with its bytes", async () => {
  const script = await fetch(`${server.url}/p/${expected.pixelId}.js`)

  expect(script.status).toBe(200)
  expect(await script.text()).toContain(expected.pixelId)
  const pinned = await fetch(server.url + expected.pinnedScript.path)
  const digest = createHash("sha384")
    .update(await pinned.text())
    .digest("base64")
  expect(`sha384-${digest}`).toBe(expected.pinnedScript.integrity)
})
