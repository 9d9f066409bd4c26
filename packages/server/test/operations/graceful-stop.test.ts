// On a signal to stop, a server answers every request it has accepted, and continues until a load balancer knows (spec
// 5.15).
import { assert, it as effectIt } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { once } from "node:events"
import { request } from "node:http"
import { json } from "node:stream/consumers"
import { afterAll, describe, expect, it } from "vitest"
import { createFootfall } from "../../src/app/index.ts"
import { Readiness } from "../../src/platform/http/operations.ts"
import { Site } from "../crash/site.ts"
import { killLeftServers } from "../support/server-process.ts"
import { startServer, testSecret } from "../support/server.ts"

afterAll(killLeftServers)

const query = JSON.stringify({
  ruleAst: {
    version: 1,
    rule: { all: [{ field: "behavior.pageviews", op: "gte", value: 1 }] },
  },
})

describe("SIGTERM", () => {
  it("interrupts no request whose body is still arriving: it is answered", async () => {
    const site = await Site.open()
    const asked = request(`${site.url}/v1/data/query`, {
      method: "POST",
      headers: {
        "x-api-key": site.apiKey,
        "content-type": "application/json",
        "content-length": Buffer.byteLength(query),
      },
    })
    const answered = once(asked, "response")
    asked.write(query.slice(0, 20))
    await expect.poll(async () => (await fetch(`${site.url}/readyz`)).status).toBe(200)

    const stopped = site.server.stop("SIGTERM")
    // Refused or 503: it has begun to stop.
    const isReady = () =>
      fetch(`${site.url}/readyz`).then(
        ({ status }) => status === 200,
        () => false,
      )
    await expect.poll(isReady).toBe(false)
    asked.end(query.slice(20))

    const [response] = await answered
    expect(response.statusCode).toBe(200)
    expect(await json(response)).toMatchObject({ data: [], meta: { page: 1 } })
    expect(await stopped).toBe(0)
  })
})

it("closing an embedded server waits for the responses to accepted requests", async () => {
  const server = await startServer({ workers: false })
  const footfall = await createFootfall({
    databaseUrl: server.databaseUrl,
    secret: testSecret,
    baseUrl: server.url,
    rateLimits: false,
    workers: false,
    logger: () => {},
  })
  let goOn = () => {}
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      controller.enqueue(Buffer.from(query.slice(0, 20)))
      goOn = () => {
        controller.enqueue(Buffer.from(query.slice(20)))
        controller.close()
      }
    },
  })
  const answer = footfall.fetch(
    new Request("http://host/v1/data/query", {
      method: "POST",
      headers: { "x-api-key": server.apiKey, "content-type": "application/json" },
      body,
      duplex: "half",
    }),
  )
  const closed = footfall.close()
  goOn()

  expect((await answer).status).toBe(200)
  await closed
  await server.close()
})

describe("shutdown of a server", () => {
  const ask = Effect.flatMap(Readiness, ({ isReady }) => isReady)
  const stop = Effect.flatMap(Readiness, (readiness) => readiness.stop)
  const layer = Readiness.layer(Effect.succeed(true))

  effectIt.effect("does not wait if nothing polls readiness", () => Effect.provide(stop, layer))

  effectIt.effect("does not wait if something polled once", () =>
    Effect.gen(function* () {
      yield* ask
      yield* TestClock.adjust("2 seconds")
      yield* stop
    }).pipe(Effect.provide(layer)),
  )

  effectIt.effect("continues until a load balancer that polls every two seconds has noticed", () =>
    Effect.gen(function* () {
      for (let asks = 0; asks < 3; asks++) {
        assert.isTrue(yield* ask)
        yield* TestClock.adjust("2 seconds")
      }
      const stopping = yield* Effect.forkChild(stop, { startImmediately: true })
      yield* TestClock.adjust("1 seconds")
      assert.isUndefined(stopping.pollUnsafe())

      assert.isFalse(yield* ask)
      yield* Fiber.join(stopping)
    }).pipe(Effect.provide(layer)),
  )

  effectIt.effect("does not wait if polling stopped long ago", () =>
    Effect.gen(function* () {
      for (let asks = 0; asks < 3; asks++) {
        yield* ask
        yield* TestClock.adjust("2 seconds")
      }
      yield* TestClock.adjust("6 seconds")
      yield* stop
    }).pipe(Effect.provide(layer)),
  )
})
