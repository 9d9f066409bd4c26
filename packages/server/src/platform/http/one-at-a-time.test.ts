// Pipelined requests on real sockets.
import { once } from "node:events"
import { createServer, type ServerResponse } from "node:http"
import { type AddressInfo, connect, type Socket } from "node:net"
import { afterEach, beforeEach, expect, it, vi } from "vitest"
import { oneAtATime } from "./one-at-a-time.ts"

const request = (path: string) => `GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`

/** What the listener was given, in order. */
let begun: Array<{ readonly path: string; readonly response: ServerResponse }>
let client: Socket
let received: string
const server = createServer(
  oneAtATime((request, response) => {
    begun.push({ path: request.url!, response })
  }),
)
let accepted: Socket
server.on("connection", (socket) => (accepted = socket))

beforeEach(async () => {
  begun = []
  received = ""
  await once(server.listen(0, "127.0.0.1"), "listening")
  client = connect((server.address() as AddressInfo).port, "127.0.0.1")
  client.on("data", (chunk) => (received += chunk.toString()))
  client.on("error", () => undefined)
  await once(client, "connect")
})
afterEach(async () => {
  client.destroy()
  server.closeAllConnections()
  await once(server.close(), "close")
})

const until = (check: () => void) => vi.waitFor(check, { timeout: 30_000 })
const paths = () => begun.map(({ path }) => path)

it("the next of several pipelined requests begins when the response before it has ended", async () => {
  client.write(request("/1") + request("/2") + request("/3"))
  for (const path of ["/1", "/2", "/3"]) {
    await until(() => expect(paths()).toContain(path))
    expect(paths().at(-1)).toBe(path)
    begun.at(-1)!.response.end(`response to ${path}.`)
  }

  await until(() => expect(received).toContain("/3."))
  expect(received.match(/response to \/\d/g)).toEqual(
    ["/1", "/2", "/3"].map((p) => `response to ${p}`),
  )
})

it("a connection may pipeline any number of requests, as long as few wait at a time", async () => {
  for (let round = 0; round < 3; round++) {
    const before = begun.length
    client.write(request("/again").repeat(51))
    for (let count = 1; count <= 51; count++) {
      await vi.waitFor(() => expect(begun.length).toBe(before + count), {
        timeout: 30_000,
        interval: 1,
      })
      begun.at(-1)!.response.end()
    }
  }

  expect(begun).toHaveLength(153)
})

it("a body that follows is read when its request begins", async () => {
  client.write(request("/1") + "POST /2 HTTP/1.1\r\nhost: a\r\ncontent-length: 200000\r\n\r\n")
  client.write("x".repeat(200_000))
  await until(() => expect(paths()).toEqual(["/1"]))
  begun[0]!.response.end()
  await until(() => expect(paths()).toEqual(["/1", "/2"]))

  let bytes = 0
  for await (const chunk of begun[1]!.response.req) bytes += (chunk as Buffer).length
  expect(bytes).toBe(200_000)
})

it("a connection with more than 100 waiting requests is closed", async () => {
  client.write(request("/1") + request("/more").repeat(100))
  await until(() => expect(paths()).toEqual(["/1"]))
  expect(accepted.destroyed).toBe(false)

  client.write(request("/more"))

  await until(() => expect(accepted.destroyed).toBe(true))
  expect(paths()).toEqual(["/1"])
})

it("requests of a connection that has closed do not begin", async () => {
  client.write(request("/1") + request("/2"))
  await until(() => expect(paths()).toEqual(["/1"]))

  client.destroy()
  await once(accepted, "close")
  await new Promise((resolve) => setImmediate(resolve))

  expect(paths()).toEqual(["/1"])
})
