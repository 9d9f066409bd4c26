// The client: one connection policy and one property per API resource. Printing a client never shows its credentials.
// It sends and loads nothing before the first call.

import type { ApiResponse } from "./core/response.ts"
import type { ApiCall } from "./core/api-call.ts"
import type { HttpMethod } from "./core/http-method.ts"
import type { RequestOptions } from "./core/request-options.ts"
import { Transport } from "./core/transport.ts"
import { resolveOptions, type FootfallOptions } from "./options.ts"
import { Account } from "./resources/account.ts"
import { ApiKeys } from "./resources/api-keys.ts"
import { Erasures } from "./resources/erasures.ts"
import { AuditLog } from "./resources/audit-log.ts"
import { Audiences } from "./extensions/audiences.ts"
import { Auth } from "./extensions/auth.ts"
import { Deliveries } from "./extensions/deliveries.ts"
import { Destinations } from "./resources/destinations.ts"
import { Exports } from "./extensions/exports.ts"
import { Imports } from "./extensions/imports.ts"
import { Integrations } from "./resources/integrations.ts"
import { LinkTokens } from "./resources/link-tokens.ts"
import { Members } from "./resources/members.ts"
import { Organizations } from "./resources/organizations.ts"
import { Pixels } from "./resources/pixels.ts"
import { Runs } from "./extensions/runs.ts"
import { Lists } from "./resources/lists.ts"
import { Scores } from "./resources/score.ts"
import { Segments } from "./resources/segments.ts"
import { SiteTopics } from "./resources/site-topics.ts"
import { InboundSources } from "./resources/inbound.ts"
import { SuppressionSources } from "./resources/suppression-sources.ts"
import { Suppression } from "./extensions/suppression.ts"
import { FileImports } from "./extensions/file-imports.ts"
import { TopicLists } from "./resources/topic-lists.ts"
import { Tags } from "./resources/tags.ts"
import { Topics } from "./resources/topics.ts"
import { Companies } from "./resources/companies.ts"
import { Overviews } from "./resources/overview.ts"
import { Visitors } from "./extensions/visitors.ts"
import { VisitorWebhooks } from "./resources/visitor-webhooks.ts"

/** A client for one Footfall server. Create one and share it: all its calls share one view of the rate limits. */
export class Footfall {
  /** The server's URL, without a trailing slash. */
  readonly baseUrl: string
  /** Identified visitors: the people behind visits. */
  declare readonly visitors: Visitors
  /** Companies that visit. */
  declare readonly companies: Companies
  /** Visits and visitors by day. */
  declare readonly overview: Overviews
  /** Saved rules that select visitors. */
  declare readonly segments: Segments
  /** Companies or people that you put together, for rules. */
  declare readonly lists: Lists
  /** The tags of people and companies. */
  declare readonly tags: Tags
  /** What people and companies are scored by. */
  declare readonly score: Scores
  /** People, domains, companies and industries to leave alone. */
  declare readonly suppression: Suppression
  /** Files of suppression rules, of any size. */
  declare readonly fileImports: FileImports
  /** Lists elsewhere that are mirrored into suppression rules. */
  declare readonly suppressionSources: SuppressionSources
  /** Where vendors, forms and calendars send what they know. */
  declare readonly inbound: InboundSources
  /** The sites that report visits, with their write keys. */
  declare readonly pixels: Pixels
  /** Tokens that identify the readers of your emails. */
  declare readonly linkTokens: LinkTokens
  /** URLs that receive an event when a person is identified or a company visits. */
  declare readonly webhooks: VisitorWebhooks
  /** The public catalog of topics: search, trends, and analysis of a site. */
  declare readonly topics: Topics
  /** Saved selections of topics. */
  declare readonly topicLists: TopicLists
  /** Stored site analyses: those you requested with credentials. */
  declare readonly siteTopics: SiteTopics
  /** Audiences: people who show intent for chosen topics. */
  declare readonly audiences: Audiences
  /** Runs of an audience, and their results. */
  declare readonly runs: Runs
  /** Files with run results. */
  declare readonly exports: Exports
  /** Where Footfall delivers an audience. */
  declare readonly destinations: Destinations
  /** Deliveries of an audience to its destinations. */
  declare readonly deliveries: Deliveries
  /** Connected accounts at mailing list providers. */
  declare readonly integrations: Integrations
  /** The organization's credits, pixels and intent access. */
  declare readonly account: Account
  /** Signing in and out, tokens, passwords and invitations. */
  declare readonly auth: Auth
  /** The user's organizations. */
  declare readonly organizations: Organizations
  /** Users of an organization, and their roles. */
  declare readonly members: Members
  /** The organization's API keys. */
  declare readonly apiKeys: ApiKeys
  /** Who changed what. */
  declare readonly auditLog: AuditLog
  /** What erasures did, and what destinations answered. */
  declare readonly erasures: Erasures
  /** Bulk imports of topics, signals, people and identity links. */
  declare readonly imports: Imports
  readonly #transport: Transport

  /** Errors: ConfigurationError for an invalid key, URL or number. */
  constructor(options: FootfallOptions = {}) {
    // A browser has no `process`. Without the `?.` it would throw a ReferenceError before the client can refuse the
    // key.
    const settings = resolveOptions(options, globalThis.process?.env ?? {})
    const transport = new Transport(settings)
    this.#transport = transport
    this.baseUrl = settings.baseUrl
    for (const [name, value] of Object.entries(resourcesOn(transport))) {
      Object.defineProperty(this, name, { value, enumerable: true })
    }
  }

  /**
   * Sends any request to the API. Use it for operations that this version has no method for. `path` starts with `/v1/`
   * and may include a query. If the client has both an API key and an access token, it sends the key.
   */
  request(
    { body, credentials = "optional", method, path }: RawRequest,
    options: RequestOptions = {},
  ): ApiCall<ApiResponse<unknown, unknown>> {
    return this.#transport.request({ method, path, body, credentials, options })
  }
}

/** A request to the API. */
export interface RawRequest {
  readonly method: HttpMethod
  readonly path: string
  /** Sent as JSON. */
  readonly body?: unknown
  /** Default: `optional`, which sends the API key if there is one, else the token if there is one. */
  readonly credentials?: "apiKey" | "accessToken" | "optional" | undefined
}

/** The client's resources, by name. */
export type Resources = Omit<Footfall, "baseUrl" | "request">

/** Creates the resources on top of a transport. */
export const resourcesOn = (transport: Transport): Resources => ({
  visitors: new Visitors(transport),
  companies: new Companies(transport),
  overview: new Overviews(transport),
  segments: new Segments(transport),
  lists: new Lists(transport),
  tags: new Tags(transport),
  score: new Scores(transport),
  suppression: new Suppression(transport),
  fileImports: new FileImports(transport),
  suppressionSources: new SuppressionSources(transport),
  inbound: new InboundSources(transport),
  pixels: new Pixels(transport),
  linkTokens: new LinkTokens(transport),
  webhooks: new VisitorWebhooks(transport),
  topics: new Topics(transport),
  topicLists: new TopicLists(transport),
  siteTopics: new SiteTopics(transport),
  audiences: new Audiences(transport),
  runs: new Runs(transport),
  exports: new Exports(transport),
  destinations: new Destinations(transport),
  deliveries: new Deliveries(transport),
  integrations: new Integrations(transport),
  account: new Account(transport),
  auth: new Auth(transport),
  organizations: new Organizations(transport),
  members: new Members(transport),
  apiKeys: new ApiKeys(transport),
  auditLog: new AuditLog(transport),
  erasures: new Erasures(transport),
  imports: new Imports(transport),
})
