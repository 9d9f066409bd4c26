// The client for Effect programs, against a real HTTP server: calls, lists, files, errors, and that
// an interruption ends the request.
import { Effect, Exit, Fiber, Stream } from "effect"
import { describe, expect, expectTypeOf, it } from "vitest"
import { resourcesOn } from "../src/client.ts"
import { PagedList } from "../src/core/paged-list.ts"
import { Transport } from "../src/core/transport.ts"
import { type CallError, Footfall } from "../src/effect.ts"
import * as sdk from "../src/index.ts"
import { resolveOptions } from "../src/options.ts"
import type { Pixel, PixelWithCode, Run, SessionEvent, Visitor } from "../src/index.ts"
import { accessToken, apiKey } from "./support/credentials.ts"
import { scriptedServer, type ScriptedServer, type Step } from "./support/scripted-server.ts"
import { hang, hangInsideBody, refuse, succeed } from "./support/steps.ts"

const id = "cdd19037-47fb-4e21-a054-2da787925aea"

const run = <Value, Failure>(
  { baseUrl }: Pick<ScriptedServer, "baseUrl">,
  program: Effect.Effect<Value, Failure, Footfall>,
) =>
  Effect.runPromiseExit(Effect.provide(program, Footfall.layer({ apiKey, baseUrl, maxRetries: 0 })))

const person = (email: string, nextCursor: string | null): Step =>
  succeed([{ email }], { nextCursor })

it("a call is an Effect of its data, also in a nested resource", async () => {
  await using server = await scriptedServer([succeed([{ id }]), succeed([]), succeed({ id })])
  const program = Effect.gen(function* () {
    const { pixels, request, runs } = yield* Footfall
    expectTypeOf(pixels.get).toEqualTypeOf<
      (pixelId: string, options?: sdk.RequestOptions) => Effect.Effect<PixelWithCode, CallError>
    >()
    expectTypeOf(runs.start(id)).toEqualTypeOf<Effect.Effect<Run, CallError>>()
    const list: ReadonlyArray<Pixel> = yield* pixels.list()
    yield* pixels.writeKeys.list(id)
    const { data } = yield* request({ method: "GET", path: "/v1/data/account" })
    return { list, data }
  })

  expect(await run(server, program)).toEqual(Exit.succeed({ list: [{ id }], data: { id } }))
  expect(server.received.map(({ path }) => path)).toEqual([
    "/v1/data/pixels",
    `/v1/data/pixels/${id}/write-keys`,
    "/v1/data/account",
  ])
})

it("a request uses the credential that it names", async () => {
  await using server = await scriptedServer([succeed({}), succeed({})])
  const program = Effect.gen(function* () {
    const { request } = yield* Footfall
    yield* request({ method: "GET", path: "/v1/auth/me", credentials: "accessToken" })
    yield* request({ method: "GET", path: "/v1/auth/me" })
  })
  const { baseUrl } = server

  await Effect.runPromise(
    Effect.provide(program, Footfall.layer({ apiKey, accessToken, baseUrl, maxRetries: 0 })),
  )

  expect(
    server.received.map(({ headers }) => [headers.authorization, headers["x-api-key"]]),
  ).toEqual([
    [`Bearer ${accessToken}`, undefined],
    [undefined, apiKey],
  ])
})

it("nothing is sent before an Effect or a Stream runs, and each run sends again", async () => {
  await using server = await scriptedServer([succeed([1]), succeed([2])])
  const program = Effect.gen(function* () {
    const footfall = yield* Footfall
    const list = footfall.pixels.list()
    footfall.visitors.list()
    expect(server.received).toHaveLength(0)
    return [yield* list, yield* list]
  })

  expect(await run(server, program)).toEqual(Exit.succeed([[1], [2]]))
})

