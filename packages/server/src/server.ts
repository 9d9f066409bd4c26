// The join: the only file that knows every room. Layers from the configuration up to the routes,
// in the order of architecture.md; nothing here decides anything.
import { Effect, Layer, Logger, Option, References } from "effect"
import { SecureRandom } from "effect/crypto"
import { HttpRouter } from "effect/http"
import { HttpApiBuilder, HttpApiScalar, OpenApi } from "effect/http-api"
import { AccessConfig } from "./access/access-config.ts"
import {
  ApiKeyAuthentication,
  BearerAuthentication,
  EitherAuthentication,
  OrganizationActive,
} from "./access/authentication.ts"
import { ApiKeys } from "./access/api-keys.ts"
import { Installation } from "./access/installation.ts"
import { CallerActive, OptionalAuthentication } from "./access/optional-authentication.ts"
import { Audit } from "./access/audit/audit.ts"
import { AuditStore } from "./access/audit/store.ts"
import { ApiKeysHandlers } from "./access/keys/handlers.ts"
import { Members } from "./access/members/members.ts"
import { Memberships } from "./access/members/memberships.ts"
import { MemberStore } from "./access/members/store.ts"
import { OrganizationsHandlers } from "./access/organizations/handlers.ts"
import { Organizations } from "./access/organizations/organizations.ts"
import { OrganizationStore } from "./access/organizations/store.ts"
import { AuthHandlers } from "./access/sign-in/handlers.ts"
import { SignIn } from "./access/sign-in/sign-in.ts"
import { SignInStore } from "./access/sign-in/store.ts"
import { AccessStore } from "./access/store.ts"
import { AccessTokens } from "./access/tokens/access-tokens.ts"
import { ExternalKeys } from "./access/tokens/external-keys.ts"
import { Account } from "./account/account.ts"
import { AccountHandlers } from "./account/handlers.ts"
import { AccountStore } from "./account/store.ts"
import { Aliases } from "./audiences/aliases/aliases.ts"
import { AliasStore } from "./audiences/aliases/store.ts"
import { Configs } from "./audiences/configs.ts"
import { Countings } from "./audiences/counting.ts"
import { Filters } from "./audiences/filters/filters.ts"
import { FilterStore } from "./audiences/filters/store.ts"
import { AudienceFiltersHandlers, PreviewsHandlers } from "./audiences/handlers.ts"
import { Previews } from "./audiences/preview/previews.ts"
import { AudienceStore } from "./audiences/store.ts"
import { Api } from "./api.ts"
import { ConfigInvalid, type ConfigOptions, ServerConfig } from "./config.ts"
import { Copy } from "./database/copy.ts"
import { Database } from "./database/database.ts"
import { DatabaseConfig } from "./database/database-config.ts"
import { Migrations } from "./database/migrations.ts"
import { Partitions } from "./database/partitions.ts"
import { Demo, type DemoInstallation } from "./demo/demo.ts"
import { IntentData } from "./demo/intent-data.ts"
import { DemoRoutes, demoRoutes } from "./demo/routes.ts"
import { DemoStore } from "./demo/store.ts"
import { AddressRateLimit } from "./http/address-rate-limit.ts"
import { answer, TrustedProxies } from "./http/answer.ts"
import { DocumentRoutes, documentRoutes } from "./http/documents.ts"
import { JsonBody } from "./http/json-body.ts"
import { KeyedLists } from "./http/keyed-lists.ts"
import { OperationsRoutes, operationsRoutes, Readiness } from "./http/operations.ts"
import { PageBoundaries } from "./http/page-boundaries.ts"
import { PublicCache } from "./http/public-cache.ts"
import { PublicRateLimit } from "./http/public-rate-limit.ts"
import { RateLimit } from "./http/rate-limit.ts"
import { RateLimits, RateLimitsEnabled } from "./http/rate-limits.ts"
import { RequestErrors } from "./http/request-errors.ts"
import { Secrets } from "./http/secrets.ts"
import { RateLimitStore } from "./http/store.ts"
import { ChangesStore } from "./identification/changes/store.ts"
import { CreditStore } from "./identification/credits/store.ts"
import { ReleaseWorker } from "./identification/credits/worker.ts"
import { Erasure } from "./identification/erasure/erasure.ts"
import { ErasureHandlers } from "./identification/erasure/handlers.ts"
import { ErasureStore } from "./identification/erasure/store.ts"
import { Identification } from "./identification/identification.ts"
import { KnownRows } from "./identification/known.ts"
import { LinkedEvents } from "./identification/links/linked-events.ts"
import { BrowserLinkStore } from "./identification/links/store.ts"
import { Acquaintances } from "./identification/merging/acquaintances.ts"
import { Merging } from "./identification/merging/merging.ts"
import { MergingStore } from "./identification/merging/store.ts"
import { OwnershipStore } from "./identification/ownership/store.ts"
import { Retention } from "./identification/retention/retention.ts"
import { RetentionStore } from "./identification/retention/store.ts"
import { RetentionWorker } from "./identification/retention/worker.ts"
import {
  type IdentityResolver,
  IdentityResolvers,
} from "./identification/resolving/identity-resolver.ts"
import { ipCompanyResolver, readIpCompanies } from "./identification/resolving/ip-companies.ts"
import { Resolution } from "./identification/resolving/resolution.ts"
import { ResolvedEvents } from "./identification/resolving/resolved-events.ts"
import { ResolvedStore } from "./identification/resolving/store.ts"
import { IdentificationStore } from "./identification/store.ts"
import { IdentificationWorker } from "./identification/worker.ts"
import { ErasedPeople } from "./people/erased-people.ts"
import { ImportsHandlers } from "./people/handlers.ts"
import { DataVersions } from "./people/import/data-versions.ts"
import { ImportKinds } from "./people/import/import-kind.ts"
import { Imports } from "./people/import/imports.ts"
import { DataVersionStore } from "./people/import/store.ts"
import { Links } from "./people/links/links.ts"
import { LinkTokensHandlers } from "./people/link-tokens/handlers.ts"
import { LinksStore } from "./people/links/store.ts"
import { People } from "./people/people.ts"
import { PeopleStore } from "./people/store.ts"
import { Tombstones } from "./people/tombstones/tombstones.ts"
import { TombstoneStore } from "./people/tombstones/store.ts"
import { Outbound, PrivateAddressesAllowed } from "./outbound/outbound.ts"
import { PixelBaseUrl } from "./pixels/embed.ts"
import { ForeignEvents } from "./pixels/foreign-events.ts"
import { PixelsHandlers } from "./pixels/handlers.ts"
import { ImmutableScripts } from "./pixels/immutable/immutable-scripts.ts"
import { ImmutableScriptStore } from "./pixels/immutable/store.ts"
import { OptOutRoutes, optOutRoutes } from "./pixels/opt-out/routes.ts"
import { PixelChanges } from "./pixels/pixel-changes.ts"
import { Pixels } from "./pixels/pixels.ts"
import { ScriptRoutes, scriptRoutes } from "./pixels/routes.ts"
import { PixelScript } from "./pixels/script.ts"
import { PixelStore } from "./pixels/store.ts"
import { Verification } from "./pixels/verification/verification.ts"
import { CycleStore } from "./suppression/cycle/store.ts"
import { SyncCycleSeconds, SyncCycleWorker } from "./suppression/cycle/worker.ts"
import { SuppressionHandlers } from "./suppression/handlers.ts"
import { Matching } from "./suppression/matching/matching.ts"
import { MatchingStore } from "./suppression/matching/store.ts"
import { SuppressionStore } from "./suppression/store.ts"
import { Suppression } from "./suppression/suppression.ts"
import { SiteAnalysisHandlers, SiteTopicsHandlers } from "./topics/analysis/handlers.ts"
import { SiteAnalyses } from "./topics/analysis/site-analyses.ts"
import { Sites } from "./topics/analysis/sites.ts"
import { SiteAnalysisStore } from "./topics/analysis/store.ts"
import { Catalogue } from "./topics/catalogue/catalogue.ts"
import { TopicsHandlers } from "./topics/catalogue/handlers.ts"
import { CatalogueStore } from "./topics/catalogue/store.ts"
import { OwnIntent } from "./topics/own-intent/own-intent.ts"
import { RuleTopics } from "./topics/own-intent/rule-topics.ts"
import { OwnIntentStore } from "./topics/own-intent/store.ts"
import { OwnIntentWorker } from "./topics/own-intent/worker.ts"
import { TopicListsHandlers } from "./topics/lists/handlers.ts"
import { TopicListStore } from "./topics/lists/store.ts"
import { TopicLists } from "./topics/lists/topic-lists.ts"
import { TopicImportStore } from "./topics/import/store.ts"
import { TopicImports } from "./topics/import/topic-imports.ts"
import { ErasedSignals } from "./topics/signals/erasure/erased-signals.ts"
import { SignalErasureStore } from "./topics/signals/erasure/store.ts"
import { SignalImports } from "./topics/signals/import/signal-imports.ts"
import { SignalImportStore } from "./topics/signals/import/store.ts"
import { SignalRetention } from "./topics/signals/retention/signal-retention.ts"
import { SignalRetentionStore } from "./topics/signals/retention/store.ts"
import { SignalRetentionWorker } from "./topics/signals/retention/worker.ts"
import { Signals } from "./topics/signals/signals.ts"
import { TopicTrendsHandlers } from "./topics/trends/handlers.ts"
import { TrendStore } from "./topics/trends/store.ts"
import { Trends } from "./topics/trends/trends.ts"
import { SignalStore } from "./topics/signals/store.ts"
import { VisitorsHandlers } from "./visitors/handlers.ts"
import { VisitorQueries } from "./visitors/query/visitor-queries.ts"
import { Coverages } from "./visitors/coverages/coverages.ts"
import { CoverageStore } from "./visitors/coverages/store.ts"
import { RuleTurns } from "./visitors/query/rule-turns.ts"
import { SegmentsHandlers } from "./visitors/segments/handlers.ts"
import { Segments } from "./visitors/segments/segments.ts"
import { SegmentStore } from "./visitors/segments/store.ts"
import { SessionsHandlers } from "./visitors/sessions/handlers.ts"
import { Sessions } from "./visitors/sessions/sessions.ts"
import { SessionStore } from "./visitors/sessions/store.ts"
import { VisitorStore } from "./visitors/store.ts"
import { Visitors } from "./visitors/visitors.ts"
import { Arrivals } from "./visits/arrivals.ts"
import { Collect } from "./visits/collect.ts"
import { CollectConfig, GeoCountryHeader } from "./visits/collect-config.ts"
import { CollectRoutes, collectRoutes } from "./visits/routes.ts"
import { VisitsStore } from "./visits/store.ts"

