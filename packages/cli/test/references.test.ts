// Audiences and destinations by name, and the latest run: the look-ups before a command runs, and the errors for a name
// that matches none or several.

import { idOfName } from "../src/command/names.ts"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { FakeApi } from "./fixtures/fake-api.ts"
import { footfall } from "./fixtures/footfall.ts"
import { run } from "./fixtures/run-records.ts"
import { apiKey } from "./fixtures/records.ts"

const { audienceId } = run
const destinationId = "72c2caee-8b8d-4561-a8f3-fa549b992a9d"
const audiences = "/v1/intent/audiences"
const one = `${audiences}/${audienceId}`
const meta = { total: 1, limit: 100, offset: 0, hasMore: false, nextCursor: null }
let api: FakeApi

beforeEach(async () => {
  api = await FakeApi.start()
  api.on(`GET ${audiences}`, () => ({
    data: [
      { id: "b5a4cbb2-52a0-4a59-8ec5-1d1f2e0b1c33", name: "Twice" },
      { id: audienceId, name: "Freight readers" },
      { id: "0d0b6a33-9d1c-4f0e-8f55-2f3a6bd8e5a1", name: "twice" },
    ],
    meta,
  }))
  api.on(`GET ${one}`, () => ({ data: { id: audienceId, name: "Freight readers" } }))
  api.on(`GET ${one}/runs`, () => ({ data: [run], meta }))
  api.on(`GET ${one}/runs/${run.id}`, () => ({ data: run }))
  api.on(`GET ${one}/destinations`, () => ({
    data: { destinations: [{ id: destinationId, name: "This computer" }], total: 1 },
  }))
  api.on(`GET ${one}/destinations/${destinationId}`, () => ({
    data: { destination: { id: destinationId, name: "This computer" } },
  }))
})

afterEach(() => api[Symbol.asyncDispose]())

const runCommand = (...words: ReadonlyArray<string>) =>
  footfall([...words, "--json"], {
    environment: { FOOTFALL_BASE_URL: api.baseUrl, FOOTFALL_API_KEY: apiKey },
  })

describe("an audience", () => {
  test.each(["Freight readers", "  freight   READERS "])(
    "is found by its name %j",
    async (name) => {
      const { exitCode, stdout } = await runCommand("audiences", "get", name)

      expect(JSON.parse(stdout).data.id).toBe(audienceId)
      expect(exitCode).toBe(0)
    },
  )

  test("by its id needs no extra request, even in capitals", async () => {
    await runCommand("audiences", "get", audienceId.toUpperCase())

    expect(api.seen(`GET ${audiences}`)).toHaveLength(0)
    expect(api.seen(`GET ${one}`)).toHaveLength(1)
  })

  test("an unknown name is not found: exit code 5, and the command that lists names", async () => {
    const { exitCode, stderr } = await runCommand("runs", "list", "Freight")

    expect(JSON.parse(stderr).error).toMatchObject({
      code: "NOT_FOUND",
      message: expect.stringContaining("No audience found with the name Freight."),
    })
    expect(exitCode).toBe(5)
  })

  test("with an ambiguous name is a usage error that lists the ids", async () => {
    const { exitCode, stderr } = await runCommand("audiences", "get", "twice")

    expect(stderr).toContain("2 audiences have the name twice.")
    expect(exitCode).toBe(2)
  })

  test("with an ambiguous name says how many of the thing there are, in plain words", () => {
    const lists = [
      { id: "a", name: "Customers" },
      { id: "b", name: "customers" },
    ]
    const place = { noun: "list of companies", listCommand: "footfall lists list" }

    expect(() => idOfName(lists, "Customers", place)).toThrow(
      "2 lists of companies have the name Customers.",
    )
  })

  test("by name needs credentials: exit code 4", async () => {
    const { exitCode } = await footfall(["audiences", "get", "Freight readers"], {
      environment: { FOOTFALL_BASE_URL: api.baseUrl },
    })

    expect(exitCode).toBe(4)
  })
})

describe("`latest`", () => {
  test("is the newest completed run of an audience, given by name", async () => {
    const { stdout } = await runCommand("runs", "get", "Freight readers", "latest")

    expect(JSON.parse(stdout).data.id).toBe(run.id)
    expect(api.seen(`GET ${one}/runs`)[0]?.url.searchParams.get("status")).toBe("completed")
  })

  test("is not found if no run has completed: exit code 5", async () => {
    api.on(`GET ${one}/runs`, () => ({ data: [], meta }))

    const { exitCode, stderr } = await runCommand("runs", "get", audienceId, "latest")

    expect(stderr).toContain("This audience has no completed runs.")
    expect(exitCode).toBe(5)
  })
})

describe("a destination", () => {
  test("is found by its name in an audience found by name", async () => {
    const { stdout } = await runCommand("destinations", "get", "Freight readers", "this computer")

    expect(JSON.parse(stdout).data.id).toBe(destinationId)
  })

  test("an unknown name is not found: exit code 5", async () => {
    const { exitCode, stderr } = await runCommand("destinations", "get", audienceId, "CRM")

    expect(stderr).toContain("No destination found with the name CRM.")
    expect(exitCode).toBe(5)
  })
})

