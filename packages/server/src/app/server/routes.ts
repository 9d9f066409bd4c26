// The routes of every room as one application, and the response for unknown paths.
import { Context, DateTime, Effect, FileSystem, Layer, Option, type Scope } from "effect"
import { HttpEffect, HttpRouter, type HttpServerRequest } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Checks } from "../../access/groups.ts"
import { ExternalSignInRoutes, externalSignInRoutes } from "../../access/sign-in/external/routes.ts"
import { AccessHandlers } from "../../access/layer.ts"
import { AccountHandlers } from "../../access/account/handlers.ts"
import { Api } from "../api.ts"
import { agentRoutes, AgentsApi } from "../agents/api.ts"
import { AgentsHandlers, LlmsText } from "../agents/handlers.ts"
import type { AgentOptions, AnswerRequest } from "../agents/messages.ts"
import type { Assets } from "../../assets.ts"
import { AudienceHandlers } from "../../intent/audiences/layer.ts"
import { ConsoleRoutes, consoleRoutes } from "../console/routes.ts"
import { ServerConfig } from "../config/config.ts"
import { DeliveriesHandlers } from "../../activation/deliveries/handlers.ts"
import { DemoRoutes, demoRoutes, type ShownDemo } from "../demo/routes.ts"
import { DestinationHandlers } from "../../activation/destinations/layer.ts"
import { answer } from "../../platform/http/answer.ts"
import { footfall } from "../../platform/http/contract.ts"
import { DocumentRoutes, documentRoutes } from "../../platform/http/documents.ts"
import { FrontPageRoutes, type Health } from "../../platform/http/front-page.ts"
import { GuideRoutes, guideRoutes } from "../../platform/http/guide.ts"
import { plainPages } from "../../platform/http/plain-page.ts"
import { OperationsRoutes, operationsRoutes } from "../../platform/http/operations.ts"
import { ReferenceRoutes, referenceRoutes } from "../../platform/http/reference-page.ts"
import { ErasureHandlers } from "../../people/erasure/handlers.ts"
import { SessionEventHandlers } from "../../people/events/layer.ts"
import { OriginsHandlers } from "../../people/identification/origins/handlers.ts"
import { MetricsRoutes, metricsRoutes } from "../../platform/metrics/routes.ts"
import { ImportHandlers } from "../../people/imports/layer.ts"
import { PeopleHandlers } from "../../people/person/layer.ts"
import { PixelsHandlers } from "../../collect/pixels/handlers.ts"
import { OptOutRoutes, optOutRoutes } from "../../collect/pixels/opt-out/routes.ts"
import { ScriptRoutes, scriptRoutes } from "../../collect/pixels/routes.ts"
import { SharedUserIdsHandlers } from "../../collect/pixels/shared-user-ids/handlers.ts"
import { WriteKeysHandlers } from "../../collect/pixels/write-keys/handlers.ts"
import { InboundHandlers } from "../../collect/inbound/handlers.ts"
import { InboundRoutes, inboundRoutes } from "../../collect/inbound/routes.ts"
import { RunHandlers } from "../../intent/runs/layer.ts"
import { SourceRoutes, sourceRoutes } from "../../collect/sources/routes.ts"
import { SuppressionSourcesHandlers } from "../../people/suppression-sources/handlers.ts"
import { FileImportsHandlers } from "../../people/file-imports/handlers.ts"
import { SuppressionHandlers } from "../../people/suppression/handlers.ts"
import { TopicHandlers } from "../../intent/topics/layer.ts"
import { ListsHandlers } from "../../people/lists/handlers.ts"
import { TeamworkHandlers } from "../../people/teamwork/layer.ts"
import { TopicsOfVisitorsHandlers } from "../../intent/visitor-topics/handlers.ts"
import { ScoreHandlers } from "../../people/score/layer.ts"
import { VisitorHandlers } from "../../people/visitors/layer.ts"
import { CollectRoutes, collectRoutes } from "../../collect/visits/routes.ts"
import {
  UnsubscribeRoutes,
  unsubscribeRoutes,
} from "../../activation/webhooks/unsubscribe/routes.ts"
import { WebhooksHandlers } from "../../activation/webhooks/handlers.ts"
import { WellKnownRoutes, wellKnownRoutes } from "../../platform/http/well-known.ts"
import { Migrations } from "../../platform/database/migrations.ts"
import { remembered } from "../../platform/database/remembered.ts"
import { ConnectionWait, requestWaitMs } from "../../platform/database/statement-limits.ts"
import { MetricsStore } from "../../platform/metrics/store.ts"

