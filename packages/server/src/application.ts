// The two handlers of a running server, built from the routes: `fetch` for Web-standard hosts and `listener` for
// node:http. Both answer every request the same way; the listener handles the collect route before the router
// (visits/listener.ts).
import { NodeHttpPlatform, NodeHttpServer, NodeServices } from "@effect/platform-node"
import {
  Clock,
  Context,
  DateTime,
  Effect,
  type FileSystem,
  Layer,
  type Option,
  type Path,
  Scope,
  type Stdio,
  type Terminal,
} from "effect"
import { Etag, HttpEffect, type HttpPlatform, type HttpServerRequest } from "effect/http"
import type { ChildProcessSpawner } from "effect/process"
import type { IncomingMessage, ServerResponse } from "node:http"
import { assets } from "./assets.ts"
import type { ShownDemo } from "./demo/routes.ts"
import { PeerAddress } from "./http/request-context.ts"
import { makeTakenRequests, refuseTakenBody, takenBodyResponse } from "./http/taken-requests.ts"
import { httpApp } from "./server/routes.ts"
import { makeCollectListener } from "./visits/listener.ts"

export interface Application {
  /** `peer`: the address the request came from, if the host knows it. */
  fetch(request: Request, peer?: string | undefined): Promise<Response>
  listener(request: IncomingMessage, response: ServerResponse): void
}

/** What Node provides to services and routes: files, processes, responses from files. */
export const Platform: Layer.Layer<PlatformServices> = Layer.mergeAll(
  NodeServices.layer,
  NodeHttpPlatform.layer,
  Etag.layer,
)

/** Named explicitly, because users of this package's declarations don't have @effect/platform-node. */
type PlatformServices =
  | ChildProcessSpawner.ChildProcessSpawner
  | Etag.Generator
  | FileSystem.FileSystem
  | HttpPlatform.HttpPlatform
  | Path.Path
  | Stdio.Stdio
  | Terminal.Terminal

/** `basePath`: the prefix removed from every path before routing. `demo`: the installation whose page is served. */
export const makeApplication = Effect.fnUntraced(function* (options: {
  readonly basePath: string
  readonly demo: Option.Option<ShownDemo>
}) {
  const { basePath, demo } = options
  const app = yield* httpApp({ basePath, demo }, assets)
  // Requests that start after the listening socket opened run in a scope that closes after it; otherwise they would be
  // interrupted first.
  const scope = yield* Effect.flatMap(Effect.scope, Scope.fork)
  const taken = yield* makeTakenRequests
  const handle = yield* NodeHttpServer.makeHandler(app, { scope })
  const collect = yield* makeCollectListener
  const clock = yield* Clock.Clock
  const now = () => DateTime.formatIso(DateTime.makeUnsafe(clock.currentTimeMillisUnsafe()))
  const answerWeb = HttpEffect.toWebHandlerWith<
    never,
    HttpServerRequest.HttpServerRequest | Scope.Scope
  >(yield* Effect.context<never>())(app)

  const application: Application = {
    fetch: async (request, peer) => {
      const refusal = takenBodyResponse(request, now)
      if (refusal !== undefined) return refusal
      return taken.until(
        answerWeb(
          basePath === "" ? request : new Request(withoutBase(request, basePath), request),
          Context.make(PeerAddress, peer),
        ),
      )
    },
    listener: (request, response) => {
      if (refuseTakenBody(request, response, now)) return
      taken.untilClosed(response)
      if (basePath !== "") request.url = stripBase(request.url ?? "/", basePath)
      if (!collect(request, response)) handle(request, response)
    },
  }
  return application
})

const withoutBase = (request: Request, basePath: string): URL => {
  const url = new URL(request.url)
  url.pathname = stripBase(url.pathname, basePath)
  return url
}

const stripBase = (path: string, basePath: string): string =>
  path === basePath || path.startsWith(`${basePath}/`) || path.startsWith(`${basePath}?`)
    ? path.slice(basePath.length).replace(/^(?!\/)/, "/")
    : path
