// Footfall inside an Effect program: services replaced without a fork, and a typed client of the contract.
import { Clock, DateTime, Effect, Layer, Redacted, Ref } from "effect"
import { FetchHttpClient, type HttpClient } from "effect/http"
import { HttpApiClient } from "effect/http-api"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import {
  Api,
  type ClientCredentialsOptions,
  clientCredentials,
  FootfallServer,
  Mail,
  type MailMessage,
  SignalStore,
} from "../../src/app/effect.ts"
import { Background } from "../../src/platform/database/statement-limits.ts"
import { CreditStore } from "../../src/people/credits/store.ts"
import { startServer, testSecret, type TestServer } from "../support/server.ts"

type ClientServices = HttpClient.HttpClient | Layer.Success<ReturnType<typeof clientCredentials>>

let server: TestServer

beforeAll(async () => {
  server = await startServer({ workers: false })
})
afterAll(() => server.close())

const optionsWith = (replacements: Layer.Layer<never, never, never>, workers = false) => ({
  databaseUrl: server.databaseUrl,
  secret: testSecret,
  baseUrl: server.url,
  rateLimits: false,
  workers,
  logger: () => {},
  replacements,
})

/** The response of the server with the replacements. */
const answered = (
  replacements: Layer.Layer<never, never, never>,
  path: string,
  init: RequestInit = {},
  workers = false,
) =>
  Effect.gen(function* () {
    const { fetch } = yield* FootfallServer
    const headers = { "x-api-key": server.apiKey, "content-type": "application/json" }
    const request = new Request(`${server.url}${path}`, { headers, ...init })
    const response = yield* Effect.promise(() => fetch(request))
    return (yield* Effect.promise(() => response.json())) as {
      readonly data: Readonly<Record<string, unknown>>
      readonly meta: { readonly timestamp: string }
    }
  }).pipe(
    Effect.provide(FootfallServer.layer(optionsWith(replacements, workers))),
    Effect.runPromise,
  )

describe("a custom service", () => {
  it("replaces the clock", async () => {
    const moment = DateTime.makeUnsafe("2030-01-01T00:00:00.000Z")
    const still: Clock.Clock = Object.assign(Object.create(Effect.runSync(Clock.Clock)), {
      currentTimeMillisUnsafe: () => moment.epochMilliseconds,
      currentTimeMillis: Effect.succeed(moment.epochMilliseconds),
    })

    const { meta } = await answered(Layer.succeed(Clock.Clock, still), "/v1/data/pixels")

    expect(meta.timestamp).toBe("2030-01-01T00:00:00.000Z")
  })

  it("replaces the mailer", async () => {
    const sent = Ref.makeUnsafe<ReadonlyArray<MailMessage>>([])
    const keep = (message: MailMessage) => Ref.update(sent, (all) => [...all, message])
    const mail = Layer.succeed(Mail, { isConfigured: true, send: keep, post: keep })
    const owner = await server.makeUser("owner")

    await answered(mail, `/v1/organizations/${server.organizationId}/members`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${owner.accessToken}`,
        "content-type": "application/json",
      },
      body: JSON.stringify({ email: "new@acme.example", role: "member" }),
    })

    const [message, ...others] = await Effect.runPromise(Ref.get(sent))
    expect(message).toMatchObject({ to: "new@acme.example" })
    expect(others).toEqual([])
  })

  it("replaces a store", async () => {
    const signals = Layer.mock(SignalStore, {
      dataDate: () => Effect.succeed({ date: "2029-12-31", today: "2030-01-01" }),
    })

    const { data } = await answered(signals, "/v1/data/account")

    expect(data["intent"]).toMatchObject({ dataDate: "2029-12-31" })
  })

  it("does background work for a worker, but not for a request", async () => {
    const seen = { worker: new Set<boolean>(), request: new Set<boolean>() }
    const noting = <A>(place: Set<boolean>, value: A) =>
      Effect.map(Background, (isBackground) => {
        place.add(isBackground)
        return value
      })
    const stores = Layer.merge(
      Layer.mock(CreditStore, { releasable: noting(seen.worker, []) }),
      Layer.mock(SignalStore, {
        dataDate: () => noting(seen.request, { date: "2029-12-31", today: "2030-01-01" }),
      }),
    )

    await answered(stores, "/v1/data/account", {}, true)

    expect(seen).toEqual({ worker: new Set([true]), request: new Set([false]) })
  })
})

describe("the typed client of the contract", () => {
  const asked = <A, E>(
    question: Effect.Effect<A, E, ClientServices>,
    credentials: ClientCredentialsOptions,
  ) =>
    Effect.runPromise(
      question.pipe(Effect.provide([FetchHttpClient.layer, clientCredentials(credentials)])),
    )

  it("sends the key where a key is accepted", async () => {
    const pixels = Effect.gen(function* () {
      const { pixels } = yield* HttpApiClient.make(Api, { baseUrl: server.url })
      return (yield* pixels.list({ query: {} })).data
    })

    const [pixel] = await asked(pixels, { apiKey: Redacted.make(server.apiKey) })

    expect(pixel?.domain).toBe("tidewater.example")
  })

  it("sends the token where a token is accepted, and has a typed error where it is rejected", async () => {
    const { accessToken } = await server.makeUser("viewer")
    const keys = Effect.gen(function* () {
      const { apiKeys } = yield* HttpApiClient.make(Api, { baseUrl: server.url })
      return yield* Effect.flip(apiKeys.list({ query: {} }))
    })

    const refused = await asked(keys, { accessToken: Redacted.make(accessToken) })

    expect(refused).toMatchObject({ error: { code: "FORBIDDEN" } })
  })
})
