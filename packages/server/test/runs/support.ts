// Creates audiences and runs for tests over HTTP, and sends requests about them.
import { ConfigProvider, Effect, Layer } from "effect"
import { expect, vi } from "vitest"
import { Platform } from "../../src/app/application.ts"
import { assets } from "../../src/assets.ts"
import { App } from "../../src/app/server/services.ts"
import { testSecret, type TestServer } from "../support/server.ts"

const intent = "/v1/intent/audiences"

/** As returned. A test asserts what it reads. */
export interface RunAnswer {
  readonly id: string
  readonly audienceId: string
  readonly status: string
  readonly runType: string
  readonly configHash: string
  readonly dataDate: string
  readonly attempts: number
  readonly candidateCount: number
  readonly resultCount: number
  readonly idempotencyKey: string
  readonly errorCode: string | null
  readonly errorMessage: string | null
  readonly nextAttemptAt: string | null
  readonly startedAt: string | null
  readonly completedAt: string | null
  readonly cancelledAt: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

export interface Asked {
  readonly apiKey?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export interface Answered<Data> {
  readonly status: number
  readonly data: Data
  readonly meta: Readonly<Record<string, unknown>>
  readonly error:
    | {
        readonly code: string
        readonly message: string
        readonly details?: Readonly<Record<string, unknown>>
      }
    | undefined
}

/** `path`: below `/v1/intent/audiences`. */
export const ask = async <Data = RunAnswer>(
  { apiKey, url }: Pick<TestServer, "apiKey" | "url">,
  method: string,
  path: string,
  asked: Asked = {},
): Promise<Answered<Data>> => {
  const response = await fetch(`${url}${intent}${path}`, {
    method,
    headers: {
      "x-api-key": asked.apiKey ?? apiKey,
      ...(asked.body === undefined ? {} : { "content-type": "application/json" }),
      ...asked.headers,
    },
    ...(asked.body === undefined ? {} : { body: JSON.stringify(asked.body) }),
  })
  const { data, error, meta } = (await response.json()) as Omit<Answered<Data>, "status">
  return { status: response.status, data, error, meta }
}

/** Creates an active audience. Returns its id. */
export const makeAudience = async (
  server: Pick<TestServer, "apiKey" | "url">,
  config: object,
  more: object = {},
): Promise<string> => {
  const { data, error } = await ask<{ readonly id: string }>(server, "POST", "", {
    body: { name: "Buyers", status: "active", config, ...more },
  })
  expect(error).toBeUndefined()
  return data.id
}

export const startRun = async (
  server: Pick<TestServer, "apiKey" | "url">,
  audienceId: string,
): Promise<RunAnswer> => {
  const { data, error } = await ask(server, "POST", `/${audienceId}/runs`)
  expect(error).toBeUndefined()
  return data
}

const isOver = ({ status }: RunAnswer) => status !== "queued" && status !== "running"

/** Waits until the run has ended. Needs workers. */
export const ended = (
  server: Pick<TestServer, "apiKey" | "url">,
  { audienceId, id }: Pick<RunAnswer, "audienceId" | "id">,
): Promise<RunAnswer> =>
  vi.waitFor(
    async () => {
      const { data } = await ask(server, "GET", `/${audienceId}/runs/${id}`)
      if (!isOver(data)) throw new Error(`the run is ${data.status}`)
      return data
    },
    { timeout: 30_000, interval: 25 },
  )

/** Completes a run of a new audience. Needs workers. */
export const completedRun = async (
  server: Pick<TestServer, "apiKey" | "url">,
  audienceId: string,
): Promise<RunAnswer> => {
  const run = await ended(server, await startRun(server, audienceId))
  expect(run).toMatchObject({ status: "completed", errorMessage: null })
  return run
}

/**
 * Services of another server without workers, on the same database. They read the current environment; by default,
 * Effect keeps that of the first file of a process.
 */
export const servicesOn = ({ databaseUrl, url }: TestServer) =>
  Layer.provideMerge(App({ databaseUrl, secret: testSecret, baseUrl: url }, assets), Platform).pipe(
    Layer.provide(ConfigProvider.layer(ConfigProvider.fromEnv())),
  )

/** Runs an effect with these services, and stops them. */
export const onServices = <A, E>(
  server: TestServer,
  effect: Effect.Effect<A, E, Layer.Success<ReturnType<typeof servicesOn>>>,
): Promise<A> => Effect.runPromise(Effect.provide(effect, servicesOn(server)))
