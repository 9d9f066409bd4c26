// `footfall api`: what it sends and prints, and that credentials go to no other server.

import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { temporaryFolder } from "../../../scripts/test-run/temporary-folder.ts"
import { FakeApi } from "./fixtures/fake-api.ts"
import { footfall } from "./fixtures/footfall.ts"
import { apiKey } from "./fixtures/records.ts"

let api: FakeApi
let other: FakeApi

beforeAll(async () => {
  api = await FakeApi.start()
  other = await FakeApi.start()
})

afterAll(async () => {
  await api[Symbol.asyncDispose]()
  await other[Symbol.asyncDispose]()
})

beforeEach(() => {
  api.requests.length = 0
  api.answer = null
})

const run = (words: ReadonlyArray<string>, input = "") =>
  footfall(["api", ...words], {
    environment: {
      FOOTFALL_BASE_URL: api.baseUrl,
      FOOTFALL_API_KEY: apiKey,
      FOOTFALL_ACCESS_TOKEN: "header.claims.signature",
    },
    input,
  })

const echo = (): void => {
  api.on("POST /v1/echo", ({ body, headers }) => ({
    data: { body: body === "" ? null : JSON.parse(body), headers },
  }))
}

test("prints the whole response, and sends the key", async () => {
  api.on("GET /v1/data/account", () => ({ data: { id: 1 } }))

  const { exitCode, stdout } = await run(["get", "v1/data/account"])

  expect(JSON.parse(stdout)).toMatchObject({ data: { id: 1 }, meta: {} })
  expect(api.requests[0]?.headers["x-api-key"]).toBe(apiKey)
  expect(exitCode).toBe(0)
})

test("--signed-in sends the session's token instead of the key", async () => {
  await run(["GET", "/v1/data/account", "--signed-in"])

  expect(api.requests[0]?.headers).not.toHaveProperty("x-api-key")
  expect(api.requests[0]?.headers.authorization).toBe("Bearer header.claims.signature")
})

describe("the body", () => {
  const file = join(temporaryFolder("cli"), "body.json")
  writeFileSync(file, '{"a":[1]}')

  test.each([
    ["JSON", ["--data", '{"a":[1]}'], ""],
    ["a file", ["--data", `@${file}`], ""],
    ["standard input", ["--data", "-"], '{"a":[1]}'],
    ["fields", ["--field", "a=[1]"], ""],
  ])("can be given as %s", async (_as, words, input) => {
    echo()

    const { stdout } = await run(["POST", "/v1/echo", ...words], input)

    expect(JSON.parse(stdout).data.body).toEqual({ a: [1] })
  })

  test("sends a field as JSON if it is valid JSON, else as text, whatever its name", async () => {
    echo()

    const { stdout } = await run([
      ...["POST", "/v1/echo"],
      ...[
        "n=3",
        "yes=true",
        "name=Main site",
        "zip=02134",
        'text="3"',
        "a=b=c",
        "__proto__=x",
      ].flatMap((given) => ["--field", given]),
    ])

    expect(stdout).toContain('"__proto__": "x"')
    expect(JSON.parse(stdout).data.body).toMatchObject({
      n: 3,
      yes: true,
      name: "Main site",
      zip: "02134",
      text: "3",
      a: "b=c",
    })
  })

  test("is never sent with a GET: fields become the query", async () => {
    await run(["GET", "/v1/data?page=2", "--field", "timeframe=30d", "--field", "limit=5"])

    expect(api.requests[0]?.url.search).toBe("?page=2&timeframe=30d&limit=5")
  })
})

test("a header is added", async () => {
  echo()

  const { stdout } = await run(["POST", "/v1/echo", "--header", "Idempotency-Key: monday"])

  expect(JSON.parse(stdout).data.headers["idempotency-key"]).toBe("monday")
})

test.each([
  ["the credentials", "Authorization: Bearer x"],
  ["the key", "x-api-key: sk_x"],
  ["a line break", "X-Test: a\r\nX-Api-Key: b"],
  ["no name", "no colon"],
])("a header with %s is a usage error", async (_what, line) => {
  const { exitCode, stderr } = await run(["GET", "/v1/data", "--header", line])

  expect(stderr).toContain("Invalid --header")
  expect(exitCode).toBe(2)
  expect(api.requests).toEqual([])
})

