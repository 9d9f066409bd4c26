// `footfall mcp` as an agent starts it: the built command, with the official client, against a real server. spec 16
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import { agentTools } from "@footfall/agent-tools"
import { afterAll, beforeAll, expect, inject, it } from "vitest"
import { Tenant } from "../isolation/world.ts"
import { startServer, type TestServer } from "../support/server.ts"
import { callsOf } from "./calls.ts"
import { type Agent, connectOver } from "./client.ts"

const footfall = fileURLToPath(new URL("../../../cli/bin/footfall.js", import.meta.url))

let server: TestServer
let tenant: Tenant
beforeAll(async () => {
  server = await startServer({ workers: false, allowPrivateWebhooks: true })
  tenant = await Tenant.make(server)
})
afterAll(() => server.close())

const transportTo = (
  environment: Readonly<Record<string, string>>,
  ...options: ReadonlyArray<string>
): StdioClientTransport =>
  new StdioClientTransport({
    command: process.execPath,
    args: [footfall, "mcp", ...options],
    env: {
      FOOTFALL_CONFIG_DIR: join(inject("temporaryDirectory"), "no-profiles"),
      FOOTFALL_BASE_URL: server.url,
      ...environment,
    },
    stderr: "pipe",
  })

const start = (...given: Parameters<typeof transportTo>): Promise<Agent> =>
  connectOver(transportTo(...given))

it("answers a call of every tool according to its output schema", async () => {
  const agent = await start({ FOOTFALL_API_KEY: tenant.organization.apiKey }, "--allow-writes")
  const calls = await callsOf(server, tenant)
  expect([...new Set(calls.map(([name]) => name))].sort()).toEqual(
    [...(await agent.tools())].sort(),
  )

  for (const [name, given] of calls) {
    const { isError, text } = await agent.call(name, given)
    expect({ name, isError, text: isError ? text : "" }).toEqual({ name, isError: false, text: "" })
  }
  await agent.close()
})

it("has no tool that changes something without --allow-writes, whatever the server allows", async () => {
  const agent = await start({ FOOTFALL_API_KEY: tenant.organization.apiKey })

  expect(await agent.tools()).toEqual(agentTools(false).map(({ name }) => name))
  const called = agent.call("create_audience", { name: "B", config: { topicIds: [1] } })
  await expect(called).rejects.toThrow("start `footfall mcp` with --allow-writes")
  await agent.close()
})

it("has the rights of the profile's token, and says which tools need a key", async () => {
  const agent = await start({ FOOTFALL_ACCESS_TOKEN: tenant.owner.accessToken })

  const audiences = await agent.call("list_audiences")
  const visitors = await agent.call("list_visitors")

  expect(audiences.isError).toBe(false)
  expect(visitors.text).toContain("list_visitors needs an API key; an access token is not enough.")
  await agent.close()
})

it("reads the same resources as over HTTP", async () => {
  const agent = await start({ FOOTFALL_API_KEY: tenant.organization.apiKey })
  const { contents } = await agent.client.readResource({ uri: "footfall://rules" })

  expect(JSON.stringify(contents)).toContain("behavior.pricing_page_views")
  await expect(agent.client.readResource({ uri: "footfall://no" })).rejects.toThrow("not found")
  await agent.close()
})

it("lists its tools and says what is wrong while the server cannot be reached", async () => {
  const agent = await start({
    FOOTFALL_BASE_URL: "http://127.0.0.1:9",
    FOOTFALL_API_KEY: tenant.organization.apiKey,
  })

  const { isError, text } = await agent.call("get_account")

  expect(isError).toBe(true)
  expect(text).toBe("Can't reach http://127.0.0.1:9. Is the server running?")
  await agent.close()
})

it("without a key, says what is missing in the response to the first message and in its log", async () => {
  const transport = transportTo({})
  let log = ""
  transport.stderr?.on("data", (chunk: Buffer) => (log += String(chunk)))

  await expect(connectOver(transport)).rejects.toThrow(
    "No API key found, and you are not signed in. Run: footfall profiles create <name>, or footfall login.",
  )
  await expect.poll(() => log).toContain('"code":"CREDENTIALS_MISSING"')
})
