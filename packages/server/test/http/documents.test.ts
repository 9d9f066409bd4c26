// /openapi.json and /docs (decisions.md 5.15): the contract, served by the server it describes.
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startServer, type TestServer } from "../support/server.ts"

let server: TestServer
let document: Json
beforeAll(async () => {
  server = await startServer({ workers: false })
  document = await (await fetch(`${server.url}/openapi.json`)).json()
})
afterAll(() => server.close())

// The document is walked as what it is, JSON of any form; the assertions check it.
// oxlint-disable-next-line typescript/no-explicit-any
type Json = any

/** Every object of the document with its path. */
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
    expect(document).not.toHaveProperty("data")
    expect(document).not.toHaveProperty("meta")
  })

  it("describes the list of visitors, under the API key, with its parameters", () => {
    const list = document.paths["/v1/data"].get
    expect(list.parameters.map(({ name }: Json) => name).toSorted()).toEqual([
      "cursor",
      "domain",
      "email",
      "page",
      "pixelId",
      "suppressed",
      "timeframe",
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

  it("every reference leads somewhere", () => {
    const known = new Set(objects(document).map(([path]) => path))
    const references = objects(document).flatMap(([, { $ref }]) =>
      typeof $ref === "string" ? [$ref] : [],
    )

    expect(references.length).toBeGreaterThan(5)
    for (const reference of references) expect(known).toContain(reference)
  })

  it("every operation has an id of its own, every response and parameter a description", () => {
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
        // The one place where generated clients look for it.
        expect(JSON.stringify(parameter.schema)).not.toContain('"description"')
      }
    }
  })
})

it.each([
  ["/openapi-data.json", "/v1/data"],
  ["/openapi-intent.json", "/v1/intent"],
])("%s holds the operations under %s, and no schema they do not name", async (path, prefix) => {
  const part: Json = await (await fetch(server.url + path)).json()
  const wanted = Object.keys(document.paths).filter((each) => each.startsWith(prefix))

  expect(part.info).toEqual(document.info)
  expect(Object.keys(part.paths).toSorted()).toEqual(wanted.toSorted())
  for (const each of wanted) expect(part.paths[each]).toEqual(document.paths[each])
  const text = JSON.stringify(part)
  for (const name of Object.keys(part.components.schemas)) {
    expect(text).toContain(`"#/components/schemas/${name}"`)
  }
  const known = new Set(objects(part).map(([each]) => each))
  for (const [, { $ref }] of objects(part)) if ($ref !== undefined) expect(known).toContain($ref)
})

it("/docs is a page", async () => {
  const response = await fetch(`${server.url}/docs`)

  expect(response.status).toBe(200)
  expect(response.headers.get("content-type")).toMatch(/^text\/html/)
  expect(await response.text()).toMatch(/^\s*<!doctype html>/i)
})
