// Creating, reading and deleting pixels (spec 2.3, 2.4, 5.2), through the SDK and the socket of the real server.
import { ConflictError, Footfall, NotFoundError } from "@footfall/sdk"
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { startServer, type TestOrganization, type TestServer } from "../support/server.ts"
import { makeBatch } from "../visits/collect-layer.ts"
import { collect } from "./collect.ts"
import { issues, makeRequests, unset } from "./requests.ts"

let server: TestServer
let organization: TestOrganization
let requests: ReturnType<typeof makeRequests>
let sdk: Footfall
beforeAll(async () => {
  server = await startServer({ workers: false })
})
afterAll(() => server.close())
beforeEach(async () => {
  organization = await server.makeOrganization()
  requests = makeRequests(server, organization)
  sdk = requests.sdk
})

const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

describe("POST /v1/data/pixels", () => {
  it("returns 201 with every field, the tag and the embedding; the name is the domain", async () => {
    const response = await requests.create({ domain: "harbor.example" })
    const { data } = (await response.json()) as { data: { id: string } }

    expect(response.status).toBe(201)
    const host = `${server.url}/p/`
    expect(data).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      domain: "harbor.example",
      name: "harbor.example",
      status: "active",
      pausedReason: null,
      excludedPaths: null,
      includedPaths: null,
      settings: unset,
      verifiedAt: null,
      lastEventAt: null,
      createdAt: timestamp,
      updatedAt: timestamp,
      code: `<script async src="${host}${data.id}.js"></script>`,
      embed: {
        immutable: {
          url: expect.stringMatching(new RegExp(`^${host}${data.id}\\.[0-9a-f]{16}\\.js$`)),
          integrity: expect.stringMatching(/^sha384-[A-Za-z0-9+/]{64}$/),
          code: expect.stringContaining(' crossorigin="anonymous"></script>'),
        },
        contentSecurityPolicy: { scriptSrc: host, connectSrc: host },
      },
    })
  })

  it("accepts a name and settings, trimmed; null settings are not stored", async () => {
    const pixel = await sdk.pixels.create({
      domain: "harbor.example",
      name: "  Harbor Logistics ",
      settings: { consent: "required", spa: null, pricingPaths: [" /pricing "] },
    })

    expect(pixel.name).toBe("Harbor Logistics")
    expect(pixel.settings).toEqual({ ...unset, consent: "required", pricingPaths: ["/pricing"] })
    const [row] = await server.sql("select settings from pixel where id = $1", [pixel.id])
    expect(row).toEqual({ settings: { consent: "required", pricingPaths: ["/pricing"] } })
  })

  it.each([
    ["https://WWW.Harbor.example:8443/pricing?a=b#c", "harbor.example"],
    [" www.harbor.example. ", "harbor.example"],
    ["bücher.example", "xn--bcher-kva.example"],
    ["shop.harbor.example", "shop.harbor.example"],
    ["localhost", "localhost"],
  ])("the domain for %j is %s", async (domain, normal) => {
    expect((await sdk.pixels.create({ domain })).domain).toBe(normal)
  })

  it.each([
    "harbor",
    "203.0.113.9",
    "[::1]",
    "har bor.example",
    "someone@",
    "https://",
    "-a.example",
  ])("%j is not a host name: 400 format on /body/domain", async (domain) => {
    expect(await issues(await requests.create({ domain }))).toEqual(["/body/domain format"])
  })

  it("a domain has 1 to 255 characters after normalization", async () => {
    const label = "a".repeat(49)
    const domain = (length: number) => `${`${label}.`.repeat(5)}${"b".repeat(length - 250)}`

    expect((await requests.create({ domain: `https://${domain(254)}/` })).status).toBe(201)
    expect((await requests.create({ domain: `https://${domain(255)}/` })).status).toBe(201)
    expect(await issues(await requests.create({ domain: domain(256) }))).toEqual([
      "/body/domain max_length",
    ])
    expect(await issues(await requests.create({ domain: " " }))).toEqual([
      "/body/domain min_length",
      "/body/domain format",
    ])
    expect(await issues(await requests.create({ domain: "x".repeat(100_000) }))).toContain(
      "/body/domain max_length",
    )
  })

  it("a name has 1 to 255 characters, counted in code points", async () => {
    const name = async (text: string) =>
      requests.create({ domain: `${randomUUID()}.example`, name: text })

    expect((await name("x")).status).toBe(201)
    expect((await name("💧".repeat(254))).status).toBe(201)
    expect((await name("💧".repeat(255))).status).toBe(201)
    expect(await issues(await name("💧".repeat(256)))).toEqual(["/body/name max_length"])
    expect(await issues(await name("  "))).toEqual(["/body/name min_length"])
  })

  it.each([
    [{}, ["/body/domain required"]],
    [{ domain: 7 }, ["/body/domain type"]],
    [{ domain: "a.example", name: null }, ["/body/name type"]],
    [{ domain: "a.example", settings: null }, ["/body/settings type"]],
    [{ domain: "a.example", status: "paused" }, ["/body/status unknown_field"]],
    [{ domain: "a.example", organizationId: randomUUID() }, ["/body/organizationId unknown_field"]],
    [{ domain: "a.example", settings: { color: "red" } }, ["/body/settings/color unknown_field"]],
  ])("%j is rejected", async (body, expected) => {
    expect(await issues(await requests.create(body))).toEqual(expected)
  })

  it("a second pixel for the domain gets a 409 PIXEL_EXISTS that names the first", async () => {
    const error = await sdk.pixels
      .create({ domain: "https://www.tidewater.example/" })
      .catch((thrown: unknown) => thrown)

    expect(error).toBeInstanceOf(ConflictError)
    expect(error).toMatchObject({
      code: "PIXEL_EXISTS",
      details: { pixelId: organization.pixelId },
    })
  })

  it("of twenty concurrent requests for one domain one succeeds, and the others name its pixel", async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const response = await requests.create({ domain: "harbor.example" })
        const body = (await response.json()) as {
          data?: { id: string }
          error?: { details: { pixelId: string } }
        }
        return [response.status, body.data?.id ?? body.error?.details.pixelId] as const
      }),
    )

    const created = answers.filter(([status]) => status === 201)
    expect(created).toHaveLength(1)
    expect(answers.filter(([status]) => status === 409)).toHaveLength(19)
    expect(new Set(answers.map(([, id]) => id)).size).toBe(1)
    const [row] = await server.sql(
      "select id from pixel where organization_id = $1 and domain = 'harbor.example'",
      [organization.organizationId],
    )
    expect(row).toEqual({ id: created[0]![1] })
  })

  it("another organization may have a pixel for the same domain", async () => {
    const other = await server.makeOrganization()

    expect(other.pixelId).not.toBe(organization.pixelId)
    const created = await new Footfall({
      baseUrl: server.url,
      apiKey: other.apiKey,
    }).pixels.create({ domain: "harbor.example" })
    await expect(sdk.pixels.create({ domain: "harbor.example" })).resolves.toMatchObject({
      domain: created.domain,
    })
  })
})