/** Files the build puts beside the code: the pixel script and the demo page. */
export interface Assets {
  /** Directory, absolute. */
  readonly directory: string
}

/** The configuration, and every value that is derived from it alone. */
const Configuration = (options: AppOptions) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const config = yield* ServerConfig
      // A command identifies nobody, so it asks nobody.
      const resolvers = options.role === "server" ? yield* resolversOf(config, options) : []
      const secrets = Secrets.layer(config.secrets)
      const collectConfig = Layer.effect(
        CollectConfig,
        Effect.map(Secrets, ({ key, keys }) => ({
          gpcMode: config.gpcMode,
          storeIp: config.storeIp,
          addressKey: key("address"),
          linkTokenKeys: keys("link-token"),
          keepsUserAgent: (options.resolvers ?? []).length > 0,
        })),
      )
      return Layer.mergeAll(
        Layer.provideMerge(collectConfig, secrets),
        Layer.succeed(IdentityResolvers, resolvers),
        Layer.succeed(DatabaseConfig, { url: config.databaseUrl, dataDir: config.dataDir }),
        Layer.succeed(AccessConfig, {
          baseUrl: config.baseUrl,
          externalIssuer: config.externalIssuer,
        }),
        Layer.succeed(RateLimitsEnabled, config.rateLimits),
        Layer.succeed(TrustedProxies, config.trustedProxies),
        Layer.succeed(GeoCountryHeader, config.geoCountryHeader),
        Layer.succeed(PixelBaseUrl, config.pixelBaseUrl),
        Layer.succeed(PrivateAddressesAllowed, config.allowPrivateWebhooks),
        Layer.succeed(SyncCycleSeconds, config.syncCycleSeconds),
        Layer.succeed(References.MinimumLogLevel, config.logLevel),
        // Nobody collects spans yet, and each statement and service call would make one.
        Layer.succeed(References.TracerEnabled, false),
      )
    }),
  ).pipe(
    Layer.provideMerge(ServerConfig.layer(options)),
    Layer.provideMerge(SecureRandom.layerWebCrypto),
    Layer.provideMerge(Logger.layer([Logger.withConsoleError(Logger.formatJson)])),
  )

