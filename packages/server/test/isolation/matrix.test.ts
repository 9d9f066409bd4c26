// Isolation of organizations, as a matrix over the contract: every operation, every parameter that identifies an
// object, an id of another organization, one never issued and one deleted, and every kind of credentials. The responses
// are the same byte for byte except for request id and time, and nothing changes in the database (spec 1.4).
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { startServer, type TestServer } from "../support/server.ts"
import { type Absent, cases, noObjects, type Parts } from "./cases.ts"
import { type Operation, operations } from "./operations.ts"
import { type Answer, send, Tenant } from "./world.ts"

let server: TestServer
let ours: Tenant
let theirs: Tenant
let tables: ReadonlyArray<string>

beforeAll(async () => {
  // Connected accounts belong to a provider in this process.
  vi.stubEnv("ALLOW_PRIVATE_WEBHOOKS", "on")
  // Only alerts by email need it, and none is sent.
  server = await startServer({ workers: false, smtpUrl: "smtp://127.0.0.1:1" })
  ours = await Tenant.make(server)
  theirs = await Tenant.make(server)
  tables = await tablesOfOrganizations()
})
afterAll(() => server.close())

it("every parameter of the contract that identifies an object is in the table, and no other", () => {
  const named = operations().flatMap(({ name, objectParameters }) =>
    objectParameters.map((parameter) => `${name} ${parameter}`),
  )

  expect([...Object.keys(cases), ...Object.keys(noObjects)].toSorted()).toEqual(named.toSorted())
})

const rows = operations().flatMap((operation) =>
  operation.objectParameters.flatMap((parameter) => {
    const isolated = cases[`${operation.name} ${parameter}`]
    const kinds = operation.credentials.length === 0 ? (["none"] as const) : operation.credentials
    return isolated === undefined
      ? []
      : kinds.map((credentials) => ({ operation, parameter, credentials, isolated }))
  }),
)

describe("an object that does not exist for the caller", () => {
  it.each(rows)(
    "$operation.name $parameter with $credentials: $isolated.answer",
    async ({ credentials, isolated, operation, parameter }) => {
      const absent = Object.values<string>({ ...(await isolated.absent(ours, theirs)) } as Absent &
        Record<string, string>)
      const requests = await Promise.all(
        absent.map(async (id) => withId(await isolated.good(ours), parameter, id)),
      )
      const before = await content()
      const answers: Array<Answer> = []
      for (const parts of requests) answers.push(await ask(operation, parts, credentials))
      const after = await content()
      const control = await ask(operation, await isolated.good(ours), credentials)

      expect(new Set(answers.map((answer, place) => comparable(answer, absent[place]!))).size).toBe(
        1,
      )
      expect(answers[0]).toMatchObject(expected[isolated.answer])
      expect(after).toEqual(before)
      // The request is valid except for the id.
      expect(control.status).toBeLessThan(300)
    },
  )
})

const expected = {
  not_found: {
    status: 404,
    body: {
      error: {
        code: "NOT_FOUND",
        message: expect.stringMatching(/^(Not found|No (visitor|company) found for .+)\.$/),
      },
    },
  },
  scope: {
    status: 400,
    body: { error: { code: "INVALID_CURSOR", details: { reason: "scope" } } },
  },
  unauthorized: { status: 401, body: { error: { code: "AUTHENTICATION_ERROR" } } },
  unknown_segment: {
    status: 400,
    body: {
      error: { code: "VALIDATION_ERROR", details: { issues: [{ code: "unknown_segment" }] } },
    },
  },
  unknown_member: {
    status: 400,
    body: {
      error: { code: "VALIDATION_ERROR", details: { issues: [{ code: "unknown_member" }] } },
    },
  },
  nothing: { status: 200 },
} as const

const ask = (operation: Operation, parts: Parts, credentials: "apiKey" | "bearer" | "none") => {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(parts.path?.[name] ?? ""),
  )
  const query = new URLSearchParams(parts.query).toString()
  return send(server)({
    method: operation.method,
    path: query === "" ? path : `${path}?${query}`,
    ...(parts.body === undefined ? {} : { body: parts.body }),
    ...(parts.file === undefined ? {} : { file: parts.file }),
    ...(credentials === "apiKey" ? { apiKey: ours.organization.apiKey } : {}),
    ...(credentials === "bearer" ? { token: ours.owner.accessToken } : {}),
  })
}

/** The request with another id. A plural parameter gets a list. */
const withId = (good: Parts, parameter: string, id: string): Parts => {
  const [place = "", name = ""] = parameter.split(":")
  const value = name.endsWith("s") ? [id] : id
  return { ...good, [place]: { ...good[place as Exclude<keyof Parts, "file">], [name]: value } }
}

/** A response without the parts that may differ: the requested id, request id and times. */
const comparable = ({ body, status }: Answer, id: string): string =>
  JSON.stringify({ status, body })
    .replaceAll(id, "…")
    .replaceAll(/req_[0-9a-z]{26}|\d{4}-\d\d-\d\dT[\d:.]+Z/g, "…")

const tablesOfOrganizations = async () => {
  const found = await server.sql(
    `select table_name as name from information_schema.columns
     where table_schema = 'public' and column_name = 'organization_id' order by 1`,
  )
  // A key records when it was last used, a suppression list when it was last locked for a write (counted as a
  // milestone).
  const noted = new Set(["api_key", "suppression_list"])
  return found.map(({ name }) => String(name)).filter((name) => !noted.has(name))
}

/** A digest of every row of every organization, per table. */
const content = async () =>
  Promise.all(
    tables.map(async (table) => {
      const counted = table === "list_version" ? "where list <> 'suppression_list'" : ""
      const [row] = await server.sql(
        `select md5(coalesce(string_agg(t::text, ' ' order by t::text), '')) as digest from "${table}" t ${counted}`,
      )
      return [table, row?.["digest"]]
    }),
  )
