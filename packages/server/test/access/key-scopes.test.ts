// What an API key with scopes, networks or an expiry may do (spec 7.1). Which scope an operation needs comes from the
// contract, so a new operation is included.
import { Context } from "effect"
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { scopes } from "../../src/access/key-rights.ts"
import { AnswersSecret } from "../../src/access/repeats/repeats.ts"
import { Api } from "../../src/app/api.ts"
import { openApiDocument } from "../../src/app/reference/openapi.ts"
import { startServer, type TestServer } from "../support/server.ts"
import { caller } from "./request.ts"

interface Stored {
  readonly operationId: string
  readonly parameters?: ReadonlyArray<{ readonly name: string }>
  readonly responses: Readonly<Record<string, unknown>>
}

interface Described {
  readonly operationId: string
  readonly "x-scope"?: string | null
  readonly security?: ReadonlyArray<object>
}

const operations = Object.entries(openApiDocument().paths).flatMap(([path, methods]) =>
  Object.entries(methods as unknown as Record<string, Described>).map(([method, described]) => ({
    name: described.operationId,
    request: `${method.toUpperCase()} ${path}`,
    scope: described["x-scope"],
    takesKeys: (described.security ?? []).some((scheme) => Object.hasOwn(scheme, "apiKey")),
  })),
)
const forKeys = operations.filter(({ takesKeys }) => takesKeys)

let server: TestServer
let call: ReturnType<typeof caller>
let token: string
beforeAll(async () => {
  vi.stubEnv("TRUSTED_PROXIES", "127.0.0.0/8")
  server = await startServer({ workers: false })
  call = caller(server)
  token = (await server.makeUser("admin")).accessToken
})
afterAll(() => server.close())

interface Made {
  readonly apiKey: { readonly id: string; readonly scopes: ReadonlyArray<string> }
  readonly secret: string
}

const make = async (rights: object): Promise<Made> => {
  const answer = await call("POST /v1/api-keys", { name: "Job", ...rights }, { token })
  expect(answer.status).toBe(201)
  return answer.body.data
}

const keyWith = async (...given: ReadonlyArray<string>) => (await make({ scopes: given })).secret

/** Ids that don't exist and an invalid body: a request that passes gets 400 or 404 and changes nothing. */
const ask = async (request: string, apiKey: string, headers = {}) => {
  const [method, template = ""] = request.split(" ")
  const path = template
    .replace("{visitorId}", "a".repeat(64))
    .replace("{domain}", "unknown.example")
    .replace("{kind}", "suppression-rules")
    .replaceAll(/\{\w+\}/g, () => randomUUID())
  const answer = await call(`${method} ${path}`, method === "GET" ? undefined : {}, {
    apiKey,
    headers,
  })
  return answer.status === 403 ? answer.body.error.code : "passes"
}