/** Those that were given, then the one of IP_COMPANY_FILE. */
const resolversOf = Effect.fnUntraced(function* (
  { ipCompanyFile }: ServerConfig["Service"],
  { resolvers = [] }: AppOptions,
) {
  if (ipCompanyFile === undefined) return resolvers
  const companies = yield* Effect.tryPromise({
    try: () => readIpCompanies(ipCompanyFile),
    catch: (error) =>
      new ConfigInvalid({
        variable: "IP_COMPANY_FILE",
        message: `IP_COMPANY_FILE: ${error instanceof Error ? error.message : error}.`,
      }),
  })
  return [...resolvers, ipCompanyResolver(companies)]
})

const Stores = Layer.mergeAll(
  AccessStore.layer,
  AccountStore.layer,
  AliasStore.layer,
  AudienceStore.layer,
  AuditStore.layer,
  MemberStore.layer,
  OrganizationStore.layer,
  SignInStore.layer,
  DemoStore.layer,
  IdentificationStore.layer,
  BrowserLinkStore.layer,
  CatalogueStore.layer,
  Layer.provide(ChangesStore.layer, CycleStore.layer),
  CreditStore.layer,
  DataVersionStore.layer,
  ErasureStore.layer,
  FilterStore.layer,
  LinksStore.layer,
  MergingStore.layer,
  OwnershipStore.layer,
  OwnIntentStore.layer,
  RetentionStore.layer,
  ResolvedStore.layer,
  Partitions.layer,
  PeopleStore.layer,
  PixelStore.layer,
  ImmutableScriptStore.layer,
  RateLimitStore.layer,
  CoverageStore.layer,
  SegmentStore.layer,
  SessionStore.layer,
  SignalStore.layer,
  SignalErasureStore.layer,
  SignalImportStore.layer,
  SignalRetentionStore.layer,
  SiteAnalysisStore.layer,
  TombstoneStore.layer,
  TopicImportStore.layer,
  TopicListStore.layer,
  TrendStore.layer,
  CycleStore.layer,
  MatchingStore.layer,
  SuppressionStore.layer,
  VisitorStore.layer,
  VisitsStore.layer,
)

