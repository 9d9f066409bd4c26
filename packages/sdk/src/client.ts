// The client: one connection policy, one resource per word of the API. It prints without its
// credentials, and nothing is sent or loaded before the first call.

import type { Answer } from "./core/answer.ts"
import type { ApiCall } from "./core/api-call.ts"
import type { HttpMethod } from "./core/hooks.ts"
import type { RequestOptions } from "./core/request-options.ts"
import { Transport } from "./core/transport.ts"
import { resolveOptions, type FootfallOptions } from "./options.ts"
import { Account } from "./resources/account.ts"
import { ApiKeys } from "./resources/api-keys.ts"
import { AuditLog } from "./resources/audit-log.ts"
import { Audiences } from "./resources/audiences.ts"
import { Auth } from "./resources/auth.ts"
import { Deliveries } from "./resources/deliveries.ts"
import { Destinations } from "./resources/destinations.ts"
import { Exports } from "./resources/exports.ts"
import { Imports } from "./resources/imports.ts"
import { Integrations } from "./resources/integrations.ts"
import { LinkTokens } from "./resources/link-tokens.ts"
import { Members } from "./resources/members.ts"
import { Organizations } from "./resources/organizations.ts"
import { Pixels } from "./resources/pixels.ts"
import { Runs } from "./resources/runs.ts"
import { Segments } from "./resources/segments.ts"
import { SiteTopics } from "./resources/topics.ts"
import { Suppression } from "./resources/suppression.ts"
import { TopicLists } from "./resources/topic-lists.ts"
import { Topics } from "./resources/topics.ts"
import { Companies } from "./resources/companies.ts"
import { Overviews } from "./resources/overview.ts"
import { Visitors } from "./resources/visitors.ts"
import { VisitorWebhooks } from "./resources/visitor-webhooks.ts"

/** A client of one Footfall server. Create one and share it: its calls respect rate limits together. */
export class Footfall {
  /** Address of the server, without a trailing slash. */
  readonly baseUrl: string
  /** Identified visitors: the people behind visits. */
  declare readonly visitors: Visitors
  /** Companies that visit. */
  declare readonly companies: Companies
  /** Visits and visitors by day. */
  declare readonly overview: Overviews
  /** Saved rules that select visitors. */
  declare readonly segments: Segments
  /** The list of people, domains, companies and industries to leave alone. */
  declare readonly suppression: Suppression
  /** The sites that report visits, with their write keys. */
  declare readonly pixels: Pixels
  /** Tokens that identify the readers of your emails. */
  declare readonly linkTokens: LinkTokens
  /** URLs that receive visitors as they are identified. */
  declare readonly webhooks: VisitorWebhooks
  /** The public catalogue of topics: search, trends, and analysis of a site. */
  declare readonly topics: Topics
  /** Saved selections of topics. */
  declare readonly topicLists: TopicLists
  /** Analyses of sites that were made with credentials. */
  declare readonly siteTopics: SiteTopics
  /** Audiences: who shows intent for some topics. */
  declare readonly audiences: Audiences
  /** Runs of an audience, and their results. */
  declare readonly runs: Runs
  /** Files with the results of runs. */
  declare readonly exports: Exports
  /** Where an audience is delivered. */
  declare readonly destinations: Destinations
  /** Deliveries of an audience to its destinations. */
  declare readonly deliveries: Deliveries
  /** Connected accounts of mailing-list providers. */
  declare readonly integrations: Integrations
  /** Credits, pixels and intent access of the organization. */
  declare readonly account: Account
  /** Signing in and out, tokens, passwords and invitations. */
  declare readonly auth: Auth
  /** The organizations of the user. */
  declare readonly organizations: Organizations
  /** Users of an organization and their roles. */
  declare readonly members: Members
  /** API keys of the organization. */
  declare readonly apiKeys: ApiKeys
  /** Who changed what. */
  declare readonly auditLog: AuditLog
  /** Bulk imports of topics, signals, people and identity links. */
  declare readonly imports: Imports
  readonly #transport: Transport

  /** Errors: ConfigurationError for an invalid key, address or number. */
  constructor(options: FootfallOptions = {}) {
    // A browser has no process; it gets the refusal of keys, not a ReferenceError.
    const settings = resolveOptions(options, globalThis.process?.env ?? {})
    const transport = new Transport(settings)
    this.#transport = transport
    this.baseUrl = settings.baseUrl
    for (const [name, value] of Object.entries(resourcesOn(transport))) {
      Object.defineProperty(this, name, { value, enumerable: true })
    }
  }

  /**
   * Sends any request to the API, for operations that this version has no method for. `path` begins with `/v1/`
   * and may have a query. With an API key and a token it sends the key.
   */
  request(
    { body, credentials = "optional", method, path }: RawRequest,
    options: RequestOptions = {},
  ): ApiCall<Answer<unknown, unknown>> {
    return this.#transport.request({ method, path, body, credentials, options })
  }
}

/** A request as it goes to the API. */
export interface RawRequest {
  readonly method: HttpMethod
  readonly path: string
  /** Sent as JSON. */
  readonly body?: unknown
  /** Default: `optional`, the API key if there is one, else the token if there is one. */
  readonly credentials?: "apiKey" | "accessToken" | "optional" | undefined
}

/** The resources of a client, by name. */
export type Resources = Omit<Footfall, "baseUrl" | "request">

/** The resources, with their calls on this transport. */
export const resourcesOn = (transport: Transport): Resources => ({
  visitors: new Visitors(transport),
  companies: new Companies(transport),
  overview: new Overviews(transport),
  segments: new Segments(transport),
  suppression: new Suppression(transport),
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
  imports: new Imports(transport),
})