it("a paged list is a Stream that requests a page when it reaches it", async () => {
  await using server = await scriptedServer([
    person("a@b.example", "two"),
    person("c@d.example", null),
  ])
  const program = Effect.gen(function* () {
    const { visitors } = yield* Footfall
    const all = visitors.list({ timeframe: "30d" })
    expectTypeOf(all).toEqualTypeOf<Stream.Stream<Visitor, CallError>>()
    const first = yield* Stream.runCollect(Stream.take(all, 1))
    expect(server.received).toHaveLength(1)
    return first.map(({ email }) => email)
  })
  expect(await run(server, program)).toEqual(Exit.succeed(["a@b.example"]))

  await using again = await scriptedServer([
    person("a@b.example", "two"),
    person("c@d.example", null),
  ])
  const whole = Effect.flatMap(Footfall, ({ visitors }) => Stream.runCollect(visitors.list()))
  expect(await run(again, whole)).toMatchObject({
    value: [{ email: "a@b.example" }, { email: "c@d.example" }],
  })
  expect(again.received.map(({ query }) => query.get("cursor"))).toEqual([null, "two"])
})

it("a paged list in a nested resource is a Stream too, also below a call", async () => {
  const event = (path: string, nextCursor: string | null): Step =>
    succeed([{ path }], { nextCursor })
  await using server = await scriptedServer([
    event("/", "two"),
    event("/pricing", null),
    event("/docs", null),
    succeed([{ sessionId: "ab" }], { nextCursor: null }),
  ])
  const program = Effect.gen(function* () {
    const { companies, visitors } = yield* Footfall
    const events = visitors.sessions.events("hash", "ab")
    expectTypeOf(events).toEqualTypeOf<Stream.Stream<SessionEvent, CallError>>()
    const all = yield* Stream.runCollect(events)
    const ofCompany = yield* Stream.runCollect(companies.sessions.events("a.example", "ab"))
    const sessions = yield* Stream.runCollect(visitors.sessions("hash"))
    return [...all, ...ofCompany, ...sessions]
  })

  expect(await run(server, program)).toMatchObject({
    value: [{ path: "/" }, { path: "/pricing" }, { path: "/docs" }, { sessionId: "ab" }],
  })
  expect(server.received.map(({ path }) => path)).toEqual([
    "/v1/data/visitors/hash/sessions/ab/events",
    "/v1/data/visitors/hash/sessions/ab/events",
    "/v1/data/companies/a.example/sessions/ab/events",
    "/v1/data/visitors/hash/sessions",
  ])
})

describe("errors", () => {
  it("are those of the SDK, distinguished by their tag", async () => {
    await using server = await scriptedServer([refuse(404, "NOT_FOUND"), refuse(418, "TEAPOT")])
    const program = Effect.gen(function* () {
      const { pixels } = yield* Footfall
      const missing = yield* pixels.get(id).pipe(
        Effect.map(() => "found"),
        Effect.catchTag("NotFoundError", ({ code, requestId }) =>
          Effect.succeed(`${code} ${requestId}`),
        ),
      )
      const other = yield* Effect.flip(pixels.get(id))
      return [missing, other._tag, other instanceof sdk.ApiError]
    })

    expect(await run(server, program)).toEqual(
      Exit.succeed(["NOT_FOUND req_rtjpiop3f24wzahlzbcsj2b7co", "ApiError", true]),
    )
  })

  it("fail a Stream where they occur", async () => {
    await using server = await scriptedServer([
      person("a@b.example", "two"),
      refuse(400, "INVALID_CURSOR"),
    ])
    const seen: Array<string | null> = []
    const program = Effect.gen(function* () {
      const { visitors } = yield* Footfall
      const each = ({ email }: Visitor) => Effect.sync(() => void seen.push(email))
      return yield* Effect.flip(Stream.runForEach(visitors.list(), each))
    })

    expect(await run(server, program)).toMatchObject({ value: { _tag: "BadRequestError" } })
    expect(seen).toEqual(["a@b.example"])
  })

  it("a mistake in the program is a defect", async () => {
    const program = Effect.flatMap(Footfall, ({ pixels }) => pixels.get(""))
    const exit = await run({ baseUrl: "http://127.0.0.1:1" }, program)

    expect(Exit.isFailure(exit) && exit.cause.reasons[0]).toMatchObject({
      _tag: "Die",
      defect: expect.any(TypeError),
    })
  })

  it("an invalid option fails the layer", async () => {
    const layer = Footfall.layer({ maxRetries: 99 })
    const program = Effect.flip(Effect.provide(Effect.flatMap(Footfall, Effect.succeed), layer))

    expect(await Effect.runPromise(program)).toBeInstanceOf(sdk.ConfigurationError)
  })

  it("each class has its name as its tag, which is not printed", () => {
    const classes = Object.entries(sdk).filter(([name]) => name.endsWith("Error"))
    for (const [name, { prototype }] of classes) {
      const tag: unknown = Reflect.get(Object(prototype), "_tag")
      expect(tag).toBe(name === "FootfallError" ? undefined : name)
    }
    expect(Object.keys(new sdk.ConnectionError("no"))).not.toContain("_tag")
  })
})

