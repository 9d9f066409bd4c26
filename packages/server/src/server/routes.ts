// The routes of every room as one application, and the answer to what is no route.
import { Effect, Layer, Option } from "effect"
import { HttpRouter } from "effect/http"
import { HttpApiBuilder, HttpApiScalar, OpenApi } from "effect/http-api"
import { Checks } from "../access/groups.ts"
import { AccessHandlers } from "../access/layer.ts"
import { AccountHandlers } from "../account/handlers.ts"
import { Api } from "../api.ts"
import { AudienceHandlers } from "../audiences/layer.ts"
import { DeliveriesHandlers } from "../deliveries/handlers.ts"
import { DemoRoutes, demoRoutes, type ShownDemo } from "../demo/routes.ts"
import { DestinationHandlers } from "../destinations/layer.ts"
import { answer } from "../http/answer.ts"
import { docsPage, DocsPolicy, DocumentRoutes, documentRoutes } from "../http/documents.ts"
import { FrontPageRoutes } from "../http/front-page.ts"
import { OperationsRoutes, operationsRoutes } from "../http/operations.ts"
import { ErasureHandlers } from "../identification/erasure/handlers.ts"
import { MetricsRoutes, metricsRoutes } from "../metrics/routes.ts"
import { PeopleHandlers } from "../people/layer.ts"
import { PixelsHandlers } from "../pixels/handlers.ts"
import { OptOutRoutes, optOutRoutes } from "../pixels/opt-out/routes.ts"
import { ScriptRoutes, scriptRoutes } from "../pixels/routes.ts"
import { RunHandlers } from "../runs/layer.ts"
import { SuppressionHandlers } from "../suppression/handlers.ts"
import { TopicHandlers } from "../topics/layer.ts"
import { VisitorHandlers } from "../visitors/layer.ts"
import { CollectRoutes, collectRoutes } from "../visits/routes.ts"
import { WebhooksHandlers } from "../webhooks/handlers.ts"
import type { Assets } from "./configuration.ts"

export interface HttpAppOptions {
  /** What stood before the path of every request. */
  readonly basePath: string
  /** Serve its page too. */
  readonly demo: Option.Option<ShownDemo>
}

/** Answers one request; everything that is not 2xx is in the envelope. */
export const httpApp = ({ basePath, demo }: HttpAppOptions, { directory }: Assets) => {
  const hasDemo = Option.isSome(demo)
  const standard = Layer.merge(StandardRoutes, FrontPageRoutes({ basePath, hasDemo }))
  const routes = Option.match(demo, {
    onNone: () => ({ layer: standard, patterns: standardPatterns }),
    onSome: (installation) => ({
      layer: Layer.merge(standard, DemoRoutes(installation, `${directory}/demo`)),
      patterns: [...standardPatterns, ...demoRoutes],
    }),
  })
  return routes.layer.pipe(
    HttpRouter.toHttpEffect,
    Effect.provideService(HttpRouter.RouterConfig, routerConfig),
    Effect.map((app) => answer(app, routes.patterns)),
  )
}

const ApiRoutes = HttpApiBuilder.layer(Api).pipe(
  Layer.provide([
    AccessHandlers,
    AccountHandlers,
    AudienceHandlers,
    DeliveriesHandlers,
    DestinationHandlers,
    ErasureHandlers,
    PeopleHandlers,
    PixelsHandlers,
    RunHandlers,
    SuppressionHandlers,
    TopicHandlers,
    VisitorHandlers,
    WebhooksHandlers,
  ]),
  Layer.provide(Checks),
)

const StandardRoutes = Layer.mergeAll(
  ApiRoutes,
  HttpApiScalar.layer(Api, { path: "/docs", scalar: docsPage }).pipe(Layer.provide(DocsPolicy)),
  DocumentRoutes(OpenApi.fromApi(Api)),
  MetricsRoutes,
  OperationsRoutes,
  ScriptRoutes,
  OptOutRoutes,
  CollectRoutes,
)

/** Every route, for telling a wrong method from an unknown path; `/` is one to programs. */
const standardPatterns = [
  ...Object.values(Api.groups).flatMap((group) => Object.values(group.endpoints)),
  ...documentRoutes,
  { method: "GET", path: "/docs" },
  ...metricsRoutes,
  ...operationsRoutes,
  ...scriptRoutes,
  ...optOutRoutes,
  ...collectRoutes,
]

/** Another case, a doubled slash or one at the end is another path. spec 1.4, Unknown path. */
const routerConfig = {
  caseSensitive: true,
  ignoreDuplicateSlashes: false,
  ignoreTrailingSlash: false,
  maxParamLength: 500,
}
