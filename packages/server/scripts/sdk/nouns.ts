// What the contract doesn't say about the SDK: the class of each file, the names of types that have none in the contract
// or another one, and what is special to calling from TypeScript.

/** One file of src/resources. */
export interface Noun {
  /** Ends with a period: the file's header. */
  readonly about: string
  readonly class: string
  /** Below `footfall`. */
  readonly property: string
  /** Which credentials the calls need: the end of the class's docstring. */
  readonly credentials: string
  /** The method that a call of the noun itself is: `visitors.sessions(…)`. src/extensions makes the function. */
  readonly callable?: string
  /** Methods of the contract that src/extensions has. */
  readonly byHand?: ReadonlyArray<string>
  /** Types of the contract that only src/extensions uses. */
  readonly also?: ReadonlyArray<string>
  /** Types of the contract with another name here. */
  readonly names?: Readonly<Record<string, string>>
  /** Types without a name in the contract, by a place that has them. */
  readonly types?: Readonly<Record<string, string>>
  /** Such types of other files. */
  readonly uses?: ReadonlyArray<string>
  /** Types of the contract that have no name here. */
  readonly inline?: ReadonlyArray<string>
  /** Types that have all members of another, in the same file or an earlier one. */
  readonly extends?: Readonly<Record<string, string>>
  /** Members whose type is stricter than the contract, as `Type.member`. */
  readonly stricter?: Readonly<Record<string, string>>
  /** The types of methods' parameters, if not `<Noun><Method>Params`. */
  readonly params?: Readonly<Record<string, string>>
  /** The types of `meta` of methods' pages, if not `<Noun><Method>Meta`. */
  readonly metas?: Readonly<Record<string, string>>
  /** The unions by hand that parameters are made of, besides `ListPosition`. */
  readonly groups?: Readonly<Record<string, ReadonlyArray<string>>>
  /** Members that a method's parameters or a type leave out. */
  readonly without?: Readonly<Record<string, ReadonlyArray<string>>>
  /** Parameters that are secret: no error and no log prints them. */
  readonly secrets?: Readonly<Record<string, ReadonlyArray<string>>>
  /** Fields with a newer name. */
  readonly deprecated?: ReadonlyArray<string>
  /** Docstrings of types that the contract doesn't describe. */
  readonly texts?: Readonly<Record<string, string>>
  /** The type of the ids in a path as one object. */
  readonly ids?: string
  /** What a method does, if the contract says more than the method does. */
  readonly descriptions?: Readonly<Record<string, string>>
  /** Sentences after the contract's description of an operation. */
  readonly notes?: Readonly<Record<string, string>>
  /** Nouns below this one. */
  readonly parts?: Readonly<
    Record<string, { readonly class: string; readonly file: string; readonly text: string }>
  >
}

/** The members of each union by hand. */
export const groups: Readonly<Record<string, ReadonlyArray<string>>> = {
  ListPosition: ["limit", "offset", "cursor"],
  PixelScope: ["pixelId", "domain"],
  Qualification: ["segmentId", "ruleAst"],
  TopicFilter: ["type", "industry"],
  TopicListPosition: ["page", "cursor"],
  VisitorListPosition: ["page", "cursor"],
}

/** Types by hand for a choice of the contract, wherever it is. */
export const shared: Readonly<Record<string, string>> = {
  DestinationEventType: "Destination.webhook.eventTypes",
  WebhookBody: "Destination.webhook.body",
  SiteUnreadableReason: "SuggestionPage.unreadable",
  SuppressedFilter: "Overview.suppressed",
  Timeframe: "RuleAst.window",
  TopicType: "Topic.type",
  ValidationPolicy: "Destination.validationPolicy",
}

const either = "Accepts an API key or an access token. A viewer's token can only read."
const apiKey = "Needs an API key."
const member = "Accepts an API key, or the access token of a member, admin or owner."
const looped =
  "`await` it for one page; loop over it (`for await`) for every row. It sends nothing before that."

