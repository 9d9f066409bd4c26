// The server inside another application, without Effect. `createFootfall` starts the database, the routes and the
// workers; `fetch` and `listener` answer requests; `close` drains and stops everything it started.
import { ConfigProvider, Effect, Exit, Layer, Option, Scope, Semaphore } from "effect"
import type { IncomingMessage, ServerResponse } from "node:http"
import { makeApplication, Platform } from "./application.ts"
import { assets } from "../assets.ts"
import type { ConfigOptions } from "./config/options.ts"
import { checkOptions } from "./footfall-options.ts"
import type { IdentityResolver } from "../people/identification/resolving/identity-resolver.ts"
import type { LogEntry } from "./server/base-configuration.ts"
import { App, Workers } from "./server/services.ts"

// Additional identity resolvers: your own, or one behind HTTP.
export {
  httpResolver,
  type HttpResolverOptions,
} from "../people/identification/resolving/http-resolver.ts"
export type {
  IdentityResolver,
  ResolvedCompany,
  ResolvedPerson,
  ResolverAnswer,
  ResolverQuestion,
} from "../people/identification/resolving/identity-resolver.ts"

export type { LogEntry } from "./server/base-configuration.ts"

/** Options of an embedded server. An option wins over the environment variable of its name. */
export interface FootfallOptions extends ConfigOptions {
  /** Run workers in this process. Default: true. */
  readonly workers?: boolean | undefined
  /** Migrate the schema first. Default: true. */
  readonly migrate?: boolean | undefined
  /** Receives every log entry. Default: one line of JSON per entry on standard error. */
  readonly logger?: ((entry: LogEntry) => void) | undefined
  /** Called in order to identify a browser, before IP_COMPANY_FILE. Default: none. */
  readonly resolvers?: ReadonlyArray<IdentityResolver> | undefined
  /** The client's address for a `fetch` request, which a Request does not carry. Default: unknown. */
  readonly clientAddress?: ((request: Request) => string | undefined) | undefined
}

export interface Footfall {
  /** Web-standard handler for the API, the pixel host and `/docs`. */
  fetch(request: Request): Promise<Response>
  /** The same for node:http, Express and Fastify. */
  listener(request: IncomingMessage, response: ServerResponse): void
  /**
   * Background work: identification, runs, deliveries. A server without workers accepts requests and leaves the work to
   * others. Starting twice starts once; stopping returns unfinished work to its queue.
   */
  readonly workers: { start(): Promise<void>; stop(): Promise<void> }
  /** Finishes accepted requests, then stops the workers and the embedded database. Safe to call again. */
  close(): Promise<void>
}

/** Starts a server in this process. If it can't start, it rejects with the reason and leaves nothing behind. */
export const createFootfall = async (options: FootfallOptions = {}): Promise<Footfall> => {
  checkOptions(options)
  const scope = Scope.makeUnsafe()
  let closing: Promise<void> | undefined
  const close = () => (closing ??= Effect.runPromise(Scope.close(scope, Exit.void)))
  const started = Effect.gen(function* () {
    const services = Layer.provideMerge(App(options, assets), Platform)
    const context = yield* Layer.buildWithScope(services, scope).pipe(
      // The current environment; by default Effect keeps the one it saw first in this process.
      Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnv()),
    )
    const application = yield* makeApplication({ demo: Option.none() }).pipe(
      Effect.provideContext(context),
      Scope.provide(scope),
    )
    return { application, workers: yield* Effect.provideContext(makeWorkers(scope), context) }
  })
  try {
    const { application, workers } = await Effect.runPromise(started)
    if (options.workers !== false) await workers.start()
    return {
      fetch: (request) => application.fetch(request, options.clientAddress?.(request)),
      listener: application.listener,
      workers,
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** Workers that can be started and stopped repeatedly, and end with the server. */
const makeWorkers = Effect.fnUntraced(function* (server: Scope.Scope) {
  const context = yield* Effect.context<Layer.Services<typeof Workers>>()
  let running: Scope.Closeable | undefined
  const turn = yield* Semaphore.make(1)

  const start = Effect.gen(function* () {
    if (running !== undefined) return
    const scope = yield* Scope.fork(server)
    running = scope
    yield* Layer.buildWithScope(Workers, scope).pipe(Effect.provideContext(context))
  })
  const stop = Effect.suspend(() => {
    const scope = running
    running = undefined
    return scope === undefined ? Effect.void : Scope.close(scope, Exit.void)
  })

  return {
    start: () => Effect.runPromise(turn.withPermit(start)),
    stop: () => Effect.runPromise(turn.withPermit(stop)),
  }
})
