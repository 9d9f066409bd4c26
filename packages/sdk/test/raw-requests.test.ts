// `footfall.request`: sends any path to the configured server only, and never prints the query.

import { expect, it } from "vitest"
import { ConfigurationError, Footfall, type LogEntry } from "../src/index.ts"
import { apiKey } from "./support/credentials.ts"
import { scriptedServer } from "./support/scripted-server.ts"
import { refuse, succeed } from "./support/steps.ts"

const email = "jane@harbor.example"

it("the query of a path is sent but appears in no hook, log entry or error", async () => {
  await using server = await scriptedServer([succeed([]), refuse(404, "NOT_FOUND")])
  const told: Array<unknown> = []
  const footfall = new Footfall({
    apiKey,
    baseUrl: server.baseUrl,
    logLevel: "debug",
    log: ({ message, path }: LogEntry) => void told.push(message, path),
    hooks: {
      onRequest: ({ path, route }) => void told.push(path, route),
      onResponse: ({ path, route }) => void told.push(path, route),
    },
  })
  const path = `/v1/data/visitors?email=${encodeURIComponent(email)}&pixelId=a%20b`

  await footfall.request({ method: "GET", path })
  const refused = footfall.request({ method: "GET", path })
  await expect(refused).rejects.not.toThrow("jane")
  await expect(footfall.request({ method: "GET", path }, { timeoutMs: 1 })).rejects.not.toThrow(
    "jane",
  )

  expect(server.received[0]?.path).toBe("/v1/data/visitors")
  expect([...(server.received[0]?.query ?? [])]).toEqual([
    ["email", email],
    ["pixelId", "a b"],
  ])
  expect(told).toContain("/v1/data/visitors")
  expect(JSON.stringify(told)).not.toContain("jane")
})

it("calls to one endpoint have one route, whatever their query and ids", async () => {
  await using server = await scriptedServer([succeed([]), succeed([]), succeed({}), succeed({})])
  const routes: Array<string> = []
  const footfall = new Footfall({
    apiKey,
    baseUrl: server.baseUrl,
    hooks: { onRequest: ({ route }) => void routes.push(route) },
  })

  await footfall.request({ method: "GET", path: "/v1/data/visitors?page=1" })
  await footfall.request({ method: "GET", path: "/v1/data/visitors?page=2" })
  await footfall.companies.get("harbor.example")
  await footfall.companies.get("acme.example")

  expect(routes).toEqual([
    "GET /v1/data/visitors",
    "GET /v1/data/visitors",
    "GET /v1/data/companies/:id",
    "GET /v1/data/companies/:id",
  ])
})

it("a path that would name another host is rejected before the key is sent", async () => {
  await using server = await scriptedServer([succeed([])])
  await using other = await scriptedServer([succeed([])])
  const sent: Array<string> = []
  const footfall = new Footfall({
    apiKey,
    baseUrl: server.baseUrl,
    fetch: async ({ url }) => {
      sent.push(url)
      return Response.json({ data: [], meta: {} })
    },
  })
  const real = new Footfall({ apiKey, baseUrl: server.baseUrl })

  for (const path of [`@${new URL(other.baseUrl).host}/x`, ".evil.example/x", "v1/data/account"]) {
    const asked = { method: "GET", path } as const
    await expect(footfall.request(asked)).rejects.toThrow(ConfigurationError)
    await expect(real.request(asked)).rejects.toThrow('path must start with "/"')
  }

  expect([...server.received, ...other.received, ...sent]).toEqual([])
})