describe("scopes", () => {
  it("every operation that a key may call names its scope, and no other does", () => {
    const allowed = new Set<unknown>([...scopes, null])

    expect(forKeys.filter(({ scope }) => !allowed.has(scope))).toEqual([])
    expect(operations.filter((one) => !one.takesKeys && one.scope !== undefined)).toEqual([])
    expect(forKeys.length).toBeGreaterThan(80)
  })

  it("only account status and what needs no credentials asks for no scope", () => {
    const free = forKeys.filter(({ scope }) => scope === null).map(({ name }) => name)

    expect(free.filter((name) => !/^(topics|topicTrends|siteAnalysis)\./.test(name))).toEqual([
      "account.status",
    ])
  })

  it("no operation that changes something is content with a scope for reading", () => {
    const reading = forKeys.filter(
      ({ request, scope }) => !request.startsWith("GET ") && scope?.endsWith(":read"),
    )

    // They try something and keep nothing.
    expect(reading.map(({ name }) => name).toSorted()).toEqual([
      "audienceFilters.validate",
      "audiencePreviews.preview",
      "companies.query",
      "destinations.preview",
      "pixelTopics.suggest",
      "pixels.verify",
      "segments.preview",
      "suppression.preview",
      "visitors.query",
      "webhooks.preview",
    ])
  })

  it.each(scopes)(
    "a key with %s alone may call the operations of that scope and no other",
    async (scope) => {
      const key = await keyWith(scope)
      const outcomes = new Map<string, string>()
      for (const { name, request } of forKeys) outcomes.set(name, await ask(request, key))

      for (const operation of forKeys) {
        const isAllowed = operation.scope === scope || operation.scope === null
        // A file is written into something: without that scope the key gets no further.
        const isFile = operation.name.startsWith("fileImports.") && scope === "imports:write"
        expect([operation.name, outcomes.get(operation.name)]).toEqual([
          operation.name,
          isAllowed && !isFile ? "passes" : "SCOPE_MISSING",
        ])
      }
    },
  )

  it("a key with all, and one from before scopes, may call everything", async () => {
    const key = await keyWith("all")
    for (const { name, request } of forKeys) {
      expect([name, await ask(request, key), await ask(request, server.apiKey)]).toEqual([
        name,
        "passes",
        "passes",
      ])
    }
  })

  it("the error names the missing scope, and what the key has", async () => {
    const apiKey = await keyWith("visitors:read")

    const { body, status } = await call("GET /v1/data/suppression-rules", undefined, { apiKey })

    expect(status).toBe(403)
    expect(body.error).toMatchObject({
      code: "SCOPE_MISSING",
      message: expect.stringContaining("suppression:read. It has: visitors:read"),
      details: { scope: "suppression:read" },
    })
  })

  it("a file of suppression rules needs imports:write and suppression:write, one of a list visitors:write", async () => {
    const plan = async (apiKey: string, kind: string) => {
      const { body } = await call(`POST /v1/data/import/${kind}/apply`, {}, { apiKey })
      return body.error.code === "SCOPE_MISSING" ? body.error.details : body.error.code
    }
    const both = await keyWith("imports:write", "suppression:write")

    expect(await plan(both, "suppression-rules")).toBe("VALIDATION_ERROR")
    expect(await plan(both, "lists")).toEqual({ scope: "visitors:write" })
    expect(await plan(await keyWith("suppression:write"), "suppression-rules")).toEqual({
      scope: "imports:write",
    })
    expect(await plan(await keyWith("imports:write"), "suppression-rules")).toEqual({
      scope: "suppression:write",
    })
    // Not a kind in any other spelling either.
    expect(await plan(await keyWith("imports:write"), "Suppression-Rules")).not.toBe("passes")
  })

  it("an erasure that also suppresses needs suppression:write", async () => {
    const erase = async (...given: ReadonlyArray<string>) => {
      const apiKey = await keyWith(...given)
      const { body } = await call(
        `DELETE /v1/data/visitors/${"a".repeat(64)}?suppress=true`,
        undefined,
        { apiKey },
      )
      return body.error
    }

    expect(await erase("visitors:write")).toMatchObject({ details: { scope: "suppression:write" } })
    expect(await erase("visitors:write", "suppression:write")).toMatchObject({ code: "NOT_FOUND" })
  })

  it("a token with a limited key beside it keeps the member's rights", async () => {
    const apiKey = await keyWith("intent:read")

    const answer = await call("GET /v1/data/segments", undefined, { apiKey, token })

    expect(answer.status).toBe(200)
  })
})

describe("POST /v1/api-keys", () => {
  const refused = async (body: object) => {
    const answer = await call("POST /v1/api-keys", { name: "Job", ...body }, { token })
    return [answer.status, answer.body.error.code]
  }

  it("shows what a key is limited to, once each and in order, and all alone", async () => {
    const { apiKey } = await make({
      scopes: ["intent:read", "visitors:read", "intent:read"],
      allowedNetworks: ["10.1.2.3/8", " 10.0.0.0/8 ", "2001:DB8::1/32", "192.0.2.7"],
    })

    expect(apiKey).toMatchObject({
      scopes: ["visitors:read", "intent:read"],
      pixelIds: null,
      allowedNetworks: ["10.0.0.0/8", "2001:db8::/32", "192.0.2.7/32"],
    })
    expect((await make({ scopes: ["visitors:read", "all"] })).apiKey.scopes).toEqual(["all"])
    expect((await make({})).apiKey).toMatchObject({
      scopes: ["all"],
      pixelIds: null,
      allowedNetworks: null,
    })
    expect((await make({ pixelIds: null, allowedNetworks: null })).apiKey.scopes).toEqual(["all"])
  })

  it("refuses empty lists, unknown scopes, more than 50 sites or networks, and texts that are no network", async () => {
    const many = Array.from({ length: 51 }, (_, place) => `10.0.${place}.0/24`)
    for (const body of [
      { scopes: [] },
      { pixelIds: [] },
      { allowedNetworks: [] },
      { scopes: ["everything"] },
      { scopes: ["__proto__"] },
      { scopes: null },
      { scopes: "all" },
      { pixelIds: ["none"] },
      { pixelIds: many.map(() => randomUUID()) },
      { allowedNetworks: many },
      { allowedNetworks: ["10.0.0.0/33"] },
      { allowedNetworks: ["10.0.0"] },
      { allowedNetworks: ["010.0.0.0/8"] },
      { allowedNetworks: ["example.com"] },
      { allowedNetworks: ["fe80::1%eth0/64"] },
      { allowedNetworks: [""] },
    ]) {
      expect([body, await refused(body)]).toEqual([body, [400, "VALIDATION_ERROR"]])
    }
  })

  it("knows no pixel of another organization, no deleted one, and none that never existed", async () => {
    const other = await server.makeOrganization()
    const deleted = randomUUID()
    await server.sql(
      `insert into pixel (organization_id, id, domain, name, deleted_at)
       values ($1, $2, 'gone.example', 'Gone', now())`,
      [server.organizationId, deleted],
    )
    for (const pixelId of [other.pixelId, deleted, randomUUID()]) {
      expect(await refused({ pixelIds: [server.pixelId, pixelId] })).toEqual([404, "NOT_FOUND"])
    }
    const { apiKey } = await make({ pixelIds: [server.pixelId.toUpperCase(), server.pixelId] })
    expect(apiKey).toMatchObject({ pixelIds: [server.pixelId] })
  })
})

