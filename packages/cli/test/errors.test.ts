// Every exit code of spec 1.1 that this part of the CLI uses, and both forms of an error: a document in JSON mode,
// sentences for people. Keys are never printed.

import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { commandMeant, phrases } from "../src/errors/other-words.ts"
import { wholeProgram } from "../src/program.ts"
import { FakeApi, sendError } from "./fixtures/fake-api.ts"
import { footfall } from "./fixtures/footfall.ts"
import { apiKey } from "./fixtures/records.ts"
import { thisTerminal } from "./fixtures/this-terminal.ts"

let api: FakeApi
let environment: NodeJS.ProcessEnv

beforeEach(async () => {
  api = await FakeApi.start()
  environment = { FOOTFALL_BASE_URL: api.baseUrl, FOOTFALL_API_KEY: apiKey }
})

afterEach(() => api[Symbol.asyncDispose]())

test.each([
  [400, "VALIDATION_ERROR", 1],
  [401, "AUTHENTICATION_ERROR", 4],
  [403, "ORGANIZATION_INACTIVE", 4],
  [404, "NOT_FOUND", 5],
  [409, "CONFLICT", 6],
  [422, "SITE_UNREADABLE", 1],
  [422, "QUERY_TOO_SLOW", 1],
  [500, "INTERNAL_ERROR", 1],
])("response %i %s exits with %i and prints the document of spec 1.1", async (...row) => {
  const [status, code, exitCodeExpected] = row
  api.answer = (_request, response) => sendError(response, status, { code, message: "No." })

  const { exitCode, stdout, stderr } = await footfall(["visitors", "list"], { environment })

  const { error } = JSON.parse(stderr)
  expect(error).toMatchObject({ code, status, requestId: "req_0123456789abcdefghijklmnop" })
  expect(Object.keys(error)).toEqual(["code", "message", "status", "requestId"])
  expect(stdout).toBe("")
  expect(exitCode).toBe(exitCodeExpected)
})

test("an error is printed as sentences when the output is a table", async () => {
  api.answer = (_request, response) =>
    sendError(response, 401, { code: "AUTHENTICATION_ERROR", message: "Unknown key." })

  const words = ["visitors", "list", "--output", "table"]
  const { stderr } = await footfall(words, { environment })

  expect(stderr).toBe(
    "error: Unknown key.\n" +
      "To use another key: footfall profiles update <name>, or FOOTFALL_API_KEY.\n" +
      "Request id: req_0123456789abcdefghijklmnop\n",
  )
})

test("a missing visitor leads to a wider search", async () => {
  api.answer = (_request, response) =>
    sendError(response, 404, { code: "NOT_FOUND", message: "Not found." })

  const words = ["visitors", "get", "nobody@acme.example"]
  const { stderr, exitCode } = await footfall(words, { environment })

  expect(JSON.parse(stderr).error.message).toContain("Run: footfall visitors list --all")
  expect(exitCode).toBe(5)
})

test.each([
  [
    '/body/filters/seniority/0 Expected one of owner, vp, received "vpp".',
    ["--topic", "1204", "--seniority", "vpp"],
    'Invalid --seniority "vpp". Use one of: owner, vp. Run: footfall audiences preview --help',
  ],
  [
    "/body/url Expected an address.",
    ["--topic", "1204"],
    "Invalid url: expected an address. Run: footfall audiences preview --help",
  ],
])("an issue %j names the option or the field", async (issue, words, expected) => {
  api.answer = (_request, response) =>
    sendError(response, 400, {
      code: "VALIDATION_ERROR",
      message: `Invalid request: ${issue}`,
    })

  const { stderr } = await footfall(["audiences", "preview", ...words], { environment })

  expect(JSON.parse(stderr).error.message).toBe(expected)
})

test("an issue that is already in the message is not repeated", async () => {
  const issues = [{ path: "/query/domain", code: "format", message: "Expected a host name." }]
  const message = "Invalid request: /query/domain Expected a host name."
  api.answer = (_request, response) =>
    sendError(response, 400, { code: "VALIDATION_ERROR", message, details: { issues } })

  const { stderr } = await footfall(["visitors", "list"], { environment })

  expect(JSON.parse(stderr).error.message.split("a host name.")).toHaveLength(2)
})

