// Compressed responses (spec 1.3.8, 1.3.9), by raw requests, because `fetch` decompresses and hides what was sent.
import { Schema } from "effect"
import { randomUUID } from "node:crypto"
import { request } from "node:http"
import { brotliDecompressSync, createGunzip, gunzipSync } from "node:zlib"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { AgentsApi } from "../../src/app/agents/api.ts"
import { Api } from "../../src/app/api.ts"
import { mayHoldSecret } from "../../src/platform/http/compression.ts"
import { startServer, type TestServer, type TestUser } from "../support/server.ts"
import { people, putRun, runPath } from "../runs/exports/support.ts"

let server: TestServer
let admin: TestUser
beforeAll(async () => {
  server = await startServer({ workers: false })
  admin = await server.makeUser("admin")
  const headers = { "x-api-key": server.apiKey, "content-type": "application/json" }
  const rules = Array.from({ length: 200 }, (_, n) => ({
    type: "email",
    value: `person${n}@acme.example`,
  }))
  await fetch(`${server.url}/v1/data/suppression-rules`, {
    method: "POST",
    headers,
    body: JSON.stringify({ rules }),
  })
})
afterAll(() => server.close())

interface Sent {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: Buffer
}

const send = (
  path: string,
  headers: Readonly<Record<string, string>> = {},
  { body, method = "GET" }: { readonly method?: string; readonly body?: unknown } = {},
): Promise<Sent> =>
  new Promise((resolve, reject) => {
    const sending = request(
      server.url + path,
      {
        method,
        headers: {
          "x-api-key": server.apiKey,
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...headers,
        },
      },
      (response) => {
        const chunks: Array<Buffer> = []
        response.on("data", (chunk: Buffer) => chunks.push(chunk))
        response.on("error", reject)
        response.on("end", () => {
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers as Sent["headers"], // none is repeated
            body: Buffer.concat(chunks),
          })
        })
      },
    )
    sending.on("error", reject)
    sending.end(body === undefined ? undefined : JSON.stringify(body))
  })

const rules = "/v1/data/suppression-rules?limit=200"
const withoutMeta = (body: Buffer) => JSON.parse(String(body)).data

describe("a JSON response", () => {
  it("of more than 1 KB is compressed with the coding that the client prefers", async () => {
    const plain = await send(rules)
    const gzip = await send(rules, { "accept-encoding": "br;q=0.5, gzip" })
    const br = await send(rules, { "accept-encoding": "gzip, deflate, br, zstd" })

    expect(plain.headers["content-encoding"]).toBeUndefined()
    expect(gzip.headers["content-encoding"]).toBe("gzip")
    expect(br.headers["content-encoding"]).toBe("br")
    for (const { headers } of [plain, gzip, br]) expect(headers["vary"]).toBe("Accept-Encoding")
    expect(withoutMeta(gunzipSync(gzip.body))).toEqual(withoutMeta(plain.body))
    expect(withoutMeta(brotliDecompressSync(br.body))).toEqual(withoutMeta(plain.body))
    expect(gzip.headers["content-length"]).toBe(String(gzip.body.length))
    expect(gzip.body.length).toBeLessThan(plain.body.length / 3)
  })

  it("of less than 1 KB is sent as it is, and says that others are not", async () => {
    const small = await send("/v1/data/suppression-rules?limit=1", { "accept-encoding": "gzip" })

    expect(small.body.length).toBeLessThan(1_024)
    expect(small.headers["content-encoding"]).toBeUndefined()
    expect(small.headers["vary"]).toBe("Accept-Encoding")
    expect(JSON.parse(String(small.body)).data.rules).toHaveLength(1)
  })

  it("to HEAD has the headers of GET and no body", async () => {
    const headers = { "accept-encoding": "gzip" }
    const head = await send(rules, headers, { method: "HEAD" })

    expect(head.status).toBe(200)
    expect(head.headers["content-encoding"]).toBe("gzip")
    expect(Number(head.headers["content-length"])).toBeGreaterThan(100)
    expect(head.body).toHaveLength(0)
  })

  it("that a cache may keep varies by the credentials and by the coding", async () => {
    const topics = await send("/v1/intent/topics", { "accept-encoding": "gzip" })

    expect(topics.headers["vary"]).toBe("Authorization, X-API-Key, Accept-Encoding")
  })

  it("with an error is compressed too, in the envelope", async () => {
    const body = { rules: [], ...Object.fromEntries(names(60).map((name) => [name, 1])) }
    const refused = await send(
      "/v1/data/suppression-rules",
      { "accept-encoding": "gzip" },
      { method: "POST", body },
    )

    expect(refused.status).toBe(400)
    expect(refused.headers["content-encoding"]).toBe("gzip")
    expect(JSON.parse(String(gunzipSync(refused.body))).error.code).toBe("VALIDATION_ERROR")
  })

  it("of an embedded server's `fetch` is left to the host", async () => {
    const headers = { "x-api-key": server.apiKey, "accept-encoding": "gzip, br" }
    const answered = await server.embedded.fetch(new Request(server.url + rules, { headers }))

    expect(answered.headers.get("content-encoding")).toBeNull()
    expect(withoutMeta(Buffer.from(await answered.arrayBuffer())).rules).toHaveLength(200)
  })
})

