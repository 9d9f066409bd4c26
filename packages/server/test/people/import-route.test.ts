// POST /v1/admin/import/{kind} on a running server (spec 5.14): permissions, input, responses, and slow or broken
// bodies.
import { request } from "node:http"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { startServer, type TestServer } from "../support/server.ts"
import { ndjson, sha256 } from "./people-layer.ts"

let server: TestServer
let owner: string

beforeAll(async () => {
  server = await startServer()
  owner = (await server.makeUser("owner")).accessToken
})
afterAll(() => server.close())

const jane = { email: "jane@harbor.example", firstName: "Jane" }

interface Sending {
  readonly token?: string | undefined
  readonly type?: string
  readonly headers?: Readonly<Record<string, string>>
}

const send = async (
  path: string,
  body: string | Uint8Array<ArrayBuffer>,
  sending: Sending = {},
) => {
  const { headers = {}, token = owner, type = "application/x-ndjson" } = sending
  const response = await fetch(`${server.url}/v1/admin/import/${path}`, {
    method: "POST",
    headers: {
      "content-type": type,
      ...(token === "" ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    },
    body,
  })
  const json = (await response.json()) as {
    readonly data: Readonly<Record<string, unknown>> & { readonly inserted: number }
    readonly error: {
      readonly code: string
      readonly details: { readonly issues: ReadonlyArray<{ readonly path: string }> }
    }
    readonly meta: { readonly request_id: string }
  }
  return { status: response.status, headers: response.headers, ...json }
}

describe("an import", () => {
  it("responds with the result for the rows", async () => {
    const body = `${ndjson([jane])}\n\n{"email":7}\n`

    const first = await send("people", body)
    const second = await send("people", body, { type: "application/x-ndjson; charset=utf-8" })

    expect(first.status).toBe(200)
    expect(first.data).toEqual({
      kind: "people",
      received: 2,
      inserted: 1,
      updated: 0,
      unchanged: 0,
      rejectedCount: 1,
      rejected: [{ row: 2, field: "email", reason: "invalid_type" }],
    })
    expect(second.data).toMatchObject({ inserted: 0, updated: 0, unchanged: 1 })
    expect(first.meta.request_id).toMatch(/^req_/)
  })

  it("accepts CSV, and links", async () => {
    const text = `kind,value,emailHash\nexternal_id,crm-1,${sha256(jane.email)}\n`
    const answer = await send("identity-links", text, { type: "text/csv" })
    expect(answer.data).toMatchObject({ kind: "identity-links", received: 1, inserted: 1 })
  })

  it("belongs to the token's organization, and the audit log names the user", async () => {
    const other = await server.makeOrganization()
    const user = await server.makeUser("owner", other.organizationId)
    await send("people", ndjson([{ email: "tom@acme.example" }]), { token: user.accessToken })

    const [row] = await server.sql("select organization_id from person where email = $1", [
      "tom@acme.example",
    ])
    const audit = await server.sql(
      "select action, actor_type, actor_id from audit_entry where organization_id = $1",
      [other.organizationId],
    )
    expect(row).toEqual({ organization_id: other.organizationId })
    expect(audit).toEqual([
      { action: "people.imported", actor_type: "user", actor_id: user.userId },
    ])
  })
})

describe("topics and signals", () => {
  const today = new Date().toISOString().slice(0, 10)
  const topic = {
    topicId: 1,
    topicName: "Cold storage",
    type: "b2b",
    industry: "logistics",
    category: "warehousing",
  }
  const signal = { topicId: 1, emailHash: sha256(jane.email), score: 70, date: today }

  it("are imported, topics only by the operator organization", async () => {
    const refused = await send("topics", ndjson([topic]))
    expect([refused.status, refused.error.code]).toEqual([403, "FORBIDDEN"])
    await server.sql("update organization set is_operator = true where id = $1", [
      server.organizationId,
    ])
    const topics = await send("topics", ndjson([topic]))
    await server.sql("update organization set is_operator = false")

    const signals = await send("signals", ndjson([signal, { ...signal, topicId: 2 }]))

    expect(topics.data).toMatchObject({ kind: "topics", received: 1, inserted: 1 })
    expect(signals.data).toEqual({
      kind: "signals",
      received: 2,
      inserted: 1,
      updated: 0,
      unchanged: 0,
      rejectedCount: 1,
      rejected: [{ row: 2, field: "topicId", reason: "unknown_topic" }],
    })
  })

  it("without a required column get a 400, and nothing is imported", async () => {
    const answer = await send("signals", "topicId,emailHash,score\n", { type: "text/csv" })
    expect([answer.status, answer.error.code]).toEqual([400, "VALIDATION_ERROR"])
  })
})

describe("is rejected", () => {
  it("without a token, and with only an API key", async () => {
    expect((await send("people", "", { token: "" })).status).toBe(401)
    const withKey = await send("people", "", { token: "", headers: { "x-api-key": server.apiKey } })
    expect(withKey.status).toBe(401)
  })

  it("for every role below owner", async () => {
    for (const role of ["viewer", "member", "admin"] as const) {
      const { accessToken } = await server.makeUser(role)
      const answer = await send("people", "", { token: accessToken })
      expect([answer.status, answer.error.details]).toEqual([403, { required: "owner" }])
    }
  })

  it("for all organizations, except from the operator organization", async () => {
    const answer = await send("people?shared=true", ndjson([jane]))
    expect([answer.status, answer.error.code]).toEqual([403, "FORBIDDEN"])
    expect(answer.error.details).toEqual({ required: "operator" })

    await server.sql("update organization set is_operator = true where id = $1", [
      server.organizationId,
    ])
    try {
      const shared = await send("people?shared=true", ndjson([jane]))
      expect(shared.data).toMatchObject({ inserted: 1 })
    } finally {
      await server.sql("update organization set is_operator = false")
    }
  })

  const types = ["application/json", "", "text/csv; charset=utf-16", "text/plain"]
  it.each(types)("with the media type %j", async (type) => {
    const answer = await send("people", ndjson([jane]), { type })
    expect([answer.status, answer.error.code]).toEqual([415, "UNSUPPORTED_MEDIA_TYPE"])
    expect(answer.error.details).toEqual({ allowed: ["application/x-ndjson", "text/csv"] })
  })

  it("with an encoded body", async () => {
    const answer = await send("people", ndjson([jane]), { headers: { "content-encoding": "gzip" } })
    expect(answer.status).toBe(415)
  })

  it("for an unknown kind, and an invalid value of shared", async () => {
    expect((await send("companies", "")).status).toBe(400)
    expect((await send("people?shared=yes", "")).status).toBe(400)
    expect((await send("people?other=1", ndjson([jane]))).status).toBe(200)
  })

  it("without a required column, and nothing is imported", async () => {
    const answer = await send("people", "firstName\nNobody\n", { type: "text/csv" })
    expect([answer.status, answer.error.code]).toEqual([400, "VALIDATION_ERROR"])
    expect(answer.error.details.issues[0]?.path).toBe("/body")
  })
})

describe("a body", () => {
  it("that ends early keeps committed rows and can be sent again", async () => {
    const people = Array.from({ length: 25_000 }, (_, index) => ({
      email: `b${index}@broken.example`,
    }))
    const count = async () => {
      const [row] = await server.sql(
        "select count(*)::int as count from person where email like '%@broken.example'",
      )
      return row!["count"]
    }
    const sending = request(`${server.url}/v1/admin/import/people`, {
      method: "POST",
      headers: { authorization: `Bearer ${owner}`, "content-type": "application/x-ndjson" },
    })
    sending.on("error", () => undefined)
    sending.write(ndjson(people))
    const committed = async () => expect(await count()).toBeGreaterThanOrEqual(20_000)
    await vi.waitFor(committed, { timeout: 120_000, interval: 250 })
    sending.destroy()

    const answer = await send("people", ndjson(people))

    expect(answer.data.inserted).toBeLessThanOrEqual(5_000)
    expect(await count()).toBe(25_000)
  })
})

it("one user can request thirty imports a minute", async () => {
  const limited = await startServer({ rateLimits: true, beside: server })
  try {
    const first = await fetch(`${limited.url}/v1/admin/import/people`, {
      method: "POST",
      headers: { authorization: `Bearer ${owner}`, "content-type": "text/csv" },
      body: "email\n",
    })
    expect(first.headers.get("ratelimit-limit")).toBe("30")
  } finally {
    await limited.close()
  }
})