test("a validation error names what is wrong with each parameter", async () => {
  const issues = [{ path: "/query/domain", code: "format", message: "is not a domain" }]
  api.answer = (_request, response) =>
    sendError(response, 400, { code: "VALIDATION_ERROR", message: "Invalid.", details: { issues } })

  const { stderr } = await footfall(["visitors", "list"], { environment })

  expect(JSON.parse(stderr).error.message).toBe("Invalid. /query/domain: is not a domain")
})

test("a key that the server repeats in an issue is not printed", async () => {
  const issues = [{ path: "/query/domain", code: "format", message: `received ${apiKey}` }]
  api.answer = (_request, response) =>
    sendError(response, 400, { code: "VALIDATION_ERROR", message: "Invalid.", details: { issues } })

  const words = ["visitors", "list", "--domain", apiKey]
  const { stderr } = await footfall(words, {
    environment: { ...environment, FOOTFALL_API_KEY: apiKey.replace(/.$/, "0") },
  })

  expect(JSON.parse(stderr).error.message).toBe("Invalid. /query/domain: received sk_…")
})

test("an error in JSON has no control character that a terminal obeys", async () => {
  api.answer = (_request, response) =>
    sendError(response, 400, { code: "VALIDATION_ERROR", message: "Invalid \u009B2J." })

  const { stderr } = await footfall(["visitors", "list"], { environment })

  expect(JSON.parse(stderr).error.message).toContain("Invalid \u009B2J.")
  expect(stderr).not.toContain("\u009B")
  expect(stderr).toContain("\\u009b")
})

test("a server that asks for a very long wait says how long", async () => {
  api.answer = (_request, response) => {
    response.setHeader("Retry-After", "120")
    sendError(response, 429, { code: "RATE_LIMITED", message: "Too many requests." })
  }

  const { exitCode, stderr } = await footfall(["visitors", "list"], { environment })

  const message = "Too many requests. Try again in 120 seconds."
  expect(JSON.parse(stderr).error).toMatchObject({ code: "RATE_LIMITED", status: 429, message })
  expect(exitCode).toBe(1)
})

test("a response that is not from Footfall is recognized", async () => {
  api.answer = (_request, response) => response.writeHead(404).end("<h1>Not here</h1>")

  const { exitCode, stderr } = await footfall(["visitors", "list"], { environment })

  const { error } = JSON.parse(stderr)
  expect(error).toMatchObject({ code: "INVALID_RESPONSE", status: 404 })
  expect(error.message).toContain("Is this a Footfall server?")
  expect(error.message).not.toContain("Run: footfall visitors list")
  expect(exitCode).toBe(5)
})

test("an unreachable server exits with 1 and names the server", async () => {
  await using closed = await FakeApi.start()
  const { baseUrl } = closed
  await closed[Symbol.asyncDispose]()

  const words = ["visitors", "list", "--base-url", baseUrl, "--output", "csv"]
  const { exitCode, stderr } = await footfall(words, { environment })

  expect(stderr).toContain(`Can't reach Footfall at ${baseUrl} (connection refused).`)
  expect(stderr).toContain("Is the server running?")
  expect(exitCode).toBe(1)
})

test("an https URL uses TLS", async () => {
  const words = ["visitors", "list", "--base-url", api.baseUrl.replace("http:", "https:")]
  const { exitCode, stderr } = await footfall(words, { environment })

  // The server doesn't speak TLS, so the client fails at its answer to the TLS handshake.
  expect(JSON.parse(stderr).error).toMatchObject({
    code: "CONNECTION_FAILED",
    message: expect.stringMatching(/SSL|EPROTO|TLS/),
  })
  expect(exitCode).toBe(1)
})

test("missing credentials exit with 4 and name the command to run", async () => {
  const { exitCode, stderr } = await footfall(["visitors", "list"])

  const { error } = JSON.parse(stderr)
  expect(error).toMatchObject({ code: "CREDENTIALS_MISSING", status: null, requestId: null })
  expect(error.message).toContain("Run: footfall profiles create <name>")
  expect(exitCode).toBe(4)
})