/** What the import engine takes, from the rooms of the records. */
const Kinds = Layer.effect(
  ImportKinds,
  Effect.gen(function* () {
    return ImportKinds.of({
      topics: (yield* TopicImports).kind,
      signals: (yield* SignalImports).kind,
      people: (yield* People).kind,
      "identity-links": (yield* Links).kind,
    })
  }),
)

/** Every service over the database; needs the platform's files and a database client. */
const Services = ({ directory }: Assets) =>
  Demo.layer.pipe(
    Layer.provide(IntentData.layer(`${directory}/demo/topics.csv`)),
    Layer.provideMerge(
      Layer.mergeAll(
        Collect.layer,
        Erasure.layer,
        Identification.layer,
        Installation.layer,
        Retention.layer,
        Layer.provideMerge(VisitorQueries.layer, Segments.layer).pipe(
          Layer.provide(RuleTurns.layer),
        ),
        Sessions.layer,
        Layer.provideMerge(OwnIntent.layer, Signals.layer),
        TopicLists.layer,
        Configs.layer,
        Filters.layer,
        Previews.layer.pipe(
          Layer.provide(Countings.layer),
          Layer.provide([Aliases.layer, RuleTurns.layer, Signals.layer]),
        ),
        Trends.layer,
        Layer.provide(SiteAnalyses.layer, Sites.layer),
        Visitors.layer,
      ),
    ),
    Layer.provideMerge(Layer.mergeAll(ErasedSignals, Kinds, SignalRetention.layer)),
    Layer.provideMerge(
      Layer.mergeAll(
        Imports.layer,
        Links.layer,
        People.layer,
        SignalImports.layer,
        TopicImports.layer,
      ),
    ),
    Layer.provideMerge(
      Layer.mergeAll(
        ErasedPeople.layer,
        LinkedEvents.layer,
        Merging.enrichment,
        Resolution.layer,
        ResolvedEvents.layer,
      ),
    ),
    Layer.provideMerge(Merging.layer),
    Layer.provideMerge(
      Layer.mergeAll(Account.layer, KnownRows.layer, PixelChanges.layer, Verification.layer),
    ),
    Layer.provideMerge(Layer.provideMerge(RuleTopics, Catalogue.layer)),
    Layer.provideMerge(Layer.mergeAll(Acquaintances.layer, Copy.layer)),
    Layer.provideMerge(Tombstones.layer),
    Layer.provideMerge(
      Layer.mergeAll(
        ApiKeys.layer,
        Arrivals.layer,
        Coverages.layer,
        ForeignEvents.layer,
        ImmutableScripts.layer,
        Matching.layer,
        Pixels.layer,
        Members.layer,
        Organizations.layer,
        SignIn.layer,
        Suppression.layer,
      ),
    ),
    Layer.provideMerge(
      Layer.mergeAll(
        Layer.provide(AccessTokens.layer, ExternalKeys.layer),
        Audit.layer,
        DataVersions.layer,
        Memberships.layer,
        Outbound.layer,
        RateLimits.layer,
      ),
    ),
    Layer.provideMerge(
      Layer.mergeAll(
        Layer.provide(KeyedLists.layer, PageBoundaries.layer),
        PixelScript.layer(`${directory}/pixel`),
      ),
    ),
    Layer.provideMerge(Readiness.layer(Migrations.isCurrent)),
    Layer.provideMerge(Stores),
  )

