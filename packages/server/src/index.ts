// The server inside another application: no Effect needed. `createFootfall` brings up the database,
// the routes and the workers; `fetch` and `listener` answer requests; `close` drains and stops
// everything it started (architecture.md, Embedding surface).
import { Effect, Exit, Layer, Option, Scope } from "effect"
import type { IncomingMessage, ServerResponse } from "node:http"
import { assets, makeApplication, Platform } from "./application.ts"
import type { ConfigOptions } from "./config.ts"
import type { IdentityResolver } from "./identification/resolving/identity-resolver.ts"
import { App, Workers } from "./server/services.ts"

// Who else may know a browser: an own resolver, or one behind HTTP.
export { httpResolver, type HttpResolverOptions } from "./identification/resolving/http-resolver.ts"
export type {
  IdentityResolver,
  ResolvedCompany,
  ResolvedPerson,
  ResolverAnswer,
  ResolverQuestion,
} from "./identification/resolving/identity-resolver.ts"

/** Options of an embedded server; an option comes before the environment variable of its name. */
export interface FootfallOptions extends ConfigOptions {
  /** Prefix under which the host application mounts the handlers. Default: none. */
  readonly basePath?: string | undefined
  /** Run workers in this process. Default: true. */
  readonly workers?: boolean | undefined
  /** Bring the schema up to date first. Default: true. */
  readonly migrate?: boolean | undefined
  /** Asked in order who is behind a browser, before IP_COMPANY_FILE. Default: none. */
  readonly resolvers?: ReadonlyArray<IdentityResolver> | undefined
  /** The address a request of `fetch` came from; a Request does not carry it. Default: unknown. */
  readonly clientAddress?: ((request: Request) => string | undefined) | undefined
}

export interface Footfall {
  /** Web-standard handler for the API, the pixel host and `/docs`. */
  fetch(request: Request): Promise<Response>
  /** The same for node:http, Express and Fastify. */
  listener(request: IncomingMessage, response: ServerResponse): void
  /** Finishes what was taken, stops the workers and the embedded database. May be called again. */
  close(): Promise<void>
}

/** Starts a server in this process. Rejects with the reason when it cannot start, leaving nothing behind. */
export const createFootfall = async (options: FootfallOptions = {}): Promise<Footfall> => {
  const scope = Scope.makeUnsafe()
  let closing: Promise<void> | undefined
  const close = () => (closing ??= Effect.runPromise(Scope.close(scope, Exit.void)))
  const started = Effect.gen(function* () {
    const services = App({ ...options, role: "server" }, assets)
    const working = options.workers === false ? services : Layer.provideMerge(Workers, services)
    const context = yield* Layer.buildWithScope(Layer.provideMerge(working, Platform), scope)
    return yield* makeApplication({ basePath: options.basePath ?? "", demo: Option.none() }).pipe(
      Effect.provideContext(context),
      Scope.provide(scope),
    )
  })
  try {
    const application = await Effect.runPromise(started)
    return {
      fetch: (request) => application.fetch(request, options.clientAddress?.(request)),
      listener: application.listener,
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}