export interface HttpAppOptions {
  /** Also serve the demo page. */
  readonly demo: Option.Option<ShownDemo>
}

/** Answers one request; every response outside 2xx is in the envelope. */
export const httpApp = Effect.fnUntraced(function* (
  { demo }: HttpAppOptions,
  { directory }: Assets,
) {
  const files = yield* FileSystem.FileSystem
  const {
    allowsAgentWrites,
    basePath,
    baseUrl,
    externalIssuer,
    gpcMode,
    hasConsole: isConsoleOn,
    securityContact,
  } = yield* ServerConfig
  const consoleFiles = `${directory}/console`
  const hasConsole = isConsoleOn && (yield* Effect.orDie(files.exists(consoleFiles)))
  const guideFiles = `${directory}/guide`
  const hasGuide = yield* Effect.orDie(files.exists(guideFiles))
  const issuer = externalIssuer?.client
  const tokens = yield* Effect.orDie(files.readFileString(`${directory}/tokens.css`))
  const plainPage = plainPages(tokens)
  const frontPage = FrontPageRoutes({
    basePath,
    hasConsole,
    hasDemo: Option.isSome(demo),
    hasGuide,
    health: yield* makeHealth,
    startedAt: yield* DateTime.now,
    plainPage,
  })
  const standard = StandardRoutes({
    baseUrl,
    directory,
    optOut: OptOutRoutes(plainPage, gpcMode === "honour"),
    unsubscribe: UnsubscribeRoutes(plainPage),
  })
  // The agent tools call the app they belong to.
  const api: AnswerRequest = (request, context) => answerRequest(request, context)
  const agents = AgentRoutes({ api, baseUrl, allowsWrites: allowsAgentWrites }, hasGuide)
  const parts = [
    {
      layer: Layer.mergeAll(standard, frontPage, agents, WellKnownRoutes(securityContact, baseUrl)),
      patterns: standardPatterns,
    },
    ...(hasConsole
      ? [
          {
            layer: ConsoleRoutes({ basePath, directory: consoleFiles, issuerName: issuer?.name }),
            patterns: consoleRoutes,
          },
        ]
      : []),
    ...(hasConsole && issuer !== undefined
      ? [{ layer: ExternalSignInRoutes(plainPage, issuer), patterns: externalSignInRoutes }]
      : []),
    ...(hasGuide
      ? [{ layer: GuideRoutes({ basePath, directory: guideFiles }), patterns: guideRoutes }]
      : []),
    ...Option.match(demo, {
      onNone: () => [],
      onSome: (installation) => [
        { layer: DemoRoutes(installation, directory), patterns: demoRoutes },
      ],
    }),
  ]
  const app = yield* Layer.mergeAll(
    parts[0]!.layer,
    ...parts.slice(1).map((part) => part.layer),
  ).pipe(HttpRouter.toHttpEffect, Effect.provideService(HttpRouter.RouterConfig, routerConfig))
  const answered = answer(
    app,
    parts.flatMap((part) => part.patterns),
  )
  const answerRequest = HttpEffect.toWebHandlerWith<
    never,
    HttpServerRequest.HttpServerRequest | Scope.Scope
  >(yield* Effect.context<never>())(answered)
  return answered
})

