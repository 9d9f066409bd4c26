// The transport that replaces undici in the bundle, tested through the SDK.

import { once } from "node:events"
import { createServer, type RequestListener, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { afterEach, expect, test } from "vitest"
import { getGlobalDispatcher, request } from "./http-request.ts"

let server: Server

afterEach(() => {
  server.closeAllConnections()
  server.close()
})

const serve = async (listener: RequestListener): Promise<string> => {
  server = createServer(listener).listen(0, "127.0.0.1")
  await once(server, "listening")
  // A server that listens on a port has an address of this form.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const init = { method: "GET", headers: {}, body: null, signal: new AbortController().signal }

test("returns status, headers and body", async () => {
  const url = await serve((incoming, response) => {
    response.writeHead(201, { "X-Request-Id": `${incoming.headers["x-sent"]}` }).end("body")
  })

  const answer = await request(`${url}/path?q=1`, { ...init, headers: { "X-Sent": "yes" } })

  expect(answer.statusCode).toBe(201)
  expect(answer.headers["x-request-id"]).toBe("yes")
  expect(await answer.body.text()).toBe("body")
})

test.each(["POST", "PUT", "DELETE"])("sends a body with %s", async (method) => {
  const url = await serve((incoming, response) => void incoming.pipe(response))

  const answer = await request(url, { ...init, method, body: `{"é":1}` })

  expect(await answer.body.text()).toBe(`{"é":1}`)
})

test("streams a body no faster than the server reads it", async () => {
  const url = await serve((incoming, response) => void incoming.pipe(response))
  const chunks = ReadableStream.from(["one ", "two ", "three"].map((text) => Buffer.from(text)))

  const answer = await request(url, { ...init, method: "POST", body: chunks })

  expect(await answer.body.text()).toBe("one two three")
})

test("fails with the error of its body stream", async () => {
  const url = await serve((incoming) => void incoming.resume())
  const broken = new ReadableStream({ pull: () => Promise.reject(new Error("disk full")) })

  const answer = request(url, { ...init, method: "POST", body: broken })

  await expect(answer).rejects.toThrow("disk full")
})

test("reads an early rejection, and stops sending the stream", async () => {
  const url = await serve((_request, response) => {
    response.writeHead(401, { connection: "close" }).end("refused")
  })
  const stopped = Promise.withResolvers<void>()
  async function* endless() {
    try {
      for (;;) yield Buffer.alloc(65_536)
    } finally {
      stopped.resolve()
    }
  }

  const body = ReadableStream.from(endless())
  const answer = await request(url, { ...init, method: "POST", body })

  expect(answer.statusCode).toBe(401)
  expect(await answer.body.text()).toBe("refused")
  await stopped.promise
})

test("does not follow redirects, so that the key stays with its server", async () => {
  const url = await serve((_request, response) => response.writeHead(302, { location: "/" }).end())

  expect((await request(url, init)).statusCode).toBe(302)
})

test("fails if nothing listens", async () => {
  const url = await serve(() => {})
  server.close()
  await once(server, "close")

  await expect(request(url, init)).rejects.toMatchObject({ code: "ECONNREFUSED" })
})

test("fails if the body is cut off", async () => {
  const url = await serve((_request, response) => {
    response.writeHead(200, { "content-length": "100" })
    response.write("part", () => response.destroy())
  })

  const answer = await request(url, init)

  await expect(answer.body.text()).rejects.toThrow()
})

test("ends with its signal before the headers", async () => {
  const controller = new AbortController()
  const url = await serve(() => controller.abort())

  const answer = request(url, { ...init, signal: controller.signal })

  await expect(answer).rejects.toMatchObject({ name: "AbortError" })
})

test("ends with its signal after the headers", async () => {
  const controller = new AbortController()
  const url = await serve((_request, response) => response.writeHead(200).flushHeaders())

  const answer = await request(url, { ...init, signal: controller.signal })
  controller.abort()

  await expect(answer.body.text()).rejects.toThrow("aborted")
})

/**
 * Sends a request with `dispatch`. Resolves with status and body, or with the error. `onStart`
 * receives a function that aborts it.
 */
const dispatched = (
  origin: string,
  path: string,
  onStart: (abort: (reason: Error) => void) => void = () => {},
): Promise<unknown> =>
  new Promise((resolve) => {
    let status = 0
    let body = ""
    getGlobalDispatcher().dispatch(
      { origin, path, method: "POST", headers: {}, body: "sent" },
      {
        onRequestStart: ({ abort }) => onStart(abort),
        onResponseStart: (_controller, statusCode) => (status = statusCode),
        onResponseData: (_controller, chunk) => (body += Buffer.from(chunk).toString()),
        onResponseEnd: () => resolve({ status, body }),
        onResponseError: (_controller, error) => resolve(error),
      },
    )
  })

test("dispatches a request to a path of an origin, and returns the whole response", async () => {
  const url = await serve((incoming, response) => {
    response.write(`${incoming.url} `)
    incoming.pipe(response)
  })

  expect(await dispatched(url, "/path?q=1")).toEqual({ status: 200, body: "/path?q=1 sent" })
})

test("an aborted request fails with the reason", async () => {
  let abort: (reason: Error) => void = () => {}
  const reason = new Error("too late")
  const url = await serve(() => abort(reason))

  expect(await dispatched(url, "/", (given) => (abort = given))).toBe(reason)
})