describe("GET /v1/data/pixels/{id}", () => {
  it("returns the pixel as it was created, with its tag", async () => {
    const created = await sdk.pixels.create({ domain: "harbor.example" })

    expect(await sdk.pixels.get(created.id)).toEqual(created)
  })

  it("has no tag in the list", async () => {
    const [pixel] = await sdk.pixels.list()

    expect(Object.keys(pixel ?? {})).not.toContain("code")
    expect(Object.keys(pixel ?? {})).not.toContain("embed")
  })
})

describe("DELETE /v1/data/pixels/{id}", () => {
  it("frees the domain, keeps the data, and returns 404 from then on", async () => {
    await collect(server.url, organization.pixelId, makeBatch())

    expect(await sdk.pixels.delete(organization.pixelId)).toEqual({ deleted: true })

    const gone = (request: Promise<unknown>) =>
      expect(request).rejects.toBeInstanceOf(NotFoundError)
    await gone(sdk.pixels.get(organization.pixelId))
    await gone(sdk.pixels.update(organization.pixelId, { name: "x" }))
    await gone(sdk.pixels.delete(organization.pixelId))
    await gone(sdk.pixels.verify(organization.pixelId))
    expect(await sdk.pixels.list()).toEqual([])
    const kept = await server.sql("select id from event_inbox where pixel_id = $1", [
      organization.pixelId,
    ])
    expect(kept).toHaveLength(1)
    const again = await sdk.pixels.create({ domain: "tidewater.example" })
    expect(again.id).not.toBe(organization.pixelId)
  })

  it.each([
    ["deleted", () => sdk.pixels.delete(organization.pixelId)],
    ["paused", () => sdk.pixels.update(organization.pixelId, { status: "paused" })],
  ])("a %s pixel collects nothing from then on, although it just did", async (_, stop) => {
    await collect(server.url, organization.pixelId, makeBatch())
    await stop()

    await collect(server.url, organization.pixelId, makeBatch())

    const rows = await server.sql("select from event_inbox where pixel_id = $1", [
      organization.pixelId,
    ])
    expect(rows).toHaveLength(1)
  })
})

