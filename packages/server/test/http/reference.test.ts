// The reference (/docs and docs/reference/api.md): every operation has a text and examples, and the server accepts and
// returns every example.
import { Effect, Exit, Schema } from "effect"
import { Ajv2020 } from "ajv/dist/2020.js"
import formats from "ajv-formats"
import { describe, expect, it } from "vitest"
import { Api } from "../../src/app/api.ts"
import { fieldTexts } from "../../src/app/reference/describe-fields.ts"
import { operationTexts } from "../../src/app/reference/document.ts"
import { openApiDocument } from "../../src/app/reference/openapi.ts"

// The document is JSON of any form.
// oxlint-disable-next-line typescript/no-explicit-any
type Json = any

const document: Json = openApiDocument()
const operations: ReadonlyArray<Json> = Object.values<Json>(document.paths).flatMap((path) =>
  Object.values<Json>(path),
)
const byId = operations.map((operation) => [operation.operationId, operation] as const)

const ajv = new Ajv2020({ strict: false, allErrors: true })
formats.default(ajv)
ajv.addSchema({ $id: "document", components: document.components })
const problems = (schema: Json, value: unknown) => {
  const absolute = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/'))
  const validate = ajv.compile(absolute)
  return validate(value) ? [] : validate.errors
}

describe.each(byId)("%s", (id, operation) => {
  it("has a summary in the imperative, a description in sentences and one named tag", () => {
    expect(operation.summary).toMatch(/^[A-Z][A-Za-z' -]+$/)
    expect(operation.summary.length).toBeLessThan(40)
    expect(operation.description).toMatch(/\.$/)
    expect(operation.tags).toHaveLength(1)
    expect(document.tags).toContainEqual({
      name: operation.tags[0],
      description: expect.stringMatching(/\.$/),
    })
  })

  it("has examples of its body and of every success, which its schemas accept", () => {
    for (const { example, schema } of Object.values<Json>(operation.requestBody?.content ?? {})) {
      expect(example).toBeDefined()
      expect(problems(schema, example)).toEqual([])
    }
    const successes = Object.entries<Json>(operation.responses).filter(([status]) => +status < 400)
    expect(successes.length).toBeGreaterThan(0)
    for (const [status, { content }] of successes) {
      for (const { example, schema } of Object.values<Json>(content)) {
        expect(example, status).toBeDefined()
        expect(problems(schema, example), status).toEqual([])
      }
    }
    expect(Object.keys(operationTexts.get(id)!.responses)).toEqual(
      successes.map(([status]) => status),
    )
  })

  it("says why it fails in particular, and only for errors that it may return", () => {
    for (const [status, reason] of Object.entries(operationTexts.get(id)!.errors ?? {})) {
      expect(reason).not.toMatch(/\.$/)
      expect(operation.responses[status]?.description).toContain(`: ${reason}.`)
    }
  })

  it("has examples that the server decodes and encodes unchanged", async () => {
    const [group = "", name = ""] = id.split(".")
    const endpoint: Json = (Api.groups as Json)[group].endpoints[name]
    for (const [type, { schemas }] of endpoint.payload) {
      const example = operation.requestBody.content[type].example
      if (type === "application/json") expect(await readByOne(schemas, example)).toEqual(example)
    }
    for (const { content } of Object.values<Json>(operation.responses)) {
      const example = content?.["application/json"]?.example
      if (example !== undefined) expect(await readByOne(endpoint.success, example)).toEqual(example)
    }
  })
})

/** Decodes and encodes with the first schema that accepts it. With two statuses, both are tried. */
const readByOne = async (schemas: Iterable<Json>, example: unknown) => {
  const failures: Array<string> = []
  for (const schema of schemas) {
    const codec = Schema.toCodecJson(schema)
    const read = await Effect.runPromiseExit(
      Schema.decodeUnknownEffect(codec)(example, {
        onExcessProperty: "error",
      }) as Effect.Effect<unknown>,
    )
    if (Exit.isSuccess(read))
      return Effect.runPromise(
        Schema.encodeUnknownEffect(codec)(read.value) as Effect.Effect<unknown>,
      )
    failures.push(String(read.cause))
  }
  return failures
}

it("every text belongs to an operation", () => {
  expect([...operationTexts.keys()].toSorted()).toEqual(byId.map(([id]) => id).toSorted())
})

describe("fields", () => {
  /** Every field of a schema with its path; the items of a list have the path of the list. */
  const fieldsOf = (schema: Json, path = ""): ReadonlyArray<readonly [path: string, field: Json]> =>
    typeof schema !== "object" || schema === null
      ? []
      : [
          ...Object.entries<Json>(schema.properties ?? {}).flatMap(([name, field]) => [
            [`${path}${name}`, field] as const,
            ...fieldsOf(field, `${path}${name}.`),
          ]),
          ...[
            schema.items,
            ...["anyOf", "oneOf", "allOf"].flatMap((key) => schema[key] ?? []),
          ].flatMap((inner) => fieldsOf(inner, path)),
        ]
  const schemas = Object.entries<Json>(document.components.schemas)
  const inOperations = operations.flatMap(({ operationId, requestBody, responses }) =>
    [requestBody, ...Object.values<Json>(responses)].flatMap((body) =>
      Object.values<Json>(body?.content ?? {}).map(({ schema }) => [operationId, schema] as const),
    ),
  )

  it("all have a description, a sentence that ends", () => {
    const wrong = [...schemas, ...inOperations].flatMap(([name, schema]) =>
      fieldsOf(schema)
        .filter(([, { description }]) => !/^\S.*[.:!]$/.test(description ?? ""))
        .map(([path, { description }]) => `${name}.${path}: ${description}`),
    )

    expect(wrong).toEqual([])
  })

  it("and their schemas are described only if they exist", () => {
    const known = new Map(schemas.map(([name, schema]) => [name, fieldsOf(schema)]))
    const stale = Object.entries(fieldTexts).flatMap(([schema, texts]) =>
      Object.keys(texts)
        .filter((path) => {
          if (path === "") return !known.has(schema)
          const pattern = new RegExp(`^${path.replaceAll(".", "\\.").replaceAll("*", "[^.]+")}$`)
          return known.get(schema)?.some(([found]) => pattern.test(found)) !== true
        })
        .map((path) => `${schema}.${path}`),
    )

    expect(stale).toEqual([])
  })

  it("belong to schemas whose own texts are sentences that end", () => {
    const described = schemas.flatMap(([, { description }]) => description ?? [])

    expect(described.length).toBeGreaterThan(80)
    expect(described.filter((text) => !/^\S.*\.$/.test(text))).toEqual([])
  })
})

it("no text names an endpoint that does not exist", () => {
  const known = new Set(
    Object.keys(document.paths).map((path) => path.replaceAll(/\{\w+\}/g, "{}")),
  )
  const named = [...JSON.stringify(document).matchAll(/`(?:[A-Z]+ )?(\/v1\/[^`?]*)[^`]*`/g)]
  const texts = named.map(([, path]) => path!.replaceAll(/\{\w+\}/g, "{}"))

  expect(texts).not.toEqual([])
  expect(texts.filter((path) => !known.has(path))).toEqual([])
})

it("no example and no bound is a machine number's, and no description is a regular expression", () => {
  const text = JSON.stringify(document)
  expect(text).not.toContain(String(Number.MAX_SAFE_INTEGER))
  expect(text).not.toContain("Infinity")
  expect(text).not.toMatch(/"description":"[^"]*(\^\[|\\d|RegExp)/)
})
