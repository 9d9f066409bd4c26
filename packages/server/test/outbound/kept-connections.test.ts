// Kept connections for webhooks: reused only while the name still resolves to their address, never without a look-up,
// limited in number, and closed in time (spec 1.9).
import { Effect, Fiber } from "effect"
import { setTimeout as pause } from "node:timers/promises"
import * as undici from "undici"
import { afterEach, describe, expect, it, vi } from "vitest"
import {
  connectionsMax,
  KeptConnections,
  poolsMax,
} from "../../src/platform/outbound/kept-connections.ts"
import type { Outbound } from "../../src/platform/outbound/outbound.ts"
import { type Names, withOutbound } from "./outbound-layer.ts"
import { endlessly, startRawServer } from "./raw-server.ts"
import { startWebServer } from "./web-server.ts"

const closing: Array<() => Promise<void>> = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const serve = async (
  answer: Parameters<typeof startWebServer>[0] = (_, response) => response.end("ok"),
  host?: string,
  port?: number,
) => {
  const server = await startWebServer(answer, {
    ...(host === undefined ? {} : { host }),
    ...(port === undefined ? {} : { port }),
  })
  closing.push(server.close)
  return { ...server, url: `http://127.0.0.1:${server.port}/` }
}

const private_ = { isPrivateAllowed: true }

/** undici rests a connection for a turn of the event loop, so two of them take turns. */
const ofOneSender = 2

it("later requests use the open connections", async () => {
  const { connections, url } = await serve()

  await withOutbound(private_, async (send) => {
    for (let request = 0; request < 20; request++) {
      expect(await send(url)).toMatchObject({ status: 200 })
    }
  })

  expect(connections()).toBeLessThanOrEqual(ofOneSender)
})

it("all connections close with the layer", async () => {
  const { gone, url } = await startRawServer((socket) => {
    socket.write("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n")
  }).then((server) => {
    closing.push(server.close)
    return server
  })

  await withOutbound(private_, (send) => send(url))

  await gone
})

describe("the name", () => {
  it("is looked up for every request, even if a connection is kept", async () => {
    const { connections, port } = await serve()
    const lookup = vi.fn<Names["lookup"] & {}>(async () => [{ address: "127.0.0.1", family: 4 }])

    await withOutbound({ ...private_, lookup }, async (send) => {
      for (let request = 0; request < 5; request++) await send(`http://a.example:${port}/`)
    })

    expect(lookup).toHaveBeenCalledTimes(5)
    expect(connections()).toBeLessThanOrEqual(ofOneSender)
  })

  it("that moves is followed: the next request opens a connection to the new address", async () => {
    const first = await serve()
    const second = await serve((_, response) => response.end("second"), "127.0.0.2", first.port)
    const answers = ["127.0.0.1", "127.0.0.2", "127.0.0.1"]
    const lookup = async () => [{ address: answers.shift()!, family: 4 }]

    const bodies = await withOutbound({ ...private_, lookup }, async (send) => {
      const texts: Array<string> = []
      for (let request = 0; request < 3; request++) {
        const answer = await send(`http://a.example:${first.port}/`)
        texts.push("body" in answer ? Buffer.from(answer.body).toString() : answer._tag)
      }
      return texts
    })

    expect(bodies).toEqual(["ok", "second", "ok"])
    expect([first.connections(), second.connections()]).toEqual([1, 1])
  })

  it("is looked up once for concurrent requests", async () => {
    const { port } = await serve()
    const answered = Promise.withResolvers<void>()
    const lookup = vi.fn<Names["lookup"] & {}>(async () => {
      await answered.promise
      return [{ address: "127.0.0.1", family: 4 }]
    })

    await withOutbound({ ...private_, lookup }, async (send) => {
      const all = Array.from({ length: 20 }, () => send(`http://a.example:${port}/`))
      await vi.waitFor(() => expect(lookup).toHaveBeenCalled(), 10_000)
      answered.resolve()
      for (const answer of await Promise.all(all)) expect(answer).toMatchObject({ status: 200 })
    })

    expect(lookup).toHaveBeenCalledTimes(1)
  })

  it("two names with the same address share nothing", async () => {
    const { connections, port } = await serve()
    const lookup = async () => [{ address: "127.0.0.1", family: 4 }]

    await withOutbound({ ...private_, lookup }, async (send) => {
      await send(`http://a.example:${port}/`)
      await send(`http://b.example:${port}/`)
    })

    expect(connections()).toBe(2)
  })
})

