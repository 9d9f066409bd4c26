// The two handlers of a running server, built from the routes: `fetch` for Web-standard hosts and `listener` for
// node:http. Both answer every request the same way, except that only the listener compresses. It also handles the
// collect route before the router (visits/listener.ts).
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
import { assets } from "../assets.ts"
import { ServerConfig } from "./config/config.ts"
import type { ShownDemo } from "./demo/routes.ts"
import {
  baseUrlFault,
  isBelow,
  otherMount,
  routedRequest,
  withoutBase,
} from "../platform/http/base-path.ts"
import { compressed } from "../platform/http/compression.ts"
import { PeerAddress } from "../platform/http/request-context.ts"
import {
  makeTakenRequests,
  refuseTakenBody,
  takenBodyResponse,
} from "../platform/http/taken-requests.ts"
import { httpApp, operationsApp } from "./server/routes.ts"
import { makeCollectListener } from "../collect/visits/listener.ts"

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

/** `demo`: the installation whose page is served. */
export const makeApplication = Effect.fnUntraced(function* (options: {
  readonly demo: Option.Option<ShownDemo>
}) {
  const config = yield* ServerConfig
  const { basePath } = config
  const app = yield* httpApp(options, assets)
  // Requests that start after the listening socket opened run in a scope that closes after it; otherwise they would be
  // interrupted first.
  const scope = yield* Effect.flatMap(Effect.scope, Scope.fork)
  const taken = yield* makeTakenRequests
  const handle = yield* NodeHttpServer.makeHandler(compressed(app), { scope })
  const collect = yield* makeCollectListener
  const clock = yield* Clock.Clock
  const now = () => DateTime.formatIso(DateTime.makeUnsafe(clock.currentTimeMillisUnsafe()))
  const notice = Effect.runForkWith(yield* Effect.context<never>())
  const fault = config.isMounted ? baseUrlFault(config) : undefined
  if (fault !== undefined) yield* Effect.logWarning(fault)
  let isNoticed = !config.isMounted
  const noticeMount = (path: string): void => {
    if (isNoticed || isBelow(path, basePath)) return
    isNoticed = true
    notice(Effect.logWarning(otherMount(basePath)))
  }
  const answerWeb = HttpEffect.toWebHandlerWith<
    never,
    HttpServerRequest.HttpServerRequest | Scope.Scope
  >(yield* Effect.context<never>())(app)

  const application: Application = {
    fetch: async (request, peer) => {
      const refusal = takenBodyResponse(request, now)
      if (refusal !== undefined) return refusal
      if (!isNoticed) noticeMount(new URL(request.url).pathname)
      return taken.until(
        answerWeb(routedRequest(request, basePath), Context.make(PeerAddress, peer)),
      )
    },
    listener: (request, response) => {
      if (refuseTakenBody(request, response, now)) return
      taken.untilClosed(response)
      const path = request.url ?? "/"
      if (!isNoticed) noticeMount(originalPathOf(request) ?? path)
      if (basePath !== "") request.url = withoutBase(path, basePath)
      if (!collect(request, response)) handle(request, response)
    },
  }
  return application
})

/** What a process that only runs workers answers: its health and its metrics. */ // spec 1.1.3
export const makeOperationsListener = Effect.gen(function* () {
  const scope = yield* Effect.flatMap(Effect.scope, Scope.fork)
  return yield* NodeHttpServer.makeHandler(yield* operationsApp, { scope })
})

/** Express removes the path of the mount from `url`, and keeps the whole one in `originalUrl`. */
const originalPathOf = (request: IncomingMessage): string | undefined =>
  "originalUrl" in request && typeof request.originalUrl === "string"
    ? request.originalUrl
    : undefined