/** By file. A file imports only from earlier ones. */
export const nouns: Readonly<Record<string, Noun>> = {
  topics: {
    about:
      "The public topic catalog, topic trends, and the topics of a web page. Trends count shared signals only, never a pixel's signals. spec 1.6, 2.18 and 5.7",
    class: "Topics",
    property: "topics",
    credentials:
      "Needs no credentials. Limit: 60 requests a minute per IP address without credentials, 120 with them. For `analyze`: 2 and 30.",
    inline: ["SiteRequest"],
    params: { movers: "TopicMoverParams" },
    groups: {
      list: ["TopicFilter", "TopicListPosition"],
      search: ["TopicFilter"],
      movers: ["TopicFilter"],
    },
    extends: { TopicTrendPoint: "TopicDay", SiteTopic: "Topic" },
    texts: {
      TopicListParams: "Filter, page size and position of a topic list.",
      TopicListMeta: "`meta` of a page of topics.",
      TopicSearchParams: "A typo-tolerant search.",
      TopicTrendParams:
        "First and last day of a trend, both included. Default: the 30 days up to the latest date with data.",
      TopicMoverParams: "Filters for movers.",
    },
  },
  "site-topics": {
    about: "Stored site analyses. spec 2.18 and 5.7",
    class: "SiteTopics",
    property: "siteTopics",
    credentials: "Accepts an API key or an access token.",
  },
  "topic-lists": {
    about: "Topic lists: named lists of topics that an organization saves. spec 2.18 and 5.7",
    class: "TopicLists",
    property: "topicLists",
    credentials: either,
  },
  "visitor-sessions": {
    about:
      "The sessions of a visitor, and what they did in one. A session is one record of limited size, without individual events. spec 2.2 and 5.1",
    class: "VisitorSessions",
    property: "visitors.sessions",
    credentials: either,
    callable: "list",
    types: {
      Channel: "Touch.channel",
      ClickIdType: "SessionSummary.clickIdTypes",
      DeviceType: "SessionSummary.deviceType",
      SessionEventType: "SessionEvent.type",
    },
    params: { events: "SessionEventListParams", list: "SessionListParams" },
    metas: { events: "SessionEventListMeta", list: "SessionListMeta" },
    notes: {
      events: `\`visitorId\` is the SHA-256 of any of their email addresses. ${looped}`,
      list: "`visitorId` is the SHA-256 of any of their email addresses, for example `emailHash`. Guarantee: all pages end at the same time (`meta.asOf`), so new sessions cause no repeats or gaps.",
    },
    texts: {
      Channel:
        "The server derives it from `utm_medium`, then the source, then click ids, then the referrer.",
      ClickIdType: "Types of ad click ids, by their name in the URL.",
      DeviceType: "Type of device, from the user agent.",
      SessionEventListMeta: "`meta` of one page of events.",
      SessionEventListParams: "Page size and position of a list of events.",
      SessionEventType: "A page view, or an event sent with `track()`.",
      SessionListMeta: "`meta` of one page of sessions.",
      SessionListParams: "Window, scope and position of a session list.",
    },
  },
  "visitor-notes": {
    about: "What a team notes about a person. spec 2.24 and 5.20",
    class: "VisitorNotes",
    property: "visitors.notes",
    credentials: either,
    params: { list: "NoteListParams" },
    metas: { list: "NoteListMeta" },
    notes: { list: `\`visitorId\` is the SHA-256 of any of their email addresses. ${looped}` },
    texts: {
      NoteListParams: "Page size and position of a list of notes.",
      NoteListMeta: "`meta` of one page of notes.",
    },
  },
  visitors: {
    about:
      "Identified visitors. A visitor is one person with all known email addresses. Unknown values are empty lists or null; documented fields are never missing. spec 1.6, 2.1, 5.1, 6.5 and 11",
    class: "Visitors",
    property: "visitors",
    credentials: apiKey,
    names: { VisitorScope: "Scope", RecordChange: "RecordUpdateParams" },
    parts: {
      notes: {
        class: "VisitorNotes",
        file: "visitor-notes",
        text: "What your team notes about a person.",
      },
    },
    types: {
      AddressOrigin: "VisitorOrigins.addresses",
      Coverage: "VisitorList.meta.coverage",
      EmailHashes: "Visitor.emailHashes",
      Journey: "VisitorWithJourney.journey",
      Origin: "VisitorOrigins.addresses.origin",
      ValueOrigin: "VisitorOrigins.values",
    },
    byHand: ["archive"],
    uses: ["Channel"],
    also: ["VisitorWithJourney"],
    extends: { VisitorWithJourney: "Visitor" },
    groups: {
      list: ["PixelScope", "VisitorListPosition"],
      query: ["Qualification", "VisitorListPosition"],
    },
    without: { list: ["email"] },
    descriptions: {
      list: "Returns the people your pixels identified, most recently seen first. `q` finds people by any part of their name or of an email address.",
    },
    deprecated: [
      "allEmails",
      "primaryPhone",
      "allPhones",
      "phonesDNC",
      "company",
      "companyZip",
      "companySize",
      "companyRevenue",
      "companyIndustry",
      "firstSeen",
      "lastSeen",
      "msclkid",
      "liFatId",
      "gbraid",
      "wbraid",
    ],
    notes: {
      list: `With \`fields\`, each visitor has only these. ${looped} Guarantee: all pages cover the window of the first request, so no visitor appears twice unless they are seen again while you read.`,
      query: looped,
      origins: "`visitorId` is the SHA-256 of any of their email addresses.",
    },
    texts: {
      AddressOrigin: "Where an email address comes from.",
      ValueOrigin: "Where a profile value comes from.",
      Origin:
        "Where a value comes from. `email_domain`: the company domain of a business email address.",
      EmailHashes: "Hashes of the normalized primary email address, in lower-case hexadecimal.",
      Coverage: "How much of the requested window the response covers.",
      Journey: "First touch, last touch and sessions within the requested window and pixel scope.",
      VisitorEraseParams: "Options of an erasure.",
      VisitorListParams: "Window, scope, filter and position of a visitor list.",
      VisitorListMeta: "`meta` of one page of visitors.",
      VisitorQueryParams: "Rule, window, scope, filter and position of a query.",
      VisitorQueryMeta: "`meta` of one page of matching visitors.",
    },
  },
  "company-sessions": {
    about: "What visitors of a company did in one session. spec 13",
    class: "CompanySessions",
    property: "companies.sessions",
    credentials: either,
    params: { events: "SessionEventListParams" },
    metas: { events: "SessionEventListMeta" },
    notes: { events: looped },
  },
  "company-notes": {
    about: "What a team notes about a company. spec 2.24 and 5.20",
    class: "CompanyNotes",
    property: "companies.notes",
    credentials: either,
    params: { list: "NoteListParams" },
    metas: { list: "NoteListMeta" },
    notes: { list: looped },
  },
  erasures: {
    about: "What erasures did, without anything about the people. spec 2.26 and 5.1",
    class: "Erasures",
    property: "erasures",
    credentials: either,
  },
  tags: {
    about: "The tags of people and companies. spec 2.24 and 5.20",
    class: "Tags",
    property: "tags",
    credentials: either,
    texts: { TagListParams: "Whose tags." },
  },
  lists: {
    about: "Lists of companies and people, for rules. spec 2.22 and 5.17",
    class: "Lists",
    property: "lists",
    credentials: either,
    params: { addMembers: "ListValues", replaceMembers: "ListValues", removeMembers: "ListValues" },
    stricter: { "ListValues.values": "ReadonlyArray<string>" },
    texts: {
      ListMembersParams: "Filter and position of the values of a list.",
      ListMembersMeta: "`meta` of one page of values.",
      ListWrite: "What a write to a list did.",
      ListRemoval: "What a removal from a list did.",
    },
  },
  score: {
    about: "How people and companies are scored. spec 2.23 and 5.18",
    class: "Scores",
    property: "score",
    credentials: either,
    names: {
      NewScoreFitEntry: "ScoreFitEntryParams",
      NewScoreInterestEntry: "ScoreInterestEntryParams",
      ScoreSettingsChange: "ScoreParams",
    },
  },
  companies: {
    about: "Companies with visits, whether or not the visitors are identified. spec 13",
    class: "Companies",
    property: "companies",
    credentials: apiKey,
    parts: {
      sessions: {
        class: "CompanySessions",
        file: "company-sessions",
        text: "What visitors of a company did in one session.",
      },
      notes: {
        class: "CompanyNotes",
        file: "company-notes",
        text: "What your team notes about a company.",
      },
    },
    uses: ["Coverage", "Journey"],
    extends: { CompanyWithJourney: "Company" },
    groups: { list: ["PixelScope"], query: ["Qualification"] },
    notes: {
      query: looped,
      list: `With \`fields\`, each company has only these. ${looped}`,
    },
    texts: {
      CompanyQueryParams: "Rule, window, scope, filter and position of a query.",
      CompanyQueryMeta: "`meta` of one page of matching companies.",
      CompanyListParams: "Window, scope, filters and position of a company list.",
      CompanyGetParams: "Window and scope for one company.",
      CompanyActivityParams: "Days and scope of a company's activity.",
      CompanyListMeta: "`meta` of one page of companies.",
    },
  },
  segments: {
    about: "Segments: saved qualification rules. spec 2.7 and 5.4",
    class: "Segments",
    property: "segments",
    credentials: either,
    names: { SegmentTrial: "SegmentPreviewParams" },
  },
  overview: {
    about: "Figures of visits and visitors, by day or by hour. spec 13.3",
    class: "Overviews",
    property: "overview",
    credentials: apiKey,
    params: { get: "OverviewParams", breakdown: "BreakdownParams" },
    groups: { get: ["PixelScope"], breakdown: ["PixelScope"] },
    extends: {
      OverviewDay: "OverviewFigures",
      OverviewHour: "OverviewFigures",
      Overview: "OverviewComparison",
    },
    types: { BreakdownDimension: "Breakdown.by" },
    texts: {
      OverviewParams: "Period and scope of an overview.",
      BreakdownParams: "Dimension, period and scope of a breakdown.",
      BreakdownDimension: "What sessions can be broken down by.",
    },
  },
  "write-keys": {
    about: "Write keys: a backend or site uses one to send events to a pixel. spec 15.1",
    class: "WriteKeys",
    property: "pixels.writeKeys",
    credentials: "Needs an API key or a member's access token.",
    names: { WriteKeyRevocation: "WriteKeyRevokeParams" },
    types: { WriteKeyKind: "WriteKey.kind" },
    texts: {
      WriteKeyKind:
        "A `browser` key may be public: its `context.ip` is ignored, and its events on hosts other than the pixel's do not count.",
    },
  },
  "shared-user-ids": {
    about: "User ids that strangers share, so they no longer join browsers. spec 15.2.12",
    class: "SharedUserIds",
    property: "pixels.sharedUserIds",
    credentials: "Needs an API key or a member's access token.",
  },
  pixels: {
    about: "Pixels: each one is the script of one site. spec 2.3, 2.4 and 5.2",
    class: "Pixels",
    property: "pixels",
    credentials: apiKey,
    names: {
      PixelSettingsChange: "PixelSettingsChanges",
      TopicSuggestionRequest: "TopicSuggestionParams",
    },
    types: {
      PixelFindingCode: "PixelFinding.code",
      PixelPausedReason: "Pixel.pausedReason",
      PixelStatus: "Pixel.status",
      PixelVerificationReason: "PixelVerification.data.reason",
      TopicRule: "PixelSettings.topicRules",
    },
    inline: ["TopicRuleEvidence"],
    extends: { PixelWithCode: "Pixel" },
    parts: {
      writeKeys: {
        class: "WriteKeys",
        file: "write-keys",
        text: "The keys that send events to a pixel.",
      },
      sharedUserIds: {
        class: "SharedUserIds",
        file: "shared-user-ids",
        text: "User ids that strangers share.",
      },
    },
    texts: {
      PixelStatus: "A paused pixel records nothing.",
      PixelPausedReason:
        "Why a pixel is paused: a user paused it, or the server paused it while the organization is not active.",
      TopicRule: "Each view of a page below `path` is a signal for the topic.",
      PixelFindingCode:
        "`page_…` is about the page, `tag_…` about the pixel's tag on it, and `csp_…` about its content security policy. For `other_pixel`, `values` contains the ids of the other pixels.",
      PixelVerificationReason: "`domain_mismatch`: events arrived, but only from other hosts.",
    },
  },
  "link-tokens": {
    about:
      "Tokens for links in emails. Footfall identifies a visitor who follows such a link. spec 5.1 and 6.7",
    class: "LinkTokens",
    property: "linkTokens",
    credentials: apiKey,
    names: { LinkTokenRequest: "LinkTokenCreateParams" },
  },
  "visitor-webhooks": {
    about:
      "Visitor webhooks: URLs that receive an event when a person is identified, a company visits or a page is viewed. spec 2.20, 5.6, 8.5, 8.6, 13.3.5",
    class: "VisitorWebhooks",
    property: "webhooks",
    credentials: member,
    names: {
      CreatedVisitorWebhook: "VisitorWebhookCreated",
      RevealedVisitorWebhook: "VisitorWebhookWithSecret",
      SecretRotation: "VisitorWebhookRotateParams",
      VisitorWebhookTrial: "VisitorWebhookPreviewParams",
      WebhookPreview: "VisitorWebhookPreview",
      WebhookTestAnswer: "VisitorWebhookTest",
    },
    types: {
      VisitorWebhookAgain: "VisitorWebhook.again",
      VisitorWebhookDigest: "VisitorWebhook.digest",
      VisitorWebhookFormat: "VisitorWebhook.format",
      VisitorWebhookIdentified: "VisitorWebhook.identified",
      VisitorWebhookStats: "VisitorWebhook.stats",
      VisitorWebhookTrigger: "VisitorWebhook.trigger",
      WebhookDeliveryStatus: "WebhookDelivery.status",
    },
    extends: { WebhookDeliveryWithPayload: "WebhookDelivery" },
    params: { deliveries: "WebhookDeliveryListParams" },
    texts: {
      WebhookDeliveryListParams: "Filter and position of a delivery list. Default page size 25.",
      VisitorWebhookTrigger:
        "`first_match`: once per person. `every_update`: also for new sessions and changes, at most one event a minute. `company_seen`: for companies instead of people. `page_viewed`: for page views of people, and of companies whose visitors are not identified. `entered_segment`, `left_segment`: for people, or companies, that enter or leave the segment.",
      VisitorWebhookAgain:
        "When the same person or company is sent again: in every session, after a time, or never (`once`).",
      VisitorWebhookIdentified:
        "Whose page views are sent: those of people (`identified`), those of companies whose visitor is not identified (`anonymous`), or both.",
      VisitorWebhookFormat:
        "`standard`: signed JSON. `email` sends emails to members. The others send a message to an incoming webhook of Slack, Teams or Discord.",
      VisitorWebhookDigest:
        "How often messages are sent. All but `immediate` send one message with counts and the first 20 people or companies.",
      VisitorWebhookStats: "Results of a webhook's events, not counting redeliveries.",
    },
  },
  audiences: {
    about:
      "Audiences: people who have a score in a given range for enough topics, and who match the filters. spec 2.8 to 2.11, 4.1 and 5.8",
    class: "Audiences",
    property: "audiences",
    credentials:
      "Accepts an API key or an access token. `preview` needs an API key. A viewer's token can only read.",
    byHand: ["filters"],
    names: {
      AppliedAudienceFilters: "AudienceFilters",
      AudienceConfigRequest: "AudienceConfigParams",
      AudienceConfigValidation: "AudienceValidation",
      AudiencePreview: "AudiencePreviewParams",
      AudiencePreviewResult: "AudiencePreview",
      MaskedPerson: "AudiencePerson",
    },
    types: {
      AudienceAccessType: "Audience.accessType",
      AudienceConfig: "AudienceConfigValidation.data.normalizedConfig",
      AudienceStatus: "Audience.status",
      SavedAudienceConfig: "Audience.config",
    },
    extends: { SavedAudienceConfig: "AudienceConfig" },
    stricter: { "AudienceValidation.appliedFilters": "ReadonlyArray<AudienceFilter>" },
    without: { AudienceConfigParams: ["topics"] },
    texts: {
      AudienceStatus:
        "A `draft` has no runs yet. An `active` audience can run, including automatically every day. A `paused` audience does not run.",
      AudienceAccessType:
        "`paid` uses one of the organization's slots. `one_shot` allows one run, then the audience is paused.",
      SavedAudienceConfig: "The configuration of a saved audience.",
      AudienceConfig: "A configuration with defaults filled in and values normalized.",
      AudienceListParams: "Status filter and position of an audience list.",
    },
  },
  exports: {
    about: "Files with run results. spec 2.14, 4.6 and 5.9",
    class: "Exports",
    property: "exports",
    credentials: either,
    byHand: ["toFile"],
    names: { CreateExport: "ExportCreateParams" },
    types: { ExportStatus: "Export.status", ExportType: "Export.exportType" },
    texts: {
      ExportStatus: "A `completed` export is stored for 7 days, then it is `expired`.",
      ExportType:
        "The format of a file. Parquet has the rows of `runs.results`: nested objects are structs.",
    },
  },
  runs: {
    about:
      "Runs of an audience: the people who were in it on one day of data. Results never change. spec 2.8, 2.11 to 2.13, 4.2 and 5.9",
    class: "Runs",
    property: "runs",
    credentials: either,
    byHand: ["start", "exportCsv", "exportParquet", "exportForAds"],
    names: {
      AudienceResultRow: "RunResult",
      AudienceRun: "Run",
      RunStatisticsAnswer: "RunWithStatistics",
    },
    types: {
      RunErrorCode: "AudienceRun.errorCode",
      RunStatus: "AudienceRun.status",
      RunType: "AudienceRun.runType",
    },
    texts: {
      RunStatus: "`completed`, `failed` and `cancelled` are final.",
      RunType:
        "`manual`: a request started it. `daily`: the server started it for a new day of data.",
      RunListParams: "Status filter and position of a list of runs. Default page size 25.",
      RunResultsMeta: "`meta` of one page of results.",
    },
  },
  integrations: {
    about: "Accounts at mailing list providers and CRMs, and their lists. spec 2.17 and 5.11",
    class: "Integrations",
    property: "integrations",
    credentials: "Needs the access token of a member, admin or owner.",
    names: { NewConnectedAccount: "AccountConnectParams" },
    types: {
      AppSlug: "ConnectedAccount.appSlug",
      ConnectedAccountStatus: "ConnectedAccount.status",
      MailingListField: "MailingList.fields",
    },
    secrets: { connect: ["credentials.apiKey"] },
    texts: {
      AppSlug: "A service that accounts can be connected to.",
      ConnectedAccountStatus:
        "`disconnected`: the provider rejected the credentials twice in a row, or a user removed the account.",
      MailingListField: "A list field. `fieldMapping` refers to it by its tag.",
    },
  },
  destinations: {
    about:
      "Destinations of an audience: a webhook, or a mailing list in a connected account. `destinationType` says which. spec 2.15 and 5.10",
    class: "Destinations",
    property: "destinations",
    credentials:
      "Accepts an API key or an access token. `rotateSecret` needs an access token. A viewer's token can only read.",
    names: {
      AutomationConfigRequest: "AutomationConfigParams",
      DestinationRequestPreview: "DestinationRequest",
      DestinationTestResult: "DestinationTest",
      DestinationTrial: "DestinationPreviewParams",
      NewDestination: "DestinationCreateParams",
    },
    params: { rotateSecret: "SecretRotateParams" },
    texts: {
      SecretRotateParams: "How long the previous secret stays valid.",
      DestinationTestParams: "The event to send as a test.",
    },
  },
  deliveries: {
    about: "Deliveries of an audience to its destinations. spec 2.16, 4.4 and 5.10",
    class: "Deliveries",
    property: "deliveries",
    credentials: "Needs the access token of a member, admin or owner.",
    byHand: ["sync", "retry", "retryFailure"],
    types: {
      DeliveryErrorCode: "Delivery.errorCode",
      DeliveryMode: "Delivery.mode",
      DeliveryStatus: "Delivery.status",
    },
    extends: { FailedContact: "DeliveryFailure" },
    texts: {
      DeliveryContactsMeta: "`meta` of one page of the contacts of a delivery. It has no total.",
      DeliveryContactsParams: "Filter and position of a list of contacts. Default page size 50.",
      DeliveryListParams: "Filters and position of a list of deliveries. Default page size 25.",
      DeliveryStatus: "`completed`, `failed` and `cancelled` are final.",
      DeliveryMode: "A destination's first delivery is always `initial`, whatever you request.",
    },
  },
  organizations: {
    about: "Organizations. Each has its own pixels, visitors and keys. spec 2.21 and 5.13",
    class: "Organizations",
    property: "organizations",
    credentials: "Needs an access token.",
    types: { OrganizationStatus: "Organization.status" },
    texts: {
      OrganizationStatus:
        "The operator sets it. The server rejects nearly every call of a suspended or expired organization.",
    },
  },
  account: {
    about:
      "The organization's state: credits, pixels and access to the intent API. spec 2.5 and 5.3",
    class: "Account",
    property: "account",
    credentials: apiKey,
    uses: ["OrganizationStatus"],
  },
  members: {
    about: "Members of an organization, and their roles. spec 2.21, 5.13 and 7",
    class: "Members",
    property: "members",
    credentials: "Needs the access token of an admin or owner.",
    types: { Role: "Member.role" },
    ids: "MemberId",
    texts: {
      MemberAddParams: "A new member and their role.",
      MemberUpdateParams: "The new role.",
      MemberId: "Identifies one member of one organization.",
      Role: "Owner, admin, member, viewer: each role includes the rights of the roles after it. A viewer can only read.",
    },
  },
  "api-keys": {
    about:
      "The organization's API keys. A key's secret is shown once, when you create the key. spec 2.21, 5.13 and 7",
    class: "ApiKeys",
    property: "apiKeys",
    credentials: "Needs the access token of an admin or owner.",
  },
  "audit-log": {
    about: "The audit log: who changed what in the organization. spec 5.13",
    class: "AuditLog",
    property: "auditLog",
    credentials: "Needs the access token of an admin or owner.",
    types: { AuditActor: "AuditEntry.actor" },
    params: { list: "AuditLogParams" },
    metas: { list: "AuditLogMeta" },
    texts: {
      AuditActor: "`operator`: a server command. `system`: the server itself.",
      AuditLogParams: "Which entries to list.",
      AuditLogMeta: "`meta` of one page of the audit log. It has no total.",
    },
  },
  auth: {
    about:
      "Access tokens: how a user signs in, renews a token and signs out. The client does not store the tokens from these calls. Pass them to a new client. spec 2.21, 5.12, 7 and 17.2",
    class: "Auth",
    property: "auth",
    credentials:
      "Needs no credentials, except for `me`, `join`, `logout`, the calls about sessions, `changePassword`, `getDeviceLogin` and `decideDeviceLogin`, which need an access token.",
    types: { JoinedOrganization: "Me.organizations" },
    uses: ["Role"],
    params: {
      acceptInvite: "AcceptInviteParams",
      changePassword: "PasswordChangeParams",
      decideDeviceLogin: "DeviceLoginDecision",
      deviceTokens: "DeviceTokensParams",
      getDeviceLogin: "DeviceLoginLookup",
      invitation: "InvitationParams",
      join: "JoinParams",
      login: "LoginParams",
      logout: "LogoutParams",
      refresh: "RefreshParams",
      refreshSession: "RefreshSessionParams",
      requestPasswordReset: "PasswordResetRequestParams",
      resetPassword: "PasswordResetParams",
      startDeviceLogin: "DeviceLoginParams",
      startSession: "LoginParams",
    },
    secrets: {
      acceptInvite: ["token", "password"],
      changePassword: ["currentPassword", "newPassword", "refreshToken"],
      deviceTokens: ["deviceCode"],
      invitation: ["token"],
      join: ["token"],
      login: ["password"],
      logout: ["refreshToken"],
      refresh: ["refreshToken"],
      resetPassword: ["token", "newPassword"],
      startSession: ["password"],
    },
    texts: {
      LogoutParams: "Which session to end.",
      RefreshParams: "A refresh token, and the organization to get a token for.",
      RefreshSessionParams: "The organization to get a token for.",
      DeviceLoginLookup: "The code of a device login.",
      DeviceLoginDecision: "The code of a device login, and whether to approve it.",
      DeviceTokensParams: "The code that a device login returned.",
      PasswordChangeParams: "The current password and a new one.",
      PasswordResetRequestParams: "The address to email a link to.",
      PasswordResetParams: "The token of the email and a new password.",
      LoginParams: "A user's email and password.",
      AcceptInviteParams: "An invitation, and the account's password. A new user chooses one.",
      InvitationParams: "The token of an invitation.",
      JoinParams: "An invitation.",
      JoinedOrganization: "One of the user's organizations, and the user's role in it.",
      DeviceLoginParams: "The client that requests a device login.",
    },
  },
  imports: {
    about: "The results of bulk imports. spec 2.19 and 5.14",
    class: "Imports",
    property: "imports",
    credentials: "",
    byHand: ["run"],
    also: ["ImportResult"],
    types: {
      ImportKind: "ImportResult.kind",
      ImportRejection: "ImportResult.rejected",
      ImportRejectionReason: "ImportResult.rejected.reason",
    },
    texts: {
      ImportKind:
        "What the rows contain: topics of the catalog, people's scores for topics, enrichment profiles, or links from an alias to a person.",
      ImportRejection: "A row that was not imported.",
    },
  },
  suppression: {
    about:
      "Suppression rules. People who match a rule cost no credit and trigger nothing, starting with the next sync cycle. spec 2.6 and 5.5",
    class: "Suppression",
    property: "suppression",
    credentials: "Needs an API key. Limit: 30 requests a minute per IP address.",
    byHand: ["add", "replace", "remove", "preview", "industries"],
    also: ["SuppressionWrite", "SuppressionPreview", "SuppressionIndustry"],
    names: {
      RejectedRule: "SuppressionRejection",
      SuppressionBulkWrite: "SuppressionWrite",
      SuppressionDelete: "SuppressionRemoval",
    },
    types: {
      SuppressionAffectedPerson: "SuppressionPreview.data.sample",
      SuppressionIndustry: "SuppressionIndustryList.data",
      SuppressionRejectionReason: "RejectedRule.reason",
      SuppressionRuleCounts: "SuppressionPreview.data.affectedByType",
      SuppressionRuleType: "SuppressionRule.type",
    },
    groups: { list: [] },
    texts: {
      SuppressionRuleType:
        "What a rule matches: an email address, its domain, the company's domain or the industry.",
      SuppressionRuleCounts: "Number of rules of each type.",
      SuppressionRejectionReason:
        "Why a row is not a valid rule. If several reasons apply, it is the first one in this order.",
      SuppressionAffectedPerson: "A person whom new rules would suppress.",
      SuppressionIndustry: "An industry of identified visitors.",
      SuppressionListParams: "Filter and position of a rule list.",
      SuppressionListMeta: "`meta` of a page of rules.",
    },
  },
  "suppression-sources": {
    about: "Lists elsewhere that are mirrored into suppression rules. spec 2.25 and 5.21",
    class: "SuppressionSources",
    property: "suppressionSources",
    credentials: either,
    types: {
      SuppressionSourceKind: "SuppressionSource.kind",
      SuppressionSourcePeople: "SuppressionSource.people",
      SuppressionSourceSchedule: "SuppressionSource.schedule",
      SuppressionSourceStatus: "SuppressionSource.status",
    },
    texts: {
      SuppressionSource: "A list elsewhere that is mirrored into suppression rules.",
      SuppressionSourceKind: "What a source is.",
      SuppressionSourcePeople: "Whom a source of a service has.",
      SuppressionSourceSchedule: "How often a source is synced.",
      SuppressionSourceStatus:
        "`needs_attention`: a sync would remove most of its rules, and waits for approval.",
    },
  },
  inbound: {
    about: "Where vendors, forms and calendars send what they know. spec 15.3 and 5.22",
    class: "InboundSources",
    property: "inbound",
    credentials: either,
    types: {
      InboundPreset: "Inbound.preset",
      InboundConsent: "Inbound.consent",
      InboundStatus: "Inbound.status",
      InboundRecordKind: "InboundMapping.kind",
      InboundOutcome: "InboundRequest.outcomes.outcome",
    },
    secrets: { create: ["signingSecret"], update: ["signingSecret"] },
    texts: {
      Inbound: "Where a vendor, a form or a calendar sends.",
      InboundPreset: "Who sends.",
      InboundConsent: "Who has asked for consent.",
      InboundStatus: "Whether what is sent is kept.",
      InboundRecordKind: "What a record is about.",
      InboundOutcome: "What became of a record.",
      InboundMapping: "How records become fields.",
      InboundRequest: "A request of a vendor.",
    },
  },
  "file-imports": {
    about: "The plans of file imports. spec 5.16",
    class: "FileImports",
    property: "fileImports",
    credentials: apiKey,
    byHand: ["plan", "apply", "rejected", "drop"],
    also: ["FileImportPlan", "AppliedFileImport", "DroppedFileImport"],
    uses: ["SuppressionAffectedPerson", "SuppressionRuleCounts", "SuppressionRuleType"],
    types: {
      FileImportLayout: "FileImportPlan.layout",
      FileImportKind: "FileImportPlan.kind",
      FileImportMode: "FileImportPlan.mode",
      FileImportGuard: "FileImportPlan.guard",
      FileImportFile: "FileImportPlan.files",
      FileImportRejection: "FileImportPlan.rejectedRows",
    },
    texts: {
      FileImportKind: "What can be imported.",
      FileImportMode:
        "`add` adds the values of the file, `replace` makes the list equal the file, `remove` removes them.",
      FileImportGuard: "What `apply` has to allow.",
      FileImportLayout: "How a file was read.",
      FileImportFile: "One file of an import.",
      FileImportRejection: "A row that is not valid.",
      FileImportPlan: "What an import would do.",
      AppliedFileImport: "The result of an import.",
      DroppedFileImport: "A dropped plan.",
      FileImport: "An import that was applied.",
    },
  },
}

/** The names of types of the contract that have another one here. */
export const names: ReadonlyMap<string, string> = new Map(
  Object.values(nouns).flatMap((noun) => Object.entries(noun.names ?? {})),
)
/** Places of types without a name in the contract. */
export const places: ReadonlyMap<string, string> = new Map(
  Object.values(nouns).flatMap((noun) => Object.entries(noun.types ?? {})),
)