describe("networks", () => {
  const from = (address: string) => ({ "x-forwarded-for": address })
  const codeFrom = async (apiKey: string, headers: Readonly<Record<string, string>>) => {
    const { body, status } = await call("GET /v1/data/account", undefined, { apiKey, headers })
    return status === 200 ? 200 : body.error.code
  }

  it("a key works from its networks and nowhere else, on every kind of operation", async () => {
    const { secret } = await make({ allowedNetworks: ["203.0.113.0/24"] })
    const requests = [
      "GET /v1/data",
      "GET /v1/data/segments",
      "GET /v1/data/account",
      "GET /v1/intent/topics",
    ]
    for (const request of requests) {
      expect(await ask(request, secret, from("203.0.113.9"))).toBe("passes")
      expect(await ask(request, secret, from("203.0.114.9"))).toBe("NETWORK_NOT_ALLOWED")
      expect(await ask(request, secret)).toBe("NETWORK_NOT_ALLOWED")
    }
    const message = { jsonrpc: "2.0", id: 1, method: "tools/list" }
    const mcp = await call("POST /mcp", message, { apiKey: secret })
    expect([mcp.status, mcp.body.error.code]).toEqual([403, "NETWORK_NOT_ALLOWED"])
  })

  it("an IPv4 address in IPv6 counts as IPv4, in a request and in a network", async () => {
    const ipv4 = (await make({ allowedNetworks: ["203.0.113.0/24"] })).secret
    const mapped = (await make({ allowedNetworks: ["::ffff:203.0.113.0/120"] })).secret
    const every6 = (await make({ allowedNetworks: ["::/0"] })).secret

    for (const key of [ipv4, mapped]) {
      expect(await codeFrom(key, from("::ffff:203.0.113.9"))).toBe(200)
      expect(await codeFrom(key, from("203.0.113.9"))).toBe(200)
      expect(await codeFrom(key, from("::ffff:203.0.114.9"))).toBe("NETWORK_NOT_ALLOWED")
    }
    expect(await codeFrom(every6, from("2001:db8::1"))).toBe(200)
    expect(await codeFrom(every6, from("::ffff:203.0.113.9"))).toBe("NETWORK_NOT_ALLOWED")
  })

  it("a header can't put the sender into a network: the right-most address that is no trusted proxy counts", async () => {
    const { secret } = await make({ allowedNetworks: ["203.0.113.0/24"] })

    expect(await codeFrom(secret, from("203.0.113.9, 198.51.100.1"))).toBe("NETWORK_NOT_ALLOWED")
    expect(await codeFrom(secret, from("198.51.100.1, 203.0.113.9"))).toBe(200)
    expect(await codeFrom(secret, from("203.0.113.9, 127.0.0.1"))).toBe(200)
    for (const header of [
      "x-real-ip",
      "forwarded",
      "cf-connecting-ip",
      "true-client-ip",
      "x-client-ip",
    ]) {
      expect(await codeFrom(secret, { [header]: "203.0.113.9" })).toBe("NETWORK_NOT_ALLOWED")
    }
  })

  it("a wrong key gets 401 from everywhere, never a word about networks", async () => {
    expect(await codeFrom(`sk_${"0".repeat(43)}`, from("198.51.100.1"))).toBe(
      "AUTHENTICATION_ERROR",
    )
  })

  it("the record says when and from which network the key was used last, not where it was refused", async () => {
    const { apiKey, secret } = await make({ allowedNetworks: ["203.0.113.0/24"] })
    const read = async () => {
      const { body } = await call("GET /v1/api-keys?limit=100", undefined, { token })
      const rows = body.data as ReadonlyArray<{
        readonly id: string
        readonly lastUsedAt: string | null
        readonly lastUsedFrom: string | null
      }>
      return rows.find(({ id }) => id === apiKey.id)
    }

    await codeFrom(secret, from("198.51.100.1"))
    expect(await read()).toMatchObject({ lastUsedAt: null, lastUsedFrom: null })
    await codeFrom(secret, from("203.0.113.77"))
    expect(await read()).toMatchObject({
      lastUsedAt: expect.any(String),
      lastUsedFrom: "203.0.113.0",
    })
  })

  it("networks that are changed in the database hold within 5 seconds", async () => {
    const { apiKey, secret } = await make({})
    expect(await codeFrom(secret, from("198.51.100.1"))).toBe(200)

    await server.sql("update api_key set allowed_networks = '{203.0.113.0/24}' where id = $1", [
      apiKey.id,
    ])

    await vi.waitFor(
      async () => expect(await codeFrom(secret, from("198.51.100.1"))).toBe("NETWORK_NOT_ALLOWED"),
      { timeout: 30_000, interval: 100 },
    )
  })
})

