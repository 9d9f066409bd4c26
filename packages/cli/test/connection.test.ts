// How the built command reaches a server: through a proxy that a variable names, and what it says at once of a server
// whose certificate it can't accept.

import { once } from "node:events"
import { readFile } from "node:fs/promises"
import { createServer } from "node:https"
import type { AddressInfo } from "node:net"
import { afterEach, beforeEach, expect, test } from "vitest"
import { startProxy } from "../../sdk/test/support/proxy.ts"
import { FakeApi } from "./fixtures/fake-api.ts"
import { footfall } from "./fixtures/footfall.ts"
import { apiKey } from "./fixtures/records.ts"

let api: FakeApi
beforeEach(async () => {
  api = await FakeApi.start()
})
afterEach(() => api[Symbol.asyncDispose]())

const list = ["visitors", "list", "--json"]

test("a command reaches its server through the proxy of HTTP_PROXY", async () => {
  await using proxy = await startProxy(Number(new URL(api.baseUrl).port))
  const environment = {
    FOOTFALL_API_KEY: apiKey,
    FOOTFALL_BASE_URL: "http://tools.fjord.invalid",
    HTTP_PROXY: proxy.url.replace("http://", ""),
  }

  const direct = await footfall(list, {
    environment: { ...environment, FOOTFALL_BASE_URL: api.baseUrl },
  })
  const proxied = await footfall(list, { environment })

  expect(proxied.stderr).toBe("")
  expect(proxied.exitCode).toBe(0)
  expect(proxied.stdout).toBe(direct.stdout)
  expect(proxy.hosts).toEqual(["tools.fjord.invalid"])
})

test("a certificate that is not trusted ends a command at once, with the way to trust it", async () => {
  const read = (file: string) =>
    readFile(new URL(`../../server/test/outbound/certificates/${file}`, import.meta.url))
  let connections = 0
  const server = createServer({ cert: await read("valid.pem"), key: await read("key.pem") })
  server.on("connection", () => (connections += 1)).listen(0, "127.0.0.1")
  await once(server, "listening")
  // A server that listens on a port has an address object, not a pipe name.
  const { port } = server.address() as AddressInfo
  const environment = { FOOTFALL_API_KEY: apiKey, FOOTFALL_BASE_URL: `https://localhost:${port}` }

  const { exitCode, stderr } = await footfall(list, { environment })
  server.close()

  const { error } = JSON.parse(stderr)
  expect(error.message).toContain("NODE_EXTRA_CA_CERTS")
  expect(error.message).not.toContain("Is the server running?")
  expect([exitCode, connections]).toEqual([1, 1])
})
