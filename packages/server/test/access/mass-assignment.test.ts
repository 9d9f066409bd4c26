// Adds fields that a caller must not set to every body. The operations come from the HttpApi value, so a new route is
// tested too.
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { Api } from "../../src/app/api.ts"
import { startServer, type TestServer } from "../support/server.ts"
import { operationCodes } from "./operation-codes.ts"
import { caller } from "./request.ts"

const intruders: Readonly<Record<string, unknown>> = {
  id: randomUUID(),
  organizationId: randomUUID(),
  status: "active",
  createdAt: "2020-01-01T00:00:00.000Z",
  credits: 1_000_000,
}

/** The operations in which a caller may set a field of this name. */
const permitted: Readonly<Record<string, ReadonlyArray<string>>> = {
  "POST /v1/auth/login": ["organizationId"],
  "POST /v1/auth/refresh": ["organizationId"],
  "POST /v1/auth/session": ["organizationId"],
  "POST /v1/auth/session/refresh": ["organizationId"],
  "PATCH /v1/data/pixels/{}": ["status"],
  "PATCH /v1/data/suppression-sources/{}": ["status"],
  "POST /v1/data/inbound": ["status"],
  "PATCH /v1/data/inbound/{}": ["status"],
  "POST /v1/data/webhooks": ["status"],
  "POST /v1/data/webhooks/preview": ["status"],
  "PATCH /v1/data/webhooks/{}": ["status"],
  "POST /v1/intent/audiences": ["status"],
  "PATCH /v1/intent/audiences/{}": ["status"],
  "PATCH /v1/intent/audiences/{}/destinations/{}": ["status"],
}

const operations = Object.values(Api.groups)
  .flatMap((group) => Object.values(group.endpoints))
  .filter(({ payload }) => payload.size > 0)
  .map(({ method, path }) => `${method} ${path.replace(/:[A-Za-z]+/g, "{}")}`)
  // Imports take rows, not a body.
  .filter((operation) => !operation.includes("/import/"))

let server: TestServer
let token: string
beforeAll(async () => {
  server = await startServer({ workers: false })
  token = (await server.makeUser("owner")).accessToken
})
afterAll(() => server.close())

describe.each(operations)("%s", (operation) => {
  it.each(Object.keys(intruders))("rejects %s, or accepts it as its own field", async (field) => {
    const path = operation
      .replace(/(visitors|failures)\/\{\}/, (_, noun: string) => `${noun}/${"a".repeat(64)}`)
      .replaceAll("{}", () => randomUUID())
    const isKeyed = operationCodes[operation]?.includes("K") === true

    const { body, status } = await caller(server)(
      path,
      { [field]: intruders[field] },
      {
        ...(isKeyed ? { apiKey: server.apiKey } : { token }),
      },
    )

    const issue = { path: `/body/${field}`, code: "unknown_field" }
    if (permitted[operation]?.includes(field) === true) {
      expect(JSON.stringify(body)).not.toContain("unknown_field")
      return
    }
    expect(status).toBe(400)
    expect(body.error.details).toMatchObject({
      issues: expect.arrayContaining([expect.objectContaining(issue)]),
    })
  })
})