describe("a repeated request", () => {
  it("every stored response that holds a secret is its first sender's alone", () => {
    const schemas = new Map(Object.entries(openApiDocument().components.schemas))
    /** The response with the schemas that it uses, directly or through others. */
    const text = (value: unknown, seen = new Set<string>()): string => {
      const own = JSON.stringify(value)
      const used = [...own.matchAll(/"#\/components\/schemas\/([^"]+)"/g)].flatMap(([, name]) => {
        if (seen.has(name!)) return []
        seen.add(name!)
        return [text(schemas.get(name!), seen)]
      })
      return [own, ...used].join(" ")
    }
    const secrets = new Set(["secret", "webhookSecret", "writeKey", "inviteToken", "token"])
    const holds = new Map(
      Object.values(openApiDocument().paths).flatMap((methods) =>
        Object.values(methods as unknown as Record<string, Stored>)
          .filter(({ parameters = [] }) =>
            parameters.some(({ name }) => name === "idempotency-key"),
          )
          .map(({ operationId, responses }) => {
            const properties = text(responses["201"] ?? responses["200"]).matchAll(/"(\w+)":\{/g)
            // The URL of an inbound source holds its token.
            const isSecret =
              operationId === "inbound.create" ||
              [...properties].some(([, name]) => secrets.has(name!))
            return [operationId, isSecret] as const
          }),
      ),
    )
    const declared = new Map(
      Object.values(Api.groups).flatMap((group) =>
        Object.values(group.endpoints).map((endpoint) => [
          `${group.identifier}.${endpoint.identifier}`,
          Context.getOrUndefined(endpoint.annotations, AnswersSecret) === true,
        ]),
      ),
    )

    expect([...holds].filter(([name, isSecret]) => declared.get(name) !== isSecret)).toEqual([])
    expect([...holds.values()].filter(Boolean).length).toBeGreaterThan(4)
  })

  it("gets no stored response without the scope, from another network, or for certain sites", async () => {
    const headers = { "idempotency-key": "one" }
    const rule = { field: "behavior.sessions", op: "gte", value: 1 }
    const segment = { name: "Pricing", ruleAst: { version: 1, rule } }
    const create = (apiKey: string) => call("POST /v1/data/segments", segment, { apiKey, headers })
    const first = await create(server.apiKey)
    const again = async (rights: object) => {
      const { body, status } = await create((await make(rights)).secret)
      return [status, body.error.code]
    }

    expect(first.status).toBe(201)
    // A key that may create it shares the response.
    expect((await create(await keyWith("visitors:write"))).body).toMatchObject({
      data: first.body.data,
    })
    expect(await again({ scopes: ["visitors:read"] })).toEqual([403, "SCOPE_MISSING"])
    expect(await again({ allowedNetworks: ["203.0.113.0/24"] })).toEqual([
      403,
      "NETWORK_NOT_ALLOWED",
    ])
    expect(await again({ pixelIds: [server.pixelId] })).toEqual([403, "NOT_FOR_SITE_KEYS"])
  })

  it("gets a secret only with the credentials that asked first", async () => {
    const headers = { "idempotency-key": "write key" }
    const path = `POST /v1/data/pixels/${server.pixelId}/write-keys`
    const secretOf = async (credentials: object) =>
      (await call(path, { name: "Segment" }, { headers, ...credentials })).body.data as unknown

    const first = await secretOf({ apiKey: server.apiKey })
    const other = await keyWith("visitors:write")

    expect(await secretOf({ apiKey: server.apiKey })).toEqual(first)
    expect(await secretOf({ apiKey: other })).not.toEqual(first)
    expect(await secretOf({ token })).not.toEqual(first)
  })
})