describe("an invalid command line exits with 2", () => {
  test.each([
    [["visitor"], "Did you mean: footfall visitors"],
    [["visitors", "lst"], "Did you mean list?"],
    [["visitors", "list", "--pages", "2"], "Did you mean --page?"],
    [["visitors", "list", "--timeframe", "8d"], "Use one of: 24h, 7d"],
    [["visitors", "list", "--suppressed", "maybe"], "Use one of: include"],
    [["visitors", "list", "--output", "xml"], "Use one of: table"],
    [["visitors", "list", "--limit", "0"], "from 1 to 1000000"],
    [["visitors", "list", "--limit", "1000001"], "from 1 to 1000000"],
    [["visitors", "list", "--page", "1.5"], "from 1 to 1000000"],
    [["runs", "get", "Buyers", "newest"], "or `latest`"],
    [["suppression", "add", "acme.example"], "For example: domain acme.example"],
    [["visitors", "list", "--all", "--limit", "5"], "cannot be used with"],
    [["visitors", "list", "--all", "--page", "2"], "cannot be used with"],
    [["visitors", "list", "--json", "--output", "csv"], "cannot be used with"],
    [["visitors", "list", "--domain", "a.example", "--pixel", "x"], "cannot be used with"],
    [["visitors", "list", "--base-url", "ftp://a.example"], "expected http://"],
    [["visitors", "list", "--profile", "nobody"], "Profile not found"],
    [["visitors", "get"], "Missing required argument 'email'. Run: footfall visitors get --help"],
    [["runs", "cancel", "--fields", "id"], "Run: footfall runs cancel --help"],
    [["--profile", "visitors", "pixels", "get", "a", "b"], "Run: footfall pixels get --help"],
    [["profiles", "use", "nobody"], "Run: footfall profiles create <name>"],
  ])("%j", async (words, message) => {
    const { exitCode, stdout, stderr } = await footfall(words, { environment })

    expect(stderr).toContain(message)
    expect(stdout).toBe("")
    expect(exitCode).toBe(2)
  })
})

describe("commands of other tools lead to ours", () => {
  test.each([
    ["segments ls", "segments list"],
    ["keys revoke 1", "keys delete"],
    ["members add lee@example.com", "members create"],
    ["members role lee@example.com admin", "members update"],
    ["profiles rm old", "profiles delete"],
    ["profiles show", "profiles get"],
    ["suppression create domain acme.example", "suppression add"],
    ["integrations accounts connect", "integrations accounts create"],
    ["integrations account ls", "integrations accounts list"],
    ["auth login", "login"],
    ["auth status", "whoami"],
    ["config list", "profiles list"],
    ["config set production", "profiles update <name>"],
    ["exports download", "runs export <audience-id> <run-id> <file>"],
    ["runs create", "runs start <audience-id>"],
    ["runs stop", "runs cancel <audience-id> <run-id>"],
    ["audiences stop", "audiences pause <id>"],
    ["visitors rm jane@acme.example", "visitors erase <email>"],
    ["webhooks trigger", "webhooks test <id>"],
    ["webhooks disable CRM", "webhooks update <id>"],
    ["pixels pause acme.example", "pixels update"],
    ["ls segments", "segments list"],
    ["segment rm Buyers", "segments delete <id>"],
    ["users ls", "members list"],
    ["api-keys ls", "keys list"],
    ["deliveries create", "sync <audience-id> <destination-id>"],
    ["-o json --quiet keys rm", "keys delete <id>"],
  ])("%s", async (words, meant) => {
    const { exitCode, stderr } = await footfall(words.split(" "), { environment })

    expect(JSON.parse(stderr).error.message).toMatch(/^Unknown command '[\w-]+'\. Did you mean: /)
    expect(stderr).toContain(`Did you mean: footfall ${meant}`)
    expect(exitCode).toBe(2)
  })

  test.each([
    ["rm", "segments delete"],
    ["ls", "visitors list"],
    ["show 1", "visitors get"],
    ["cancel", "runs cancel"],
    ["stop", "audiences pause"],
    ["retry", "deliveries retry"],
  ])("`%s` without a noun shows an existing command as an example", async (words, example) => {
    const { stderr } = await footfall(words.split(" "), { environment })

    expect(stderr).toMatch(
      new RegExp(`Start with a noun, for example: footfall (${example})\\. To list them`),
    )
  })

  test("every word of another tool leads to a command that exists", async () => {
    const root = await wholeProgram(thisTerminal, "1")

    for (const [phrase] of phrases) {
      expect(commandMeant(root, phrase.split(" ")), phrase).toBeDefined()
    }
  })

  test.each(["frobnicate", "visitor", "list", "segments frobnicate", "visitors rm"])(
    "`%s --help` fails like `%s` without --help",
    async (words) => {
      const [plain, withHelp, withShort] = await Promise.all(
        [[], ["--help"], ["-h"]].map((help) => footfall([...words.split(" "), ...help])),
      )

      expect(plain?.stderr).toContain("nknown command")
      expect(plain?.exitCode).toBe(2)
      expect(withHelp).toEqual(plain)
      expect(withShort).toEqual(plain)
    },
  )

  test("an unknown word leads to help", async () => {
    const { stderr } = await footfall(["segments", "frobnicate"], { environment })

    expect(stderr).toContain("Run: footfall segments --help")
  })
})