describe("an interruption", () => {
  it.each([
    ["a call", (f: Footfall["Service"]) => f.pixels.list()],
    ["a Stream", (f: Footfall["Service"]) => Stream.runDrain(f.visitors.list())],
    ["a wait", (f: Footfall["Service"]) => f.runs.wait({ audienceId: id, id })],
    [
      "a file",
      (f: Footfall["Service"]) => Effect.flatMap(f.runs.exportCsv(id, id), Stream.runDrain),
    ],
  ])("of %s closes its connection at once", async (name, call) => {
    let closed = Promise.withResolvers<void>()
    let asked = Promise.withResolvers<void>()
    const stall: Step = (response, request) => {
      request.socket.once("close", () => closed.resolve())
      if (name === "a file") hangInsideBody(response, request)
      else hang(response, request)
      asked.resolve()
    }
    await using server = await scriptedServer([stall])
    const program = Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(call(yield* Footfall))
      yield* Effect.promise(() => asked.promise)
      yield* Fiber.interrupt(fiber)
      yield* Effect.promise(() => closed.promise)
    })

    expect(await run(server, program)).toEqual(Exit.succeed(undefined))
  })
})

it("a file is a Stream of its bytes, and stopping early frees the connection", async () => {
  const closed = Promise.withResolvers<void>()
  const endless: Step = (response, request) => {
    request.socket.once("close", () => closed.resolve())
    response.writeHead(200, { "content-type": "text/csv" })
    response.write("email\n")
  }
  await using server = await scriptedServer([endless])
  const program = Effect.gen(function* () {
    const { runs } = yield* Footfall
    const file = yield* runs.exportCsv(id, id)
    const [first] = yield* Stream.runCollect(Stream.take(file, 1))
    yield* Effect.promise(() => closed.promise)
    return new TextDecoder().decode(first)
  })

  expect(await run(server, program)).toEqual(Exit.succeed("email\n"))
})

it("converts every call of the client, and only lists into Streams", async () => {
  const settings = resolveOptions({ apiKey, fetch: async () => Response.json({}) }, {})
  const plain = resourcesOn(new Transport(settings))
  const footfall = await Effect.runPromise(
    Effect.provide(
      Effect.flatMap(Footfall, Effect.succeed),
      Footfall.layer({ apiKey, fetch: async () => Response.json({}) }),
    ),
  )
  // Most calls take ids first and do nothing with them before they run.
  const ids = [id, id, {}, {}]
  for (const [name, resource] of Object.entries(plain)) {
    for (const call of Object.getOwnPropertyNames(Object.getPrototypeOf(resource))) {
      if (call === "constructor") continue
      const turned: unknown = Object(footfall)[name][call]
      expect(turned, `${name}.${call}`).toBeInstanceOf(Function)
      if (!/^(list|query|sessions|results|failures|deliveries)$/.test(call)) continue
      const made: PromiseLike<unknown> = Object(resource)[call](...ids)
      const isList = made instanceof PagedList
      if (!isList) made.then(undefined, () => {})
      expect(Stream.isStream(Object(footfall)[name][call](...ids)), `${name}.${call}`).toBe(isList)
    }
  }
})