/** Health and metrics alone, for a process that only runs workers. */
export const operationsApp = Effect.gen(function* () {
  const app = yield* Layer.merge(MetricsRoutes, OperationsRoutes).pipe(
    HttpRouter.toHttpEffect,
    Effect.provideService(HttpRouter.RouterConfig, routerConfig),
  )
  return answer(app, [...metricsRoutes, ...operationsRoutes])
})

const ApiRoutes = HttpApiBuilder.layer(Api).pipe(
  Layer.provide([
    AccessHandlers,
    AccountHandlers,
    AudienceHandlers,
    DeliveriesHandlers,
    DestinationHandlers,
    ErasureHandlers,
    ImportHandlers,
    InboundHandlers,
    ListsHandlers,
    OriginsHandlers,
    PeopleHandlers,
    PixelsHandlers,
    RunHandlers,
    SessionEventHandlers,
    SharedUserIdsHandlers,
    FileImportsHandlers,
    SuppressionSourcesHandlers,
    ScoreHandlers,
    TeamworkHandlers,
    TopicsOfVisitorsHandlers,
    SuppressionHandlers,
    TopicHandlers,
    VisitorHandlers,
    WebhooksHandlers,
    WriteKeysHandlers,
  ]),
  Layer.provide(Checks),
)

/** Outside the API, so that its document does not include them. */
const AgentRoutes = (options: AgentOptions, hasGuide: boolean) =>
  Layer.merge(
    LlmsText(options.baseUrl, hasGuide),
    HttpApiBuilder.layer(footfall.add(AgentsApi)).pipe(
      Layer.provide(AgentsHandlers(options)),
      Layer.provide(Checks),
    ),
  )

const StandardRoutes = ({
  baseUrl,
  directory,
  optOut,
  unsubscribe,
}: {
  readonly baseUrl: string
  readonly directory: string
  readonly optOut: ReturnType<typeof OptOutRoutes>
  readonly unsubscribe: ReturnType<typeof UnsubscribeRoutes>
}) =>
  Layer.mergeAll(
    ApiRoutes,
    ReferenceRoutes(directory),
    DocumentRoutes(directory, baseUrl),
    MetricsRoutes,
    OperationsRoutes,
    ScriptRoutes,
    optOut,
    unsubscribe,
    CollectRoutes,
    SourceRoutes,
    InboundRoutes,
  )

/** Every route, to distinguish a wrong method from an unknown path; `/` is one for programs. */
const standardPatterns = [
  ...Object.values(Api.groups).flatMap((group) => Object.values(group.endpoints)),
  ...documentRoutes,
  ...referenceRoutes,
  ...metricsRoutes,
  ...operationsRoutes,
  ...scriptRoutes,
  ...optOutRoutes,
  ...unsubscribeRoutes,
  ...collectRoutes,
  ...sourceRoutes,
  ...inboundRoutes,
  ...agentRoutes,
  ...wellKnownRoutes,
]

/** A different case, a doubled slash or a trailing slash is a different path. spec 1.4, Unknown path. */
const routerConfig = {
  caseSensitive: true,
  ignoreDuplicateSlashes: false,
  ignoreTrailingSlash: false,
  maxParamLength: 500,
}

// This server's health, for the front page. Anyone may request it, so the database is queried at most once in five
// seconds.
const freshness = "5 seconds"

const answerMax = "2 seconds"

/** Page views are processed within seconds; a delay this long means that no worker runs. */
const lagMaxSeconds = 60

const makeHealth = Effect.gen(function* () {
  const { inbox } = yield* MetricsStore
  const context = yield* Effect.context<Effect.Services<typeof Migrations.isCurrent>>()
  const health: Effect.Effect<Health> = Effect.gen(function* () {
    if (!(yield* Migrations.isCurrent)) return "unreachable"
    const { lagSeconds } = yield* inbox
    return lagSeconds > lagMaxSeconds ? "behind" : "ready"
  }).pipe(
    Effect.timeout(answerMax),
    Effect.catchCause(() => Effect.succeed<Health>("unreachable")),
    Effect.provideContext(Context.add(context, ConnectionWait, requestWaitMs)),
  )
  return yield* remembered(health, freshness)
})
