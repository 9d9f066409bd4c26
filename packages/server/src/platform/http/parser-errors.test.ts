// Streamed bodies may take longer to arrive than others (spec 5.14; parser-errors.ts).
import { once } from "node:events"
import { createServer, request } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import { expect, it } from "vitest"
import { allowLongBody, answerParserErrors } from "./parser-errors.ts"

const send = async (isAllowed: boolean) => {
  const server = createServer(
    { requestTimeout: 100, headersTimeout: 100, connectionsCheckingInterval: 20 },
    (incoming, response) => {
      if (isAllowed) allowLongBody(incoming)
      void text(incoming).then((body) => response.end(body))
    },
  )
  answerParserErrors(server, () => "2026-11-21T00:00:00.000Z")
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  // A socket that listens on TCP has such an address.
  const { port } = server.address() as AddressInfo
  const sending = request({ port, host: "127.0.0.1", method: "POST" })
  const answered = once(sending, "response")
  sending.on("error", () => undefined)
  sending.write("first ")
  await once(server, "clientError")
  sending.end("last")
  const [response] = await answered
  const body = await text(response)
  server.close()
  return [response.statusCode, body] as const
}

it("a body that takes too long is rejected with 408", async () => {
  const [status, body] = await send(false)
  expect([status, JSON.parse(body).error.code]).toEqual([408, "REQUEST_TIMEOUT"])
})

it("a body that may be slow is read to its end", async () => {
  expect(await send(true)).toEqual([200, "first last"])
})
