// Every parameter of every operation in the contract, with values that programs stumble over: dates at the limits, NUL,
// lone surrogates, astral characters, huge numbers, names of built-in properties. No response is a 5xx, every error is
// in the envelope, and caches may store nothing of the API (spec 1.3, 1.4). Ten values per parameter; every value with
// FOOTFALL_SOAK. The choice is the same in every run.
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { openApiDocument } from "../../src/app/reference/openapi.ts"
import { cases, type Parts } from "../isolation/cases.ts"
import { type Operation, operations } from "../isolation/operations.ts"
import { Tenant } from "../isolation/world.ts"
import { startServer, type TestServer } from "../support/server.ts"

const valuesPerParameter = process.env["FOOTFALL_SOAK"] === undefined ? 5 : Infinity

let server: TestServer
let tenant: Tenant

beforeAll(async () => {
  // Connected accounts belong to a provider in this process.
  vi.stubEnv("ALLOW_PRIVATE_WEBHOOKS", "on")
  server = await startServer({ workers: false })
  tenant = await Tenant.make(server)
})
afterAll(() => server.close())

const texts = [
  "",
  " ",
  "\0",
  "a\0b",
  "\ud800",
  "a\udfffb",
  "😀",
  "\u{10ffff}",
  "e\u0301",
  "\ufffe\u200b",
  "constructor",
  "__proto__",
  "toString",
  "hasOwnProperty",
  "0000-01-01",
  "0001-01-01",
  "1969-12-31",
  "1970-01-01",
  "9999-12-31",
  "10000-01-01",
  "-000001-01-01",
  "2026-02-30",
  "-271821-04-20T00:00:00.000Z",
  "+275760-09-13T00:00:00.000Z",
  "9999-12-31T23:59:59.999Z",
  "1e3",
  "1e999",
  "-0",
  "0x10",
  "NaN",
  "-1",
  "0",
  "2147483647",
  "2147483648",
  "9007199254740993",
  "99999999999999999999",
  "%",
  "%00",
  "\\",
  "'",
  "https://host:0/",
  "http://[::1",
  "00000000-0000-0000-0000-000000000000",
  "f".repeat(64),
  "a@b.c",
  "ı@İ.example",
  "x".repeat(3_000),
  "😀".repeat(300),
]

/** Written as JSON. */
const others = [
  "null",
  "true",
  "0",
  "-1",
  "1.5",
  "1e999",
  "-1e999",
  "2147483648",
  "9007199254740993",
  "1e308",
  "5e-324",
  "[]",
  "[null]",
  "[[[[]]]]",
  "{}",
  '{"__proto__":1}',
  '{"constructor":{"prototype":{}}}',
  '["\\u0000"]',
  '{"\\ud800":1}',
]

/** A choice that looks random and is always the same. */
const chosen = <Value>(values: ReadonlyArray<Value>, name: string): ReadonlyArray<Value> => {
  let state = [...name].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) >>> 0, 7)
  const keyed = values.map((value) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return { key: state, value }
  })
  return keyed
    .toSorted((a, b) => a.key - b.key)
    .slice(0, valuesPerParameter)
    .map(({ value }) => value)
}

interface Node {
  readonly $ref?: string
  readonly properties?: Readonly<Record<string, Node>>
  readonly items?: Node
  readonly anyOf?: ReadonlyArray<Node>
  readonly allOf?: ReadonlyArray<Node>
}

interface Described {
  readonly operationId: string
  readonly parameters?: ReadonlyArray<{ readonly in: string; readonly name: string }>
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Node }>> }
}

const document = openApiDocument() as unknown as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Node>> }
}

/** The paths of every field of a body, at most four keys deep. */
const fieldsOf = (node: Node, path: ReadonlyArray<string> = []): ReadonlyArray<string> => {
  if (path.length > 4) return []
  if (node.$ref !== undefined) {
    const found = document.components.schemas[node.$ref.slice(node.$ref.lastIndexOf("/") + 1)]
    return found === undefined ? [] : fieldsOf(found, path)
  }
  return [
    ...(path.length === 0 ? [] : [path.join("/")]),
    ...Object.entries(node.properties ?? {}).flatMap(([name, inner]) =>
      fieldsOf(inner, [...path, name]),
    ),
    ...(node.items === undefined ? [] : fieldsOf(node.items, [...path, "0"])),
    ...[...(node.anyOf ?? []), ...(node.allOf ?? [])].flatMap((inner) => fieldsOf(inner, path)),
  ]
}

const describedOf = new Map(
  Object.values(document.paths).flatMap((methods) =>
    Object.values(methods).map((described) => [described.operationId, described] as const),
  ),
)

const rows = operations().map((operation) => {
  const { parameters = [], requestBody } = describedOf.get(operation.name)!
  const schema = requestBody?.content["application/json"]?.schema
  return {
    operation,
    name: `${operation.method} ${operation.path}`,
    parameters: parameters.map((one) => ({ place: one.in, name: one.name })),
    fields: schema === undefined ? [] : [...new Set(fieldsOf(schema))],
    hasBody: schema !== undefined,
  }
})