export interface AppOptions extends ConfigOptions {
  /** Bring the schema up to date first. Default: true. */
  readonly migrate?: boolean | undefined
  /** A command joins the Postgres of a running server, a server insists on being its only owner. */
  readonly role: "server" | "command"
  /** Asked who is behind a browser, before the one of IP_COMPANY_FILE. Default: none. */
  readonly resolvers?: ReadonlyArray<IdentityResolver> | undefined
}

/** All services, over the configured database. */
export const App = (options: AppOptions, assets: Assets) => {
  const database = options.role === "server" ? Database.layer : Database.layerCommand
  const schema = options.migrate === false ? Layer.empty : Layer.effectDiscard(Migrations.run)
  return Services(assets).pipe(
    Layer.provideMerge(schema),
    Layer.provideMerge(database),
    Layer.provideMerge(Configuration(options)),
  )
}

/** What works in the background; runs for as long as its scope is open. */
export const Workers = Layer.mergeAll(
  IdentificationWorker,
  OwnIntentWorker,
  ReleaseWorker,
  RetentionWorker,
  SignalRetentionWorker,
  SyncCycleWorker,
)

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
    TopicsHandlers,
    SiteAnalysisHandlers,
    SiteTopicsHandlers,
    TopicListsHandlers,
    AudienceFiltersHandlers,
    PreviewsHandlers,
    TopicTrendsHandlers,
  ]),
  Layer.provide([
    AddressRateLimit.layer,
    ApiKeyAuthentication.layer,
    BearerAuthentication.layer,
    CallerActive.layer,
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
  HttpApiScalar.layer(Api, { path: "/docs" }),
  DocumentRoutes(OpenApi.fromApi(Api)),
  OperationsRoutes,
  ScriptRoutes,
  OptOutRoutes,
  CollectRoutes,
)

/** Every route, for telling a wrong method from an unknown path. */
const standardPatterns = [
  ...Object.values(Api.groups).flatMap((group) => Object.values(group.endpoints)),
  ...documentRoutes,
  { method: "GET", path: "/docs" },
  ...operationsRoutes,
  ...scriptRoutes,
  ...optOutRoutes,
  ...collectRoutes,
]

/** Another case, a doubled slash or one at the end is another path. decisions.md 1.4, Unknown path. */
const routerConfig = {
  caseSensitive: true,
  ignoreDuplicateSlashes: false,
  ignoreTrailingSlash: false,
  maxParamLength: 500,
}

/** Answers one request; everything that is not 2xx is in the envelope. `demo`: serve its page too. */
export const httpApp = (demo: Option.Option<DemoInstallation>, { directory }: Assets) => {
  const routes = Option.match(demo, {
    onNone: () => ({ layer: StandardRoutes, patterns: standardPatterns }),
    onSome: (installation) => ({
      layer: Layer.merge(StandardRoutes, DemoRoutes(installation, `${directory}/demo`)),
      patterns: [...standardPatterns, ...demoRoutes],
    }),
  })
  return routes.layer.pipe(
    HttpRouter.toHttpEffect,
    Effect.provideService(HttpRouter.RouterConfig, routerConfig),
    Effect.map((app) => answer(app, routes.patterns)),
  )
}
