// Dates at the ends of what a request may name: every operation answers them, or refuses them with 400 (spec 1.5.2).
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startServer, type TestServer, type TestUser } from "../support/server.ts"

const dates = [
  "9999-12-31",
  "9999-01-01",
  "0001-01-01",
  "0000-01-01",
  "0000-12-31",
  "1969-12-31",
  "1970-01-01",
  "2024-02-29",
  "2023-02-29",
  "-271821-04-20",
  "+275760-09-13",
  "10000-01-01",
]
const times = [
  ...dates.map((date) => `${date}T00:00:00Z`),
  "9999-12-31T23:59:59.999Z",
  "9999-12-31T23:59:59-23:59",
  "0001-01-01T00:00:00+23:59",
  "0000-01-01T00:00:00+23:59",
  "2016-12-31T23:59:60Z",
]
const frames = ["24h", "7d", "14d", "30d", "90d", "all", "99999999d", "-1d", "1e9d"]

let server: TestServer
let admin: TestUser
let operations: ReadonlyArray<Operation>
beforeAll(async () => {
  server = await startServer({ workers: false })
  admin = await server.makeUser("admin")
  operations = await readOperations()
})
afterAll(() => server.close())

interface Operation {
  readonly id: string
  readonly path: string
  /** Query parameters that take a date, a time or a timeframe. */
  readonly dated: ReadonlyArray<string>
  /** Its required query parameters, so that it answers at all. */
  readonly required: Readonly<Record<string, string>>
}

interface QueryParameter {
  readonly in: string
  readonly name: string
  readonly required?: boolean
  readonly schema?: { readonly enum?: ReadonlyArray<string> }
}

interface Document {
  readonly paths: Record<
    string,
    Record<
      string,
      {
        readonly operationId: string
        readonly parameters?: ReadonlyArray<QueryParameter>
      }
    >
  >
}

const datedNames = new Set(["from", "to", "timeframe", "since", "until", "date", "at"])

const readOperations = async (): Promise<ReadonlyArray<Operation>> => {
  const document = (await (await fetch(`${server.url}/openapi.json`)).json()) as Document
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    methods["get"] === undefined
      ? []
      : [
          {
            id: methods["get"].operationId,
            path: path.replaceAll(/\{[^}]*\}/g, (parameter) =>
              parameter === "{topicId}"
                ? "1204"
                : parameter === "{domain}"
                  ? "a.example"
                  : server.pixelId,
            ),
            dated: (methods["get"].parameters ?? [])
              .filter((parameter) => parameter.in === "query" && datedNames.has(parameter.name))
              .map(({ name }) => name),
            required: Object.fromEntries(
              (methods["get"].parameters ?? [])
                .filter((parameter) => parameter.in === "query" && parameter.required === true)
                .map(({ name, schema }) => [name, schema?.enum?.[0] ?? "1"]),
            ),
          },
        ],
  )
}

/** Asks with the key, or where the operation takes none, as the admin. */
const ask = async (path: string, body?: unknown) => {
  const init = {
    method: body === undefined ? "GET" : "POST",
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }
  const type = { "content-type": "application/json" }
  const first = await fetch(server.url + path, {
    ...init,
    headers: { "x-api-key": server.apiKey, ...type },
  })
  if (first.status !== 401 && first.status !== 403) return first
  return fetch(server.url + path, {
    ...init,
    headers: { authorization: `Bearer ${admin.accessToken}`, ...type },
  })
}

const failed = async (path: string, body?: unknown): Promise<ReadonlyArray<string>> => {
  const { status } = await ask(path, body)
  return status >= 200 && status < 500 && status !== 401
    ? []
    : [`${status} ${path} ${JSON.stringify(body)}`]
}

describe("a date at the end of its range", () => {
  it("is answered or refused by every operation with such a parameter, alone and with each other one", async () => {
    const dated = operations.filter((operation) => operation.dated.length > 0)
    const faults: Array<string> = []
    for (const { dated: names, path, required } of dated) {
      const values = [...dates, ...times, ...frames]
      for (const name of names) {
        for (const value of values) {
          faults.push(
            ...(await failed(`${path}?${new URLSearchParams({ ...required, [name]: value })}`)),
          )
        }
      }
      if (!names.includes("from") || !names.includes("to")) continue
      for (const from of dates) {
        for (const to of dates) {
          faults.push(
            ...(await failed(`${path}?${new URLSearchParams({ ...required, from, to })}`)),
          )
        }
      }
    }

    expect(dated.map(({ id }) => id).toSorted()).toMatchInlineSnapshot(`
      [
        "auditLog.list",
        "companies.activity",
        "companies.get",
        "companies.list",
        "overview.breakdown",
        "overview.get",
        "sessions.list",
        "topicTrends.trend",
        "visitors.list",
      ]
    `)
    expect(dated.filter(({ required }) => "by" in required).map(({ id }) => id)).toEqual([
      "overview.breakdown",
    ])
    expect(faults).toEqual([])
  })

  it.each(["timing.first_seen_at", "timing.last_seen_at"])(
    "is accepted in a rule from year 0 on, or refused: %s",
    async (field) => {
      const answers = new Map<string, number>()
      for (const value of [...dates, ...times]) {
        for (const op of ["before", "after"]) {
          const ruleAst = { version: 1, window: "all", rule: { field, op, value } }
          answers.set(value, (await ask("/v1/data/query", { ruleAst })).status)
        }
      }

      const accepted = [...answers].flatMap(([value, status]) => (status === 200 ? [value] : []))
      expect(accepted).toEqual([
        "9999-12-31",
        "9999-01-01",
        "0001-01-01",
        "0000-01-01",
        "0000-12-31",
        "1969-12-31",
        "1970-01-01",
        "2024-02-29",
        "9999-12-31T00:00:00Z",
        "9999-01-01T00:00:00Z",
        "0001-01-01T00:00:00Z",
        "0000-01-01T00:00:00Z",
        "0000-12-31T00:00:00Z",
        "1969-12-31T00:00:00Z",
        "1970-01-01T00:00:00Z",
        "2024-02-29T00:00:00Z",
        "9999-12-31T23:59:59.999Z",
        "9999-12-31T23:59:59-23:59",
        "0001-01-01T00:00:00+23:59",
        "0000-01-01T00:00:00+23:59",
      ])
      expect([...new Set(answers.values())].toSorted()).toEqual([200, 400])
    },
  )

  it("is accepted or refused as the expiry of an API key", async () => {
    const faults: Array<string> = []
    for (const value of [...dates, ...times]) {
      faults.push(...(await failed("/v1/api-keys", { name: "Ends", expiresAt: value })))
    }

    expect(faults).toEqual([])
  })
})