it("one origin has a limited number of connections; more requests wait their turn", async () => {
  const held = new Set<() => void>()
  let most = 0
  let isFull = false
  const release = () => {
    for (const answer of held) answer()
    held.clear()
  }
  const { connections, url } = await serve((_, response) => {
    held.add(() => response.end())
    most = Math.max(most, held.size)
    if (isFull) return release()
    if (held.size < connectionsMax) return
    isFull = true
    // If more could run at once, they would arrive in this time.
    setTimeout(release, 200)
  })

  await withOutbound(private_, async (send) => {
    const answers = await Promise.all(Array.from({ length: connectionsMax + 100 }, () => send(url)))
    for (const answer of answers) expect(answer).toMatchObject({ status: 200 })
  })

  expect(most).toBe(connectionsMax)
  expect(connections()).toBe(connectionsMax)
})

it("a request that ends before it had a connection is never sent", async () => {
  const { requests, url } = await serve((request, response) => {
    if (request.url === "/held") setTimeout(() => response.end(), 400)
    else response.end()
  })

  await withOutbound(private_, async (send) => {
    const held = Array.from({ length: connectionsMax }, () => send(`${url}held`))
    expect(await send(`${url}late`, { timeoutMs: 100 })).toMatchObject({ _tag: "TimedOut" })
    for (const answer of await Promise.all(held)) expect(answer).toMatchObject({ status: 200 })
    await send(`${url}after`)
    await pause(20)
  })

  expect(requests.map(({ path }) => path)).not.toContain("/late")
  expect(requests.at(-1)?.path).toBe("/after")
})

/** Starts a request and returns the function that interrupts it. */
const interruptible = (outbound: Outbound["Service"], url: string): (() => Promise<unknown>) => {
  const fiber = Effect.runFork(outbound.send({ url, headers: {}, timeoutMs: 10_000 }))
  return () => Effect.runPromise(Fiber.interrupt(fiber))
}

const answer = "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n"

it.each([
  ["before its response", ""],
  ["within its response", "HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf"],
])("a request that is interrupted %s closes its connection", async (_, text) => {
  const begun = Promise.withResolvers<void>()
  const server = await startRawServer((socket, connection) => {
    socket.write(connection === 1 ? text : answer)
    begun.resolve()
  })
  closing.push(server.close)

  await withOutbound(private_, async (send, outbound) => {
    const interrupt = interruptible(outbound, server.url)
    await begun.promise
    await interrupt()
    // On the first connection it would wait.
    expect(await send(server.url)).toMatchObject({ status: 200 })
    await server.gone
  })
})

it("a request that is interrupted during the name look-up opens no connection", async () => {
  const { connections, port } = await serve()
  const looking = Promise.withResolvers<void>()
  const found = Promise.withResolvers<void>()
  const lookup = async () => {
    looking.resolve()
    await found.promise
    return [{ address: "127.0.0.1", family: 4 }]
  }

  await withOutbound({ ...private_, lookup }, async (send, outbound) => {
    const interrupt = interruptible(outbound, `http://a.example:${port}/`)
    await looking.promise
    await interrupt()
    found.resolve()
    // Would follow on a connection of the first.
    expect(await send(`http://a.example:${port}/`)).toMatchObject({ status: 200 })
  })

  expect(connections()).toBe(1)
})

it("a response whose body is cut closes its connection", async () => {
  const server = await startRawServer((socket, connection) => {
    if (connection > 1) return void socket.write(answer)
    socket.write("HTTP/1.1 200 OK\r\ncontent-length: 10737418240\r\n\r\n")
    endlessly(socket, "x".repeat(65_536))
  })
  closing.push(server.close)

  await withOutbound(private_, async (send) => {
    expect(await send(server.url)).toMatchObject({ status: 200, bodyIsCut: true })
    expect(await send(server.url)).toMatchObject({ status: 200, bodyIsCut: false })
    await server.gone
  })
})