test("an unknown server error still says what to do", async () => {
  api.answer = (_request, response) =>
    sendError(response, 500, { code: "INTERNAL_ERROR", message: "It failed." })

  const { stderr } = await footfall(["account"], { environment })

  expect(JSON.parse(stderr).error.message).toContain("send the request id to the server operator")
})

test("a pixel and a domain together are rejected", async () => {
  const words = ["--pixel", "cdd19037-47fb-4e21-a054-2da787925aea", "--domain", "a.example"]
  const { exitCode, stderr } = await footfall(["visitors", "list", ...words], { environment })

  expect(stderr).toContain("cannot be used with")
  expect(exitCode).toBe(2)
})

test.each(["--api-key", "--key", "--api-key=", "--apikey="])(
  "a key on the command line is rejected and not printed: %s",
  async (flag) => {
    const words = flag.endsWith("=") ? [`${flag}${apiKey}`] : [flag, apiKey]
    const { exitCode, stderr } = await footfall(["visitors", "list", ...words], { environment })

    expect(stderr).not.toContain(apiKey.slice(0, 20))
    expect(exitCode).toBe(2)
    expect(api.requests).toEqual([])
  },
)

test.each(["--password", "--token", "--access-token"])(
  "a secret on the command line is rejected and not printed: %s",
  async (flag) => {
    for (const words of [[flag, "hunter2hunter2"], [`${flag}=hunter2hunter2`]]) {
      const { exitCode, stderr } = await footfall(["login", ...words], { environment })

      expect(stderr).not.toContain("hunter2")
      expect(JSON.parse(stderr).error.message).toContain("does not exist")
      expect(exitCode).toBe(2)
    }
  },
)

test.each([
  `rt_${"a".repeat(43)}`,
  `inv_${"a".repeat(43)}`,
  "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl",
])("a token that the server repeats is not printed: %s", async (token) => {
  api.answer = (_request, response) =>
    sendError(response, 400, { code: "VALIDATION_ERROR", message: `Received ${token}.` })

  const { stderr } = await footfall(["visitors", "list"], { environment })

  expect(JSON.parse(stderr).error.message).toMatch(
    /^Received (rt_|inv_|eyJ)…\. Run: footfall visitors list --help$/,
  )
})

test("rejecting --api-key says why and what to do instead", async () => {
  const { stderr } = await footfall(["visitors", "list", "--api-key", apiKey], { environment })

  expect(JSON.parse(stderr).error.message).toMatch(/other users can read.*Use --api-key-stdin/)
})

test("a malformed key is rejected without printing it", async () => {
  const { exitCode, stderr } = await footfall(["visitors", "list"], {
    environment: { ...environment, FOOTFALL_API_KEY: `${apiKey}x` },
  })

  expect(stderr).not.toContain(apiKey.slice(0, 20))
  expect(exitCode).toBe(2)
})