const names = (count: number) => Array.from({ length: count }, (_, n) => `unknown${n}`)

describe("a pixel's script", () => {
  it("is compressed, and has the same tag as one that is not", async () => {
    const path = `/p/${server.pixelId}.js`
    const plain = await send(path)
    const packed = await send(path, { "accept-encoding": "gzip, br" })
    const known = { "accept-encoding": "gzip, br", "if-none-match": packed.headers["etag"]! }
    const repeated = await send(path, known)

    expect(packed.headers["content-encoding"]).toBe("br")
    expect(packed.headers["etag"]).toBe(plain.headers["etag"])
    expect(packed.headers["vary"]).toBe("cookie, Accept-Encoding")
    expect(brotliDecompressSync(packed.body)).toEqual(plain.body)
    expect([repeated.status, repeated.body.length]).toEqual([304, 0])
    expect(repeated.headers["content-encoding"]).toBeUndefined()
  })
})

describe("a stream", () => {
  it("arrives in pieces while it is compressed", async () => {
    const run = await putRun(server, server, { rows: people(5_000) })
    const pieces: Array<number> = []
    const text = await new Promise<string>((resolve, reject) => {
      const sending = request(
        `${server.url}/v1/intent/audiences${runPath(run)}/export.csv`,
        { headers: { "x-api-key": server.apiKey, "accept-encoding": "gzip" } },
        (response) => {
          expect(response.headers["content-encoding"]).toBe("gzip")
          expect(response.headers["content-length"]).toBeUndefined()
          const unzip = createGunzip()
          const parts: Array<Buffer> = []
          response.on("data", (chunk: Buffer) => pieces.push(chunk.length))
          response.pipe(unzip).on("data", (part: Buffer) => parts.push(part))
          unzip.on("end", () => resolve(Buffer.concat(parts).toString())).on("error", reject)
        },
      )
      sending.on("error", reject)
      sending.end()
    })

    expect(text.split("\r\n")).toHaveLength(5_002)
    expect(pieces.length).toBeGreaterThan(1)
  })
})

/** Members of a response that are secrets, or whose values are links that work like one. */
const secretMembers =
  /^(?:.*Secret|accessToken|refreshToken|token|key|apiKey|inviteUrl|inviteToken|downloadUrl|deviceCode|userCode)$/

const membersOf = (value: unknown): ReadonlyArray<string> =>
  typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([name, inner]) => [
        ...(name === "properties" && typeof inner === "object" ? Object.keys(inner ?? {}) : []),
        ...membersOf(inner),
      ])
    : []

describe("a secret", () => {
  it("is in no response that is compressed, on any endpoint", () => {
    const secret = Object.values(Api.groups)
      .flatMap((group) => Object.values(group.endpoints))
      .flatMap(({ method, path, success }) => {
        const members = [...success].flatMap((schema) =>
          membersOf(Schema.toJsonSchemaDocument(Schema.toType(schema))),
        )
        const found = members.filter((name) => secretMembers.test(name))
        return found.length === 0 ? [] : [{ route: `${method} ${path}`, path, found }]
      })

    const routes = secret.map(({ route }) => route)
    expect(routes).toEqual(
      expect.arrayContaining([
        "POST /v1/api-keys",
        "POST /v1/auth/login",
        "POST /v1/auth/session",
        "POST /v1/data/link-tokens",
        "POST /v1/data/pixels/:id/write-keys",
        "POST /v1/data/webhooks",
        "POST /v1/data/webhooks/:id/rotate-secret",
      ]),
    )
    const leaks = secret.filter(
      ({ path }) => !mayHoldSecret(path.replaceAll(/:\w+/g, randomUUID())),
    )
    expect(leaks).toEqual([])
    for (const group of Object.values(AgentsApi.endpoints)) {
      expect(mayHoldSecret(group.path)).toBe(true)
    }
  })

  it("is never compressed with its list, however long that is", async () => {
    const bearer = { authorization: `Bearer ${admin.accessToken}` }
    for (const name of names(15)) {
      const created = await fetch(`${server.url}/v1/api-keys`, {
        method: "POST",
        headers: { ...bearer, "content-type": "application/json" },
        body: JSON.stringify({ name }),
      })
      expect(created.status).toBe(201)
    }

    const list = await fetch(`${server.url}/v1/api-keys`, { headers: bearer })
    const me = await fetch(`${server.url}/v1/auth/me`, { headers: bearer })

    expect((await list.text()).length).toBeGreaterThan(1_024)
    for (const { headers, status } of [list, me]) {
      expect([status, headers.get("content-encoding"), headers.get("vary")]).toEqual([
        200,
        null,
        null,
      ])
    }
  })
})
