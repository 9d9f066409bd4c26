// The routes of every room as one application, and the answer to what is no route.
import { Effect, Layer, Option } from "effect"
import { HttpRouter } from "effect/http"
import { HttpApiBuilder, HttpApiScalar, OpenApi } from "effect/http-api"
import {
  ApiKeyAuthentication,
  BearerAuthentication,
  EitherAuthentication,
  OrganizationActive,
} from "../access/authentication.ts"
import { ApiKeysHandlers } from "../access/keys/handlers.ts"
import { OptionalAuthentication } from "../access/optional-authentication.ts"
import { OrganizationsHandlers } from "../access/organizations/handlers.ts"
import { AuthHandlers } from "../access/sign-in/handlers.ts"
import { AccountHandlers } from "../account/handlers.ts"
import { Api } from "../api.ts"
import { AudienceFiltersHandlers, PreviewsHandlers } from "../audiences/handlers.ts"
import { AudiencesHandlers } from "../audiences/lifecycle/handlers.ts"
import { DeliveriesHandlers } from "../deliveries/handlers.ts"
import { DemoRoutes, demoRoutes, type ShownDemo } from "../demo/routes.ts"
import { IntegrationsHandlers } from "../destinations/accounts/handlers.ts"
import { DestinationSecretsHandlers, DestinationsHandlers } from "../destinations/handlers.ts"
import { AddressRateLimit, PublicRateLimit, RateLimit } from "../http/rate-limit.ts"
import { answer } from "../http/answer.ts"
import { DocsPolicy, docsPage } from "../http/docs-page.ts"
import { DocumentRoutes, documentRoutes } from "../http/documents.ts"
import { FrontPageRoutes } from "../http/front-page.ts"
import { JsonBody } from "../http/json-body.ts"
import { MetricsRoutes, metricsRoutes } from "../metrics/routes.ts"
import { OperationsRoutes, operationsRoutes } from "../http/operations.ts"
import { PublicCache } from "../http/public-cache.ts"
import { RequestErrors } from "../http/request-errors.ts"
import { ErasureHandlers } from "../identification/erasure/handlers.ts"
import { ImportsHandlers } from "../people/handlers.ts"
import { LinkTokensHandlers } from "../people/link-tokens/handlers.ts"
import { PixelsHandlers } from "../pixels/handlers.ts"
import { OptOutRoutes, optOutRoutes } from "../pixels/opt-out/routes.ts"
import { ScriptRoutes, scriptRoutes } from "../pixels/routes.ts"
import { RunsHandlers } from "../runs/handlers.ts"
import { ExportDownloadsHandlers, ExportsHandlers } from "../runs/exports/handlers.ts"
import { SuppressionHandlers } from "../suppression/handlers.ts"
import { SiteAnalysisHandlers, SiteTopicsHandlers } from "../topics/analysis/handlers.ts"
import { TopicsHandlers } from "../topics/catalogue/handlers.ts"
import { TopicListsHandlers } from "../topics/lists/handlers.ts"
import { TopicTrendsHandlers } from "../topics/trends/handlers.ts"
import { VisitorsHandlers } from "../visitors/handlers.ts"
import { SegmentsHandlers } from "../visitors/segments/handlers.ts"
import { SessionsHandlers } from "../visitors/sessions/handlers.ts"
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
    ImportsHandlers,
    LinkTokensHandlers,
    AccountHandlers,
    ErasureHandlers,
    ApiKeysHandlers,
    AuthHandlers,
    OrganizationsHandlers,
    VisitorsHandlers,
    SessionsHandlers,
    SegmentsHandlers,
    PixelsHandlers,
    SuppressionHandlers,
    WebhooksHandlers,
    TopicsHandlers,
    SiteAnalysisHandlers,
    SiteTopicsHandlers,
    TopicListsHandlers,
    AudiencesHandlers,
    AudienceFiltersHandlers,
    PreviewsHandlers,
    RunsHandlers,
    DestinationsHandlers,
    DestinationSecretsHandlers,
    IntegrationsHandlers,
    DeliveriesHandlers,
    TopicTrendsHandlers,
    ExportsHandlers,
    ExportDownloadsHandlers,
  ]),
  Layer.provide([
    AddressRateLimit.layer,
    ApiKeyAuthentication.layer,
    BearerAuthentication.layer,
    EitherAuthentication.layer,
    OptionalAuthentication.layer,
    OrganizationActive.layer,
    JsonBody.layer,
    PublicCache.layer,
    PublicRateLimit.layer,
    RateLimit.layer,
    RequestErrors.layer,
  ]),
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