describe("other objects with names", () => {
  const id = "3f0c8a52-7f43-4a5e-9d0c-0d8f3c3b9a11"
  const pixelId = "cdd19037-47fb-4e21-a054-2da787925aea"
  const named = { id, name: "Buyers", revokedAt: null }

  const meant = (...words: ReadonlyArray<string>) =>
    footfall([...words, "--json"], {
      environment: {
        FOOTFALL_BASE_URL: api.baseUrl,
        FOOTFALL_API_KEY: apiKey,
        FOOTFALL_ACCESS_TOKEN: "header.claims.signature",
      },
    })

  beforeEach(() => {
    for (const list of ["data/segments", "data/webhooks", "intent/topic-lists", "api-keys"]) {
      api.on(`GET /v1/${list}`, () => ({ data: [named], meta }))
    }
    api.on("GET /v1/intent/integrations/accounts", () => ({
      data: {
        accounts: [{ ...named, accountName: "Buyers", appName: "Mailer", appSlug: "mailer" }],
      },
    }))
    api.on("GET /v1/data/pixels", () => ({ data: [{ id: pixelId, domain: "acme.example" }] }))
  })

  /** The requested paths, which contain the id instead of the name. */
  const paths = (): ReadonlyArray<string> =>
    api.requests.map(({ body, method, url }) => `${method} ${url.pathname}${url.search} ${body}`)

  test.each([
    ["segments get Buyers", id],
    ["segments update buyers --name Other", id],
    ["segments delete Buyers --yes", id],
    ["visitors query --segment Buyers", id],
    ["visitors list --pixel acme.example", pixelId],
    ["companies list --pixel https://www.Acme.example", pixelId],
    ["overview --pixel acme.example", pixelId],
    ["webhooks get Buyers", id],
    ["webhooks deliveries Buyers", id],
    ["webhooks create CRM https://crm.example --segment Buyers", `"segmentId":"${id}"`],
    ["webhooks create CRM https://crm.example --pixel acme.example", `"pixelId":"${pixelId}"`],
    ["topic-lists get Buyers", id],
    ["integrations lists Buyers", id],
    ["integrations accounts check Buyers", id],
    ["keys delete Buyers --yes", id],
  ])("`footfall %s` requests the id", async (words, asked) => {
    await meant(...words.split(" "))

    expect(paths().at(-1)).toContain(asked)
    expect(paths().length).toBeLessThanOrEqual(3)
  })

  test.each([
    ["segments get Strangers", "No segment found with the name Strangers."],
    ["webhooks test Strangers", "No webhook found with the name Strangers."],
    ["visitors list --pixel stranger.example", "No pixel found for stranger.example."],
  ])("`footfall %s` exits with 5 and says how to list them", async (words, message) => {
    const { exitCode, stderr } = await meant(...words.split(" "))

    expect(stderr).toContain(message)
    expect(stderr).toMatch(/footfall (segments|webhooks|pixels) list/)
    expect(exitCode).toBe(5)
  })

  test("an ambiguous name is rejected with both ids, and nothing is deleted", async () => {
    const other = "0d0b6a33-9d1c-4f0e-8f55-2f3a6bd8e5a1"
    api.on("GET /v1/data/segments", () => ({ data: [named, { ...named, id: other }], meta }))

    const { exitCode, stderr } = await meant("segments", "delete", "Buyers", "--yes")

    expect(stderr).toContain(`Use the id of one of them: ${id}, ${other}.`)
    expect(exitCode).toBe(2)
    expect(api.requests).toHaveLength(1)
  })

  test("the confirmation shows name and id", async () => {
    const { stderr } = await meant("segments", "delete", "Buyers")

    expect(stderr).toContain(`Buyers (${id})`)
  })

  test("a key from standard input is used for both the lookup and the request", async () => {
    api.on(`GET /v1/data/segments/${id}`, () => ({ data: named }))

    const { exitCode } = await footfall(
      ["segments", "get", "Buyers", "--api-key-stdin", "--json"],
      {
        environment: { FOOTFALL_BASE_URL: api.baseUrl },
        input: apiKey,
      },
    )

    expect(exitCode).toBe(0)
    expect(api.requests.map(({ headers }) => headers["x-api-key"])).toEqual([apiKey, apiKey])
  })

  test.each([
    ["deliveries get", `${one}/deliveries`, [audienceId, "latest"], { deliveries: [{ id }] }],
    ["exports get", `${one}/runs/${run.id}/exports`, [audienceId, run.id, "latest"], [{ id }]],
    [
      "webhooks delivery",
      `/v1/data/webhooks/${id}/deliveries`,
      [id, "latest"],
      { deliveries: [{ id }] },
    ],
    [
      "webhooks redeliver",
      `/v1/data/webhooks/${id}/deliveries`,
      [id, "latest"],
      { deliveries: [{ id }] },
    ],
  ])("`latest` of `footfall %s` is the newest", async (words, path, given, data) => {
    api.on(`GET ${path}`, () => ({ data, meta }))

    await meant(...words.split(" "), ...given)

    expect(api.seen(`GET ${path}`)[0]?.url.searchParams.get("limit")).toBe("1")
    expect(api.requests.at(-1)?.url.pathname).toContain(`${path}/${id}`)
  })

  test("`latest` of an empty list exits with 5 and says how to create one", async () => {
    api.on(`GET ${one}/deliveries`, () => ({ data: { deliveries: [], total: 0 }, meta }))

    const { exitCode, stderr } = await meant("deliveries", "get", audienceId, "latest")

    expect(stderr).toContain(`Run: footfall sync ${audienceId} <destination-id>`)
    expect(exitCode).toBe(5)
  })

  test.each([
    ["add domain acme.example", "POST"],
    ["remove domain acme.example --yes", "DELETE"],
    ["add --type domain acme.example", "POST"],
    ["remove --type domain acme.example --yes", "DELETE"],
  ])("`footfall suppression %s` accepts the same words", async (words, method) => {
    await meant("suppression", ...words.split(" "))

    expect(api.requests.at(-1)).toMatchObject({
      method,
      body: '{"rules":[{"type":"domain","value":"acme.example"}]}',
    })
  })
})
