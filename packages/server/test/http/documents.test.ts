// /openapi.json (spec 5.15): the contract, served by the server it describes.
import { webhookEventSchemas } from "@footfall/sdk/webhooks/schemas"
import { readFile } from "node:fs/promises"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openApiDocument } from "../../src/app/reference/openapi.ts"
import { webhookOperations } from "../../scripts/webhook-operations.ts"
import { startServer, type TestServer } from "../support/server.ts"

let server: TestServer
let document: Json
beforeAll(async () => {
  server = await startServer({ workers: false })
  document = await (await fetch(`${server.url}/openapi.json`)).json()
})
afterAll(() => server.close())

// The document is JSON of any form; the assertions check it.
// oxlint-disable-next-line typescript/no-explicit-any
type Json = any

/** Every object of the document, with its path. */
const objects = (value: Json, path = "#"): ReadonlyArray<readonly [string, Json]> =>
  typeof value === "object" && value !== null
    ? [
        [path, value],
        ...Object.entries(value).flatMap(([key, inner]) =>
          objects(inner, `${path}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`),
        ),
      ]
    : []

describe("/openapi.json", () => {
  it("is an OpenAPI 3.1 document without an envelope", () => {
    expect(document.openapi).toMatch(/^3\.1\.\d$/)
    expect(document.info).toMatchObject({ title: "Footfall", version: "1.0.0" })
    expect(document.info.license).toEqual({ name: "MIT", identifier: "MIT" })
    // The public URL, so that generated clients call this server.
    expect(document.servers).toEqual([{ url: server.url }])
    expect(document).not.toHaveProperty("data")
    expect(document).not.toHaveProperty("meta")
  })

  it("is the contract of this version, with the server's URL", () => {
    expect(document).toEqual({
      ...JSON.parse(JSON.stringify(openApiDocument())),
      webhooks: JSON.parse(JSON.stringify(webhookOperations("/"))),
      servers: [{ url: server.url }],
    })
  })

  it("describes every event of the specification as a webhook, by the schemas that the server's events are tested with", async () => {
    const chapter = new URL("../../../../docs/specification/08-events.md", import.meta.url)
    const text = await readFile(chapter, "utf8")
    const events = new Set(
      [...text.matchAll(/`((?:intent|visitor|company|page|segment|webhook)(?:\.[a-z]+)+)`/g)].map(
        ([, name]) => name,
      ),
    )

    expect(Object.keys(document.webhooks).toSorted()).toEqual([...events].toSorted())
    for (const [name, { post }] of Object.entries<Json>(document.webhooks)) {
      expect(post.requestBody.content["application/json"].schema, name).toEqual(
        JSON.parse(JSON.stringify(webhookEventSchemas[name as keyof typeof webhookEventSchemas])),
      )
      expect(post.summary, name).toEqual(expect.any(String))
      expect(Object.keys(post.responses), name).toContain("2XX")
    }
  })

  it("describes the list of visitors, with the API key and its parameters", () => {
    const list = document.paths["/v1/data"].get
    expect(list.parameters.map(({ name }: Json) => name).toSorted()).toEqual([
      "cursor",
      "domain",
      "email",
      "fields",
      "footfall-max-staleness",
      "from",
      "limit",
      "ownerId",
      "page",
      "pixelId",
      "q",
      "sort",
      "suppressed",
      "tag",
      "timeframe",
      "to",
    ])
    expect(list.security).toEqual([{ apiKey: [] }])
    expect(Object.keys(list.responses)).toEqual(
      expect.arrayContaining(["200", "400", "401", "403", "429"]),
    )
    expect(document.components.securitySchemes.apiKey).toMatchObject({
      type: "apiKey",
      in: "header",
      name: "x-api-key",
    })
  })

  it("has no broken reference", () => {
    const known = new Set(objects(document).map(([path]) => path))
    const references = objects(document).flatMap(([, { $ref }]) =>
      typeof $ref === "string" ? [$ref] : [],
    )

    expect(references.length).toBeGreaterThan(5)
    for (const reference of references) expect(known).toContain(reference)
  })

  it("has a unique id for every operation, and a description for every response and parameter", () => {
    const operations = Object.values<Json>(document.paths).flatMap((path) =>
      Object.values<Json>(path),
    )

    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length)
    for (const { operationId, parameters = [], responses } of operations) {
      for (const response of Object.values<Json>(responses)) {
        expect(response.description).toEqual(expect.any(String))
      }
      for (const parameter of parameters) {
        expect(parameter).toMatchObject({
          in: expect.stringMatching(/^(query|path|header)$/),
          schema: expect.any(Object),
        })
        expect(parameter.description, `${operationId} ${parameter.name}`).toMatch(/\.$/)
        // Generated clients look for it only here.
        expect(JSON.stringify(parameter.schema)).not.toContain('"description"')
      }
    }
  })
})

