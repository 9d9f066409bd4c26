// The client: one connection policy, one resource per word of the API. It prints without its
// credentials, and nothing is sent or loaded before the first call.

import { Transport } from "./core/transport.ts"
import { resolveOptions, type FootfallOptions } from "./options.ts"
import { Account } from "./resources/account.ts"
import { ApiKeys } from "./resources/api-keys.ts"
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
import { Visitors } from "./resources/visitors.ts"
import { VisitorWebhooks } from "./resources/visitor-webhooks.ts"

/** A client of one Footfall server. Create one and share it: its calls respect rate limits together. */
export class Footfall {
  /** Address of the server, without a trailing slash. */
  readonly baseUrl: string
  readonly visitors: Visitors
  readonly segments: Segments
  readonly suppression: Suppression
  readonly pixels: Pixels
  readonly linkTokens: LinkTokens
  readonly webhooks: VisitorWebhooks
  readonly topics: Topics
  readonly topicLists: TopicLists
  readonly siteTopics: SiteTopics
  readonly audiences: Audiences
  readonly runs: Runs
  readonly exports: Exports
  readonly destinations: Destinations
  readonly deliveries: Deliveries
  readonly integrations: Integrations
  readonly account: Account
  readonly auth: Auth
  readonly organizations: Organizations
  readonly members: Members
  readonly apiKeys: ApiKeys
  readonly imports: Imports

  /** Errors: ConfigurationError for an invalid key, address or number. */
  constructor(options: FootfallOptions = {}) {
    // A browser has no process; it gets the refusal of keys, not a ReferenceError.
    const settings = resolveOptions(options, globalThis.process?.env ?? {})
    const transport = new Transport(settings)
    this.baseUrl = settings.baseUrl
    this.visitors = new Visitors(transport)
    this.segments = new Segments(transport)
    this.suppression = new Suppression(transport)
    this.pixels = new Pixels(transport)
    this.linkTokens = new LinkTokens(transport)
    this.webhooks = new VisitorWebhooks(transport)
    this.topics = new Topics(transport)
    this.topicLists = new TopicLists(transport)
    this.siteTopics = new SiteTopics(transport)
    this.audiences = new Audiences(transport)
    this.runs = new Runs(transport)
    this.exports = new Exports(transport)
    this.destinations = new Destinations(transport)
    this.deliveries = new Deliveries(transport)
    this.integrations = new Integrations(transport)
    this.account = new Account(transport)
    this.auth = new Auth(transport)
    this.organizations = new Organizations(transport)
    this.members = new Members(transport)
    this.apiKeys = new ApiKeys(transport)
    this.imports = new Imports(transport)
  }
}