describe("kept connections", () => {
  const addresses = [{ address: "127.0.0.1", family: 4 }]

  /** A request that is in progress until `release` is called. */
  const held = async (kept: KeptConnections, server: Awaited<ReturnType<typeof serve>>) => {
    const pool = kept.pool(new URL(server.url).origin, addresses)
    const answered = pool.request({ path: "/held", method: "GET" })
    await vi.waitFor(() => expect(pool.stats.running).toBe(1), 10_000)
    return { pool, answered }
  }
  const holding = async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const server = await serve((_, response) => void promise.then(() => response.end()))
    return { server, release: resolve }
  }
  const at = (kept: KeptConnections, index: number) =>
    kept.pool(`http://127.0.0.1:${10_000 + index}`, addresses)

  it("close at the second sweep after their last use, and not while one is in use", async () => {
    const kept = new KeptConnections(undici)
    const { release, server } = await holding()
    const unused = at(kept, 1)
    const { answered, pool } = await held(kept, server)

    kept.sweep()
    expect(unused.closed).toBe(false)
    kept.sweep()
    expect(unused.closed).toBe(true)
    kept.sweep()
    expect(pool.closed).toBe(false)
    release()
    expect((await answered).statusCode).toBe(200)

    await kept.close()
    expect(pool.destroyed).toBe(true)
  })

  it("make room beyond 512 origins: those used longest ago close, once their requests have ended", async () => {
    const kept = new KeptConnections(undici)
    const { release, server } = await holding()
    const { answered, pool } = await held(kept, server)
    for (let index = 1; index < poolsMax; index++) at(kept, index)
    expect(pool.closed).toBe(false)

    at(kept, poolsMax)

    expect([pool.closed, pool.destroyed]).toEqual([true, false])
    release()
    expect((await answered).statusCode).toBe(200)
    await vi.waitFor(() => expect(pool.destroyed).toBe(true), 10_000)
    await kept.close()
  })

  it("close with the layer, and requests that run or wait for one fail", async () => {
    const kept = new KeptConnections(undici)
    const { release, server } = await holding()
    const all = Array.from({ length: connectionsMax + 1 }, () =>
      kept
        .pool(new URL(server.url).origin, addresses)
        .request({ path: "/held", method: "GET" })
        .then(
          () => "answered",
          () => "failed",
        ),
    )
    await vi.waitFor(() => expect(server.connections()).toBe(connectionsMax), 20_000)

    await kept.close()

    expect(new Set(await Promise.all(all))).toEqual(new Set(["failed"]))
    release()
  })

  it("end a handshake that is never answered when they close", async () => {
    const kept = new KeptConnections(undici)
    const begun = Promise.withResolvers<void>()
    const silent = await startRawServer(() => begun.resolve())
    closing.push(silent.close)
    const pool = kept.pool(`https://127.0.0.1:${silent.port}`, addresses)
    const answered = pool.request({ path: "/", method: "GET" }).then(
      () => "answered",
      () => "failed",
    )
    await begun.promise

    await kept.close()

    expect(await answered).toBe("failed")
    // Dialing alone would end after 30 s.
    const left = silent.gone.then(() => "left")
    expect(await Promise.race([left, pause(15_000, "still there", { ref: false })])).toBe("left")
  })

  it("are the same for the same addresses in another order, and others for other addresses", async () => {
    const kept = new KeptConnections(undici)
    const other = { address: "127.0.0.2", family: 4 }
    const [one] = addresses as [{ address: string; family: number }]
    const pools = [[one, other], [other, one], [one]].map((each) =>
      kept.pool("http://a.example", each),
    )

    expect(pools[1]).toBe(pools[0])
    expect(pools[2]).not.toBe(pools[0])
    await kept.close()
  })
})