describe("descriptions of bodies and parameters", () => {
  const operations = (): ReadonlyArray<Json> =>
    Object.values<Json>(document.paths).flatMap((path) => Object.values<Json>(path))

  /** Every field of a schema with its path, including the schemas it refers to, each once. */
  const fieldsOf = (
    schema: Json,
    path: string,
    seen: Set<string>,
  ): ReadonlyArray<[string, Json]> => {
    const name: string | undefined = schema.$ref?.split("/").at(-1)
    if (name !== undefined) {
      if (seen.has(name)) return []
      seen.add(name)
      return fieldsOf(document.components.schemas[name], name, seen)
    }
    const own = Object.entries<Json>(schema.properties ?? {}).flatMap(([field, inner]) => [
      [`${path}.${field}`, inner] as [string, Json],
      ...fieldsOf(inner, `${path}.${field}`, seen),
    ])
    const inside = [schema.items, schema.additionalProperties, ...(schema.prefixItems ?? [])]
    const parts = [
      ...inside,
      ...(schema.anyOf ?? []),
      ...(schema.oneOf ?? []),
      ...(schema.allOf ?? []),
    ]
    return [
      ...own,
      ...parts
        .filter((part) => typeof part === "object")
        .flatMap((part) => fieldsOf(part, path, seen)),
    ]
  }

  it("are on every field of every body, where generators look for them", () => {
    const seen = new Set<string>()
    const fields = operations().flatMap(({ operationId, requestBody }) =>
      Object.values<Json>(requestBody?.content ?? {}).flatMap(({ schema }) =>
        fieldsOf(schema, operationId, seen),
      ),
    )

    expect(fields.length).toBeGreaterThan(150)
    for (const [path, { description }] of fields) expect(description, path).toMatch(/\.$/)
    // The library's own spelling.
    expect(JSON.stringify(document)).not.toContain('"allOf"')
  })

  it("of a number include its bounds, also if it travels as text", () => {
    const numbers = operations().flatMap(({ parameters = [] }) =>
      parameters.filter(({ name }: Json) => /^(limit|offset|page|pageSize)$/.test(name)),
    )

    expect(numbers.length).toBeGreaterThan(30)
    for (const { name, schema } of numbers) {
      expect(schema, name).toEqual({
        type: "integer",
        minimum: name === "offset" ? 0 : 1,
        maximum: expect.any(Number),
      })
    }
    const ofRules = document.paths["/v1/data/suppression-rules"].get.parameters
    expect(ofRules.find(({ name }: Json) => name === "limit").schema.maximum).toBe(5000)
    const [topic] = document.paths["/v1/intent/topics/{topicId}/trend"].get.parameters
    expect(topic).toMatchObject({ name: "topicId", schema: { type: "integer" } })
  })
})

it.each([
  ["/openapi-data.json", "/v1/data"],
  ["/openapi-intent.json", "/v1/intent"],
])("%s contains the operations under %s, and no schema they do not use", async (path, prefix) => {
  const part: Json = await (await fetch(server.url + path)).json()
  const wanted = Object.keys(document.paths).filter((each) => each.startsWith(prefix))

  expect(part.info).toEqual(document.info)
  expect(Object.keys(part.paths).toSorted()).toEqual(wanted.toSorted())
  for (const each of wanted) expect(part.paths[each]).toEqual(document.paths[each])
  const events = Object.keys(document.webhooks).filter(
    (name) => name.startsWith("intent.") === (prefix === "/v1/intent"),
  )
  expect(Object.keys(part.webhooks)).toEqual(events)
  const text = JSON.stringify(part)
  for (const name of Object.keys(part.components.schemas)) {
    expect(text).toContain(`"#/components/schemas/${name}"`)
  }
  const known = new Set(objects(part).map(([each]) => each))
  for (const [, { $ref }] of objects(part)) if ($ref !== undefined) expect(known).toContain($ref)
})
