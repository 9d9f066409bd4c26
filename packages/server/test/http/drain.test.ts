// How a listening server shuts down (spec 5.15): a response announces it on kept-alive connections, and no request is
// cut off.
import { Deferred, Effect, Exit, Scope } from "effect"
import { once } from "node:events"
import { Agent, request, type IncomingMessage, type ServerResponse } from "node:http"
import { afterEach, beforeEach, expect, it, vi } from "vitest"
import { listen } from "../../src/platform/http/listening.ts"
import { Readiness } from "../../src/platform/http/operations.ts"

let scope: Scope.Closeable
beforeEach(() => {
  scope = Scope.makeUnsafe()
})
afterEach(() => Effect.runPromise(Scope.close(scope, Exit.void)))

const close = () => Effect.runPromise(Scope.close(scope, Exit.void))

/** Starts a server with this listener, until `scope` closes. Returns its port and whether it is ready. */
const start = (listener: (request: IncomingMessage, response: ServerResponse) => void) =>
  Effect.runPromise(
    Effect.gen(function* () {
      const port = yield* listen({ host: "127.0.0.1", port: 0, listener })
      const { isReady } = yield* Readiness
      return { port, isReady: () => Effect.runPromise(isReady) }
    }).pipe(Effect.provide(Readiness.layer(Effect.succeed(true))), Scope.provide(scope)),
  )

/** Sends a request. Returns the response's `Connection` header. */
const ask = async (port: number, agent: Agent): Promise<string | undefined> => {
  const sent = request({ host: "127.0.0.1", port, agent }).end()
  const [response] = (await once(sent, "response")) as [IncomingMessage]
  response.resume()
  await once(response, "end")
  return response.headers.connection
}

it("cuts off no request from clients that keep polling until they see the 503", async () => {
  const { isReady, port } = await start((_, response) => void response.end("ok"))
  const clients = Array.from({ length: 16 }, () => new Agent({ keepAlive: true, maxSockets: 1 }))
  let answers = 0
  const untilTold = async (agent: Agent) => {
    while ((await ask(port, agent)) !== "close") answers += 1
  }
  const all = Promise.all(clients.map(untilTold))
  await vi.waitFor(() => expect(answers).toBeGreaterThan(200), { timeout: 30_000 })

  await Promise.all([close(), all])

  expect(await isReady()).toBe(false)
  for (const agent of clients) agent.destroy()
})

it("lets a request in progress finish, even if it takes longer than the grace period", async () => {
  const asked = Deferred.makeUnsafe<ServerResponse>()
  const { isReady, port } = await start((_, response) => {
    if (!Deferred.doneUnsafe(asked, Effect.succeed(response))) response.end()
  })
  const agent = new Agent({ keepAlive: true })
  const answer = ask(port, agent)
  const response = await Effect.runPromise(Deferred.await(asked))
  const closing = close()
  await vi.waitFor(async () => expect(await isReady()).toBe(false), 30_000)
  // New connections are refused: the grace period is over.
  await vi.waitFor(() => expect(ask(port, new Agent())).rejects.toThrow("ECONNREFUSED"), {
    timeout: 30_000,
    interval: 50,
  })
  response.end("late")

  expect(await answer).toBe("keep-alive")
  await closing
  agent.destroy()
})
