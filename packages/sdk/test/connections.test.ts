// How the SDK connects: through a proxy that a variable names, and what it says of a server whose certificate or protocol
// it can't accept. Real proxies and TLS servers on loopback.

import { once } from "node:events"
import { readFile } from "node:fs/promises"
import { createServer as createTlsServer } from "node:https"
import { createServer, type AddressInfo } from "node:net"
import { Agent } from "undici"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { hasUndici, isProxied } from "../src/core/platform.ts"
import { ConfigurationError, ConnectionError, Footfall } from "../src/index.ts"
import { apiKey } from "./support/credentials.ts"
import { startProxy } from "./support/proxy.ts"
import { scriptedServer } from "./support/scripted-server.ts"
import { succeed } from "./support/steps.ts"

const names = ["http_proxy", "https_proxy", "no_proxy", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"]
beforeEach(() => {
  for (const name of names) vi.stubEnv(name, undefined)
})
afterEach(() => vi.unstubAllEnvs())

/** For tidewater.example, signed by itself. */
const identity = async (certificate: string) => {
  const read = (file: string) =>
    readFile(new URL(`../../server/test/outbound/certificates/${file}`, import.meta.url))
  return { cert: await read(certificate), key: await read("key.pem") }
}

describe("a proxy", () => {
  const portOf = (url: string) => Number(new URL(url).port)

  it.each(["HTTP_PROXY", "http_proxy"])("that %s names receives the calls", async (name) => {
    await using server = await scriptedServer([succeed(["one"]), succeed(["two"])])
    await using proxy = await startProxy(portOf(server.baseUrl))
    vi.stubEnv(name, proxy.url)
    const footfall = new Footfall({ apiKey, baseUrl: "http://tools.fjord.example:8080/visits" })

    expect(await footfall.pixels.list()).toEqual(["one"])
    expect(await footfall.pixels.list()).toEqual(["two"])

    expect(new Set(proxy.hosts)).toEqual(new Set(["tools.fjord.example:8080"]))
    expect(server.received.map(({ path }) => path)).toEqual(Array(2).fill("/visits/v1/data/pixels"))
  })

  it("may be named without http://, as curl allows", async () => {
    await using server = await scriptedServer([succeed(["one"])])
    await using proxy = await startProxy(portOf(server.baseUrl))
    vi.stubEnv("http_proxy", proxy.url.replace("http://", ""))
    const footfall = new Footfall({ apiKey, baseUrl: "http://tools.fjord.example:8080" })

    expect(await footfall.pixels.list()).toEqual(["one"])

    expect(new Set(proxy.hosts)).toEqual(new Set(["tools.fjord.example:8080"]))
  })

  it("that HTTPS_PROXY names receives a tunnel, and never the key", async () => {
    const server = createTlsServer(await identity("valid.pem"), (_request, response) => {
      response.end(JSON.stringify({ data: [], meta: {} }))
    }).listen(0, "127.0.0.1")
    await once(server, "listening")
    // A server that listens on a port has an address object, not a pipe name.
    await using proxy = await startProxy((server.address() as AddressInfo).port)
    vi.stubEnv("HTTPS_PROXY", proxy.url)
    const footfall = new Footfall({ apiKey, baseUrl: "https://tools.fjord.example", maxRetries: 0 })

    // The tunnel reaches a server with another certificate, so only its TLS can fail.
    await expect(footfall.pixels.list()).rejects.toMatchObject({ isPermanent: true })

    expect(proxy.hosts).toEqual(["tools.fjord.example:443"])
    server.close()
    server.closeAllConnections()
  })

  it("is not used for hosts in NO_PROXY, for this computer, or with a dispatcher", async () => {
    await using server = await scriptedServer([succeed(["direct"]), succeed(["by dispatcher"])])
    await using proxy = await startProxy(portOf(server.baseUrl))
    vi.stubEnv("HTTP_PROXY", proxy.url)
    const local = new Footfall({ apiKey, baseUrl: server.baseUrl })

    expect(await local.pixels.list()).toEqual(["direct"])
    const dispatcher = new Agent()
    const own = new Footfall({ apiKey, baseUrl: server.baseUrl, dispatcher })
    expect(await own.pixels.list()).toEqual(["by dispatcher"])
    await dispatcher.close()
    vi.stubEnv("NO_PROXY", "fjord.example")
    const excluded = new Footfall({ apiKey, baseUrl: "http://x.fjord.example", maxRetries: 0 })
    await expect(excluded.pixels.list()).rejects.toThrow(ConnectionError)

    expect(proxy.hosts).toEqual([])
  })

  it.each([
    ["http://tools.example", { HTTP_PROXY: "p" }, true],
    ["https://tools.example", { HTTP_PROXY: "p" }, true],
    ["https://tools.example", { https_proxy: "p" }, true],
    ["http://tools.example", { HTTPS_PROXY: "p" }, false],
    ["http://tools.example", { HTTP_PROXY: "" }, false],
    ["http://localhost:4100", { HTTP_PROXY: "p" }, false],
    ["http://127.3.0.1", { HTTP_PROXY: "p" }, false],
    ["http://[::1]:4100", { HTTP_PROXY: "p" }, false],
    ["http://localhost.tools.example", { HTTP_PROXY: "p" }, true],
  ])("for %s with %j: %s", (url, environment, expected) => {
    expect(isProxied(new URL(url), environment)).toBe(expected)
  })
})

describe("a server that can't be accepted is not called again", () => {
  const outcome = async (server: ReturnType<typeof createServer>, scheme: string) => {
    let connections = 0
    server.on("connection", () => (connections += 1)).listen(0, "127.0.0.1")
    await once(server, "listening")
    // A server that listens on a port has an address object, not a pipe name.
    const { port } = server.address() as AddressInfo
    const footfall = new Footfall({ apiKey, baseUrl: `${scheme}://localhost:${port}` })
    const error: unknown = await footfall.pixels.list().catch((failure: unknown) => failure)
    server.close()
    return { connections, error: error as ConnectionError }
  }

  it.each([
    ["valid.pem", /NODE_EXTRA_CA_CERTS/],
    ["expired.pem", /certificate/],
  ])("because of its certificate (%s), and the error says what to do", async (file, advice) => {
    const server = createTlsServer(await identity(file))
    const { connections, error } = await outcome(server, "https")

    expect(error).toBeInstanceOf(ConnectionError)
    expect(error).toMatchObject({ isPermanent: true, message: expect.stringMatching(advice) })
    expect(connections).toBe(1)
  })

  it.each([
    ["https", "HTTP/1.1 400 Bad Request\r\n\r\n"],
    ["http", "SSH-2.0-OpenSSH_9.2\r\n"],
  ])("because it doesn't speak the protocol of %s", async (scheme, banner) => {
    const { connections, error } = await outcome(
      createServer(
        (socket) => void socket.on("error", () => {}).once("data", () => socket.end(banner)),
      ),
      scheme,
    )

    expect(error).toMatchObject({ isPermanent: true, message: expect.stringMatching(/protocol/) })
    expect(connections).toBe(1)
  })

  it("but one that closes the connection is", async () => {
    const { connections, error } = await outcome(
      createServer((socket) => void socket.destroy()),
      "http",
    )

    expect(error).toMatchObject({ isPermanent: false })
    expect(connections).toBe(3)
  })
})

describe("a version of Node", () => {
  it.each(["20.18.1", "20.20.2", "21.7.0", "22.18.0"])("%s sends with its own fetch", (version) => {
    expect(hasUndici(version)).toBe(false)
  })

  it.each(["22.19.0", "23.0.0", "24.21.0"])("%s sends with undici", (version) => {
    expect(hasUndici(version)).toBe(true)
  })

  it.each(["18.20.8", "20.17.0"])("%s is refused with the version that is needed", (version) => {
    expect(() => hasUndici(version)).toThrow(ConfigurationError)
    expect(() => hasUndici(version)).toThrow(`Node 20.18 or newer; this is Node ${version}`)
  })
})
