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
  SiteUnreadableReason: "SuggestionPage.unreadable",
  SuppressedFilter: "Overview.suppressed",
  Timeframe: "RuleAst.window",
  TopicType: "Topic.type",
}

const either = "Accepts an API key or an access token. A viewer's token can only read."
const apiKey = "Needs an API key."

/** By file. A file imports only from earlier ones. */
export const nouns: Readonly<Record<string, Noun>> = {
  segments: {
    about: "Segments: saved qualification rules. spec 2.7 and 5.4",
    class: "Segments",
    property: "segments",
    credentials: either,
    names: { SegmentTrial: "SegmentPreviewParams" },
  },
  "topic-lists": {
    about: "Topic lists: named lists of topics that an organization saves. spec 2.18 and 5.7",
    class: "TopicLists",
    property: "topicLists",
    credentials: either,
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
  "link-tokens": {
    about:
      "Tokens for links in emails. Footfall identifies a visitor who follows such a link. spec 5.1 and 6.7",
    class: "LinkTokens",
    property: "linkTokens",
    credentials: apiKey,
    names: { LinkTokenRequest: "LinkTokenCreateParams" },
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
  "api-keys": {
    about:
      "The organization's API keys. A key's secret is shown once, when you create the key. spec 2.21, 5.13 and 7",
    class: "ApiKeys",
    property: "apiKeys",
    credentials: "Needs the access token of an admin or owner.",
  },
  overview: {
    about: "Figures of visits and visitors, by day or by hour. spec 13.3",
    class: "Overviews",
    property: "overview",
    credentials: apiKey,
    params: { get: "OverviewParams" },
    groups: { get: ["PixelScope"] },
    extends: {
      OverviewDay: "OverviewFigures",
      OverviewHour: "OverviewFigures",
      Overview: "OverviewComparison",
    },
    texts: { OverviewParams: "Period and scope of an overview." },
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