describe("credentials go to no other server", () => {
  const refused = async (path: string): Promise<void> => {
    const { exitCode } = await run(["GET", path])

    expect(exitCode).toBe(2)
    expect(api.requests).toEqual([])
    expect(other.requests).toEqual([])
  }

  test("not by an absolute URL", () => refused(`${other.baseUrl}/v1/data`))
  test("not by a user name before the host", () =>
    refused(`${api.baseUrl}@${new URL(other.baseUrl).host}/v1/data`))
  test("not by another scheme", () => refused("javascript:alert(1)"))

  test.each([
    (host: string) => `@${host}/v1`,
    (host: string) => `//${host}/v1`,
    (host: string) => `\\\\${host}\\v1`,
    (host: string) => `.${host}/v1`,
  ])("a path that looks like another host is sent as a path (%#)", async (path) => {
    await run(["GET", path(new URL(other.baseUrl).host)])

    expect(api.requests).toHaveLength(1)
    expect(other.requests).toEqual([])
  })

  test("an absolute URL of the server itself is accepted", async () => {
    await run(["GET", `${api.baseUrl}/v1/data/pixels?a=b`])

    expect(api.requests[0]?.url.href).toBe(`${api.baseUrl}/v1/data/pixels?a=b`)
  })

  test("a redirect is not followed", async () => {
    api.answer = (_request, response) => {
      response.writeHead(307, { location: `${other.baseUrl}/v1/data` }).end()
    }

    const { exitCode, stderr } = await run(["GET", "/v1/data"])

    expect(stderr).toContain("a redirect, which is not followed")
    expect(exitCode).toBe(1)
    expect(other.requests).toEqual([])
  })

  test("a path stays below the path of the server's URL", async () => {
    const { exitCode } = await run(["GET", "/../other", "--base-url", `${api.baseUrl}/footfall`])

    expect(exitCode).toBe(2)
    expect(api.requests).toEqual([])
  })
})

describe("--paginate", () => {
  beforeEach(() => {
    api.visitorsTotal = 120
  })

  test("prints the rows of every page as one array", async () => {
    const { stdout } = await run(["GET", "/v1/data?page=1", "--paginate"])

    expect(JSON.parse(stdout)).toHaveLength(120)
    expect(api.requests.map(({ url }) => url.search)).toEqual(["?page=1", "?cursor=2", "?cursor=3"])
  })

  test("prints one row per line with --output ndjson", async () => {
    const { stdout } = await run(["GET", "/v1/data", "--paginate", "-o", "ndjson"])

    const rows = stdout.trimEnd().split("\n")
    expect(rows).toHaveLength(120)
    expect(JSON.parse(rows[119] ?? "")).toHaveProperty("emailHash")
  })

  test("prints an empty array if there are no rows", async () => {
    api.visitorsTotal = 0

    expect((await run(["GET", "/v1/data", "--paginate"])).stdout).toBe("[]\n")
  })

  test("exits with 1 if the response is not a list", async () => {
    api.on("GET /v1/data/account", () => ({ data: { id: 1 } }))

    const { exitCode, stderr } = await run(["GET", "/v1/data/account", "--paginate"])

    expect(stderr).toContain("NOT_A_LIST")
    expect(exitCode).toBe(1)
  })

  test("stops if a server returns the same cursor again", async () => {
    api.on("GET /v1/data/same", () => ({
      data: [{ id: 1 }],
      meta: { hasMore: true, nextCursor: "same" },
    }))

    const { stdout } = await run(["GET", "/v1/data/same", "--paginate"])

    expect(JSON.parse(stdout)).toEqual([{ id: 1 }, { id: 1 }])
  })
})

test("an error from the server exits with the same code as in every command", async () => {
  api.on("GET /v1/data/nothing", () => ({
    status: 404,
    error: { code: "NOT_FOUND", message: "Not found." },
  }))

  const { exitCode, stderr, stdout } = await run(["GET", "/v1/data/nothing"])

  expect(JSON.parse(stderr).error.code).toBe("NOT_FOUND")
  expect(stdout).toBe("")
  expect(exitCode).toBe(5)
})

test("a response that is not in the API's format is printed unchanged", async () => {
  api.answer = (_request, response) => {
    response.writeHead(200, { "content-type": "text/plain" }).end("footfall_up 1\n")
  }

  const { exitCode, stdout } = await run(["GET", "/metrics"])

  expect(stdout).toBe("footfall_up 1\n")
  expect(exitCode).toBe(0)
})

test.each([
  [["GET", "/v1/data", "--data", "{}"], "A GET has no body."],
  [["POST", "/v1/data", "--data", "{"], "The body is not JSON"],
  [["POST", "/v1/data", "--data", "@/nowhere.json"], "File not found: /nowhere.json"],
  [["POST", "/v1/data", "--paginate"], "--paginate is only for GET."],
  [["FETCH", "/v1/data"], "Use one of: GET, POST, PUT, PATCH, DELETE."],
  [["GET", "/v1/data", "--field", "=1"], "Expected name=value"],
  [["GET", "/v1/data", "-o", "csv"], "footfall api prints json or ndjson, not csv."],
])("`footfall api %j` is a usage error", async (words, message) => {
  const { exitCode, stderr } = await run(words)

  expect(stderr).toContain(message)
  expect(exitCode).toBe(2)
  expect(api.requests).toEqual([])
})

test("a slow server is reported, unless --quiet is given", async () => {
  const environment = { FOOTFALL_BASE_URL: api.baseUrl, FOOTFALL_API_KEY: apiKey }
  const held = Promise.withResolvers<void>()
  api.answer = async (seen, response) => {
    await held.promise
    api.answerAsUsual(seen, response)
  }
  const quiet = footfall(["account", "--quiet"], { environment })
  const said = footfall(["account"], { environment, onStderr: () => held.resolve() })

  expect((await said).stderr).toContain("Still waiting for the server")
  expect((await quiet).stderr).toBe("")
})
