// The bundle replaces undici with its own transport. Each kind of call must end the same way in the bundle's SDK as in
// the SDK that applications install, or a change of one breaks every command.

import { once } from "node:events"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import { pathToFileURL } from "node:url"
import { join } from "node:path"
import { Footfall } from "@footfall/sdk"
import { afterAll, beforeAll, expect, test } from "vitest"
import { meta, sendError, sendJson } from "./fixtures/fake-api.ts"
import { apiKey, pixel } from "./fixtures/records.ts"

const bundle = pathToFileURL(join(import.meta.dirname, "../dist/sdk.js")).href
let answer: (incoming: IncomingMessage, response: ServerResponse) => unknown
const server = createServer((incoming, response) => void answer(incoming, response))
let clients: ReadonlyArray<Footfall>

beforeAll(async () => {
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  // A server that listens on a port has an address of this form.
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const bundled = (await import(bundle)) as { readonly Footfall: typeof Footfall }
  const options = { apiKey, baseUrl, maxRetries: 0 }
  clients = [new Footfall(options), new bundled.Footfall(options)]
})

afterAll(() => {
  server.closeAllConnections()
  server.close()
})

/** How a call ends, without what differs between two classes of the same name. */
const outcome = async (call: () => PromiseLike<unknown>): Promise<unknown> => {
  try {
    return { value: await call() }
  } catch (error) {
    const { name, code, status, requestId } = error as Record<string, unknown>
    return { name, code, status, requestId }
  }
}

/** The outcome of both clients, which must be the same. */
const both = async (call: (client: Footfall) => PromiseLike<unknown>): Promise<unknown> => {
  const [installed, bundled] = await Promise.all(
    clients.map((client) => outcome(() => call(client))),
  )
  expect(bundled).toEqual(installed)
  return bundled
}

const readAll = async (client: Footfall): Promise<string> => {
  let read = ""
  for await (const chunk of await client.runs.exportCsv("audience", "run"))
    read += Buffer.from(chunk).toString()
  return read
}

test("a small response is read whole", async () => {
  answer = (_incoming, response) => sendJson(response, 200, { data: [pixel], meta })

  expect(await both((client) => client.pixels.list())).toEqual({ value: [pixel] })
})

test("sends a body, and an API error has its code and request id", async () => {
  const bodies: Array<string> = []
  answer = async (incoming, response) => {
    bodies.push(await text(incoming))
    const error = { code: "CONFLICT", message: "This domain already has a pixel." }
    sendError(response, 409, error)
  }

  const ended = await both((client) => client.pixels.create({ domain: "é.example", name: "é" }))

  expect(ended).toMatchObject({ name: "ConflictError", status: 409, requestId: meta.request_id })
  expect(bodies[1]).toBe(bodies[0])
})

test("an export is streamed in several parts", async () => {
  answer = (_incoming, response) => {
    response.writeHead(200, { "content-type": "text/csv" }).write("email\n", () => {
      response.end("jane@acme.example\n")
    })
  }

  expect(await both(readAll)).toEqual({ value: "email\njane@acme.example\n" })
})

test("an interrupted export fails", async () => {
  answer = (_incoming, response) => {
    response.writeHead(200, { "content-type": "text/csv", "content-length": "100" })
    response.write("email\n", () => response.destroy())
  }

  expect(await both(readAll)).toMatchObject({ name: "ConnectionError" })
})

test("an error instead of an export is read whole", async () => {
  answer = (_incoming, response) =>
    sendError(response, 404, { code: "NOT_FOUND", message: "Not found." })

  expect(await both(readAll)).toMatchObject({ name: "NotFoundError", status: 404 })
})

test("a redirect is not followed", async () => {
  answer = (_incoming, response) => response.writeHead(302, { location: "/elsewhere" }).end()

  expect(await both((client) => client.pixels.list())).toMatchObject({ status: 302 })
})

test("a connection that closes without a response fails", async () => {
  answer = (incoming) => incoming.socket.destroy()

  expect(await both((client) => client.pixels.list())).toMatchObject({ name: "ConnectionError" })
})

test("a call that takes too long ends with a timeout", async () => {
  answer = () => {}

  const ended = await both((client) => client.pixels.list({ timeoutMs: 100 }))

  expect(ended).toMatchObject({ name: "TimeoutError" })
})

test("a call ends when its signal is aborted", async () => {
  answer = () => {}

  const ended = await both((client) => client.pixels.list({ signal: AbortSignal.timeout(100) }))

  expect(ended).toMatchObject({ name: "AbortedError" })
})