describe("an id", () => {
  it("of another organization, of a deleted pixel and one never issued: the same 404", async () => {
    const foreign = (await server.makeOrganization()).pixelId
    const deleted = (await sdk.pixels.create({ domain: "harbor.example" })).id
    await sdk.pixels.delete(deleted)
    const operations = [
      ["GET", ""],
      ["PATCH", "", { name: "x" }],
      ["DELETE", ""],
      ["POST", "/verify"],
    ] as const

    for (const [method, rest, body] of operations) {
      const bodies = await Promise.all(
        [foreign, deleted, randomUUID()].map(async (id) => {
          const response = await requests.send(method, `/v1/data/pixels/${id}${rest}`, body)
          expect(response.status).toBe(404)
          const { error } = (await response.json()) as { error: unknown }
          return JSON.stringify(error)
        }),
      )
      expect(new Set(bodies).size).toBe(1)
    }
    const [row] = await server.sql("select name, deleted_at from pixel where id = $1", [foreign])
    expect(row).toEqual({ name: "tidewater.example", deleted_at: null })
  })

  it("that is not a UUID gets a 400", async () => {
    for (const [method, rest] of [
      ["GET", ""],
      ["PATCH", ""],
      ["DELETE", ""],
      ["POST", "/verify"],
    ] as const) {
      const response = await requests.send(
        method,
        `/v1/data/pixels/no-uuid${rest}`,
        method === "PATCH" ? {} : undefined,
      )
      expect(await issues(response)).toEqual(["/path/id format"])
    }
  })
})

describe("every operation", () => {
  const operations = [
    ["GET", "/v1/data/pixels"],
    ["POST", "/v1/data/pixels"],
    ["GET", "/v1/data/pixels/ID"],
    ["PATCH", "/v1/data/pixels/ID"],
    ["DELETE", "/v1/data/pixels/ID"],
    ["POST", "/v1/data/pixels/ID/verify"],
  ] as const

  it.each(operations)("%s %s needs a key", async (method, path) => {
    const response = await fetch(server.url + path.replace("ID", organization.pixelId), { method })

    expect(response.status).toBe(401)
  })

  it.each(operations)(
    "%s %s returns 403 while the organization is suspended",
    async (method, path) => {
      const suspended = await server.makeOrganization("suspended")

      const body = method === "GET" ? undefined : {}
      const response = await requests.send(
        method,
        path.replace("ID", suspended.pixelId),
        body,
        suspended.apiKey,
      )

      expect(response.status).toBe(403)
      expect(await response.json()).toMatchObject({ error: { code: "ORGANIZATION_INACTIVE" } })
    },
  )

  it.each(operations)("%s %s rejects an unknown query parameter", async (method, path) => {
    const bodies: Readonly<Record<string, unknown>> = {
      "POST /v1/data/pixels": { domain: "harbor.example" },
      "PATCH /v1/data/pixels/ID": {},
    }
    const body = bodies[`${method} ${path}`]
    const response = await requests.send(
      method,
      `${path.replace("ID", organization.pixelId)}?more=1`,
      body,
    )

    expect(await issues(response)).toEqual(["/query/more unknown_parameter"])
  })

  it("a body of another type gets a 415", async () => {
    const response = await fetch(`${server.url}/v1/data/pixels`, {
      method: "POST",
      headers: { "x-api-key": organization.apiKey, "content-type": "text/plain" },
      body: "{}",
    })

    expect(response.status).toBe(415)
  })
})

it("every change leaves one audit entry: who, what, in which request, and no values", async () => {
  const { id } = await sdk.pixels.create({ domain: "harbor.example" })
  await sdk.pixels.create({ domain: "harbor.example" }).catch(() => undefined)
  await sdk.pixels.update(id, { name: "Harbor" })
  await sdk.pixels.update(id, { name: "Harbor" })
  await sdk.pixels.delete(id)
  await sdk.pixels.delete(id).catch(() => undefined)

  const entry = (action: string) => ({
    action,
    target_id: id,
    actor_type: "api_key",
    actor_id: organization.apiKeyId,
    request_id: expect.stringMatching(/^req_[0-9a-z]{26}$/),
  })
  expect(await requests.entries()).toEqual([
    entry("pixel.created"),
    entry("pixel.updated"),
    entry("pixel.deleted"),
  ])
})

it("pixels are limited to 60 requests per minute and key, for all operations together", async () => {
  const limited = await startServer({ workers: false, rateLimits: true, beside: server })
  const ask = (path: string, method = "GET") =>
    fetch(limited.url + path, { method, headers: { "x-api-key": organization.apiKey } })

  const first = await ask("/v1/data/pixels")
  const verified = await ask(`/v1/data/pixels/${organization.pixelId}`, "DELETE")
  const rest = await Promise.all(Array.from({ length: 59 }, () => ask("/v1/data/pixels")))

  expect(first.headers.get("ratelimit-limit")).toBe("60")
  expect(first.headers.get("ratelimit-remaining")).toBe("59")
  expect(verified.headers.get("ratelimit-remaining")).toBe("58")
  expect(rest.filter(({ status }) => status === 200)).toHaveLength(58)
  const refused = rest.filter(({ status }) => status === 429)
  expect(refused).toHaveLength(1)
  expect(Number(refused[0]?.headers.get("retry-after"))).toBeGreaterThan(0)
  await limited.close()
})