/** A request that succeeds, if the isolation tests have one. */
const goodOf = async (operation: Operation): Promise<Parts> => {
  const [name] = operation.objectParameters
  const known = name === undefined ? undefined : cases[`${operation.name} ${name}`]
  return known === undefined ? {} : await known.good(tenant)
}

type Json = Readonly<Record<string, unknown>>

const mark = "the value that is put here"

const withAt = (object: unknown, [key, ...rest]: ReadonlyArray<string>): unknown => {
  if (key === undefined) return mark
  if (key === "0") return [withAt(Array.isArray(object) ? object[0] : undefined, rest)]
  const members = typeof object === "object" && object !== null ? (object as Json) : {}
  return { ...members, [key]: withAt(members[key], rest) }
}

const headersOf = ({ credentials }: Operation): Record<string, string> => ({
  ...(credentials.includes("apiKey") ? { "x-api-key": tenant.organization.apiKey } : {}),
  ...(credentials.length === 1 && credentials[0] === "bearer"
    ? { authorization: `Bearer ${tenant.owner.accessToken}` }
    : {}),
})

const addressOf = ({ path }: Operation, parts: Parts) => {
  const filled = path.replaceAll(/\{([^}]+)\}/g, (_, name: string) =>
    encoded(parts.path?.[name] ?? "00000000-0000-4000-8000-000000000000"),
  )
  const query = Object.entries(parts.query ?? {}).map(
    ([name, value]) => `${encoded(name)}=${encoded(value)}`,
  )
  return filled + (query.length === 0 ? "" : `?${query.join("&")}`)
}

/** Encodes a lone surrogate as a careless program would. Leaves existing escapes. */
const encoded = (text: string): string =>
  [...text]
    .map((point) => (point.isWellFormed() ? encodeURIComponent(point) : "%ED%A0%80"))
    .join("")

const ask = async (
  operation: Operation,
  parts: Parts,
  body: string | undefined,
  headers: Readonly<Record<string, string>> = {},
) => {
  const response = await fetch(server.url + addressOf(operation, parts), {
    method: operation.method,
    redirect: "manual",
    headers: {
      ...headersOf(operation),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
  })
  const text = await response.text()
  const described = `${operation.method} ${addressOf(operation, parts).slice(0, 300)} ${body?.slice(0, 300) ?? ""}: ${response.status} ${text.slice(0, 500)}`
  if (response.status >= 500) return described
  if (response.status >= 400) {
    const { error, meta } = JSON.parse(text) as {
      readonly error?: { readonly code?: string; readonly message?: string }
      readonly meta?: { readonly request_id?: string }
    }
    if (!error?.code || !error.message || !meta?.request_id) return `no envelope: ${described}`
  }
  const kept = response.headers.get("cache-control")
  const isPublic =
    operation.credentials.length === 0 || operation.path.startsWith("/v1/intent/topics")
  return kept === null || (!isPublic && !/no-store|private/.test(kept))
    ? `kept: ${kept} ${described}`
    : undefined
}

describe("no parameter, whatever its value, is a 5xx", () => {
  it.each(rows)(
    "$name",
    async ({ fields, hasBody, operation, parameters }) => {
      const good = await goodOf(operation)
      const goodBody = hasBody ? JSON.stringify(good.body ?? {}) : undefined
      const faults: Array<string | undefined> = []
      const askAll = async (requests: ReadonlyArray<() => Promise<string | undefined>>) => {
        faults.push(...(await Promise.all(requests.map((request) => request()))))
      }
      for (const { name, place } of parameters) {
        const values = chosen(texts, `${operation.name} ${name}`)
        if (place === "header") {
          // Values that a header can contain.
          const possible = values.filter((value) => /^[\t\x20-\x7e\x80-\xff]*$/.test(value))
          await askAll(
            possible.map((value) => () => ask(operation, good, goodBody, { [name]: value })),
          )
          continue
        }
        const key = place as "path" | "query"
        // With an empty segment, it would be another path.
        const possible = values.filter((value) => key === "query" || value.trim() !== "")
        await askAll(
          possible.map(
            (value) => () =>
              ask(operation, { ...good, [key]: { ...good[key], [name]: value } }, goodBody),
          ),
        )
      }
      for (const field of fields) {
        const template = JSON.stringify(withAt(good.body, field.split("/")))
        const values = [...texts.map((text) => JSON.stringify(text)), ...others]
        await askAll(
          chosen(values, `${operation.name} ${field}`).map(
            (value) => () =>
              ask(
                operation,
                good,
                template.replace(JSON.stringify(mark), () => value),
              ),
          ),
        )
      }
      expect(faults.filter((fault) => fault !== undefined)).toEqual([])
    },
    120_000,
  )
})
