// Every endpoint of the server has a method of the SDK, which takes what the endpoint takes and gives
// what it answers: a drift on either side is a type error in `npm run check` that names the endpoint
// (docs/adr/0003). The run only needs to pass.
import type * as sdk from "@footfall/sdk"
import { describe, expectTypeOf, it } from "vitest"
import type { Answer, Body, EndpointName, Flat, Merged, Query, Same } from "./wire.ts"

/** The method for each endpoint. */
interface Methods {
  readonly "visitors.query": sdk.Visitors["query"]
  readonly "companies.list": sdk.Companies["list"]
  readonly "companies.get": sdk.Companies["get"]
  readonly "overview.get": sdk.Overviews["get"]
  readonly "erasure.erase": sdk.Visitors["erase"]
  readonly "origins.get": sdk.Visitors["origins"]
  readonly "sessions.list": sdk.Visitors["sessions"]
  readonly "linkTokens.create": sdk.LinkTokens["create"]
  readonly "segments.list": sdk.Segments["list"]
  readonly "segments.create": sdk.Segments["create"]
  readonly "segments.get": sdk.Segments["get"]
  readonly "segments.update": sdk.Segments["update"]
  readonly "segments.delete": sdk.Segments["delete"]
  readonly "segments.preview": sdk.Segments["preview"]
  readonly "pixels.list": sdk.Pixels["list"]
  readonly "pixels.create": sdk.Pixels["create"]
  readonly "pixels.get": sdk.Pixels["get"]
  readonly "pixels.update": sdk.Pixels["update"]
  readonly "pixels.delete": sdk.Pixels["delete"]
  readonly "pixels.verify": sdk.Pixels["verify"]
  readonly "writeKeys.list": sdk.Pixels["writeKeys"]["list"]
  readonly "writeKeys.create": sdk.Pixels["writeKeys"]["create"]
  readonly "writeKeys.revoke": sdk.Pixels["writeKeys"]["revoke"]
  readonly "pixelTopics.suggest": sdk.Pixels["suggestTopics"]
  readonly "account.status": sdk.Account["get"]
  readonly "auth.login": sdk.Auth["login"]
  readonly "auth.refresh": sdk.Auth["refresh"]
  readonly "auth.logout": sdk.Auth["logout"]
  readonly "auth.me": sdk.Auth["me"]
  readonly "auth.acceptInvite": sdk.Auth["acceptInvite"]
  readonly "auth.startSession": sdk.Auth["startSession"]
  readonly "auth.refreshSession": sdk.Auth["refreshSession"]
  readonly "auth.endSession": sdk.Auth["endSession"]
  readonly "auth.join": sdk.Auth["join"]
  readonly "auth.sessions": sdk.Auth["listSessions"]
  readonly "auth.endOne": sdk.Auth["deleteSession"]
  readonly "auth.endOthers": sdk.Auth["endOtherSessions"]
  readonly "deviceLogins.start": sdk.Auth["startDeviceLogin"]
  readonly "deviceLogins.token": sdk.Auth["deviceTokens"]
  readonly "deviceLogins.get": sdk.Auth["getDeviceLogin"]
  readonly "deviceLogins.approve": sdk.Auth["decideDeviceLogin"]
  readonly "passwords.change": sdk.Auth["changePassword"]
  readonly "passwords.requestReset": sdk.Auth["requestPasswordReset"]
  readonly "passwords.reset": sdk.Auth["resetPassword"]
  readonly "organizations.list": sdk.Organizations["list"]
  readonly "organizations.create": sdk.Organizations["create"]
  readonly "organizations.get": sdk.Organizations["get"]
  readonly "organizations.update": sdk.Organizations["update"]
  readonly "organizations.listMembers": sdk.Members["list"]
  readonly "organizations.addMember": sdk.Members["add"]
  readonly "organizations.updateMember": sdk.Members["update"]
  readonly "organizations.removeMember": sdk.Members["remove"]
  readonly "apiKeys.list": sdk.ApiKeys["list"]
  readonly "apiKeys.create": sdk.ApiKeys["create"]
  readonly "apiKeys.revoke": sdk.ApiKeys["revoke"]
  readonly "auditLog.list": sdk.AuditLog["list"]
  readonly "imports.run": sdk.Imports["run"]
  readonly "topics.list": sdk.Topics["list"]
  readonly "topics.facets": sdk.Topics["facets"]
  readonly "topics.search": sdk.Topics["search"]
  readonly "siteAnalysis.analyze": sdk.Topics["analyze"]
  readonly "siteTopics.list": sdk.SiteTopics["list"]
  readonly "topicTrends.trend": sdk.Topics["trend"]
  readonly "topicTrends.compare": sdk.Topics["compare"]
  readonly "topicTrends.movers": sdk.Topics["movers"]
  readonly "topicLists.list": sdk.TopicLists["list"]
  readonly "topicLists.create": sdk.TopicLists["create"]
  readonly "topicLists.get": sdk.TopicLists["get"]
  readonly "topicLists.update": sdk.TopicLists["update"]
  readonly "topicLists.delete": sdk.TopicLists["delete"]
  readonly "runs.start": sdk.Runs["start"]
  readonly "runs.list": sdk.Runs["list"]
  readonly "runs.get": sdk.Runs["get"]
  readonly "runs.cancel": sdk.Runs["cancel"]
  readonly "runs.stats": sdk.Runs["stats"]
  readonly "exports.create": sdk.Exports["create"]
  readonly "exports.list": sdk.Exports["list"]
  readonly "exports.get": sdk.Exports["get"]
}

/** What each method sends as JSON. */
interface Bodies {
  readonly "visitors.query": Merged<sdk.VisitorQueryParams>
  readonly "linkTokens.create": sdk.LinkTokenCreateParams
  readonly "segments.create": sdk.SegmentCreateParams
  readonly "segments.update": sdk.SegmentUpdateParams
  readonly "segments.preview": sdk.SegmentPreviewParams
  readonly "pixels.create": sdk.PixelCreateParams
  readonly "pixels.update": sdk.PixelUpdateParams
  readonly "writeKeys.create": sdk.WriteKeyCreateParams
  readonly "writeKeys.revoke": sdk.WriteKeyRevokeParams
  readonly "pixelTopics.suggest": sdk.TopicSuggestionParams
  readonly "auth.login": sdk.LoginParams
  readonly "auth.refresh": sdk.RefreshParams
  readonly "auth.logout": sdk.LogoutParams
  readonly "auth.acceptInvite": sdk.AcceptInviteParams
  readonly "auth.startSession": sdk.LoginParams
  readonly "auth.refreshSession": sdk.RefreshSessionParams
  readonly "auth.join": sdk.JoinParams
  readonly "deviceLogins.start": sdk.DeviceLoginParams
  readonly "deviceLogins.token": sdk.DeviceTokensParams
  readonly "deviceLogins.approve": sdk.DeviceLoginDecision
  readonly "passwords.change": sdk.PasswordChangeParams
  readonly "passwords.requestReset": sdk.PasswordResetRequestParams
  readonly "passwords.reset": sdk.PasswordResetParams
  readonly "organizations.create": sdk.OrganizationCreateParams
  readonly "organizations.update": sdk.OrganizationUpdateParams
  readonly "organizations.addMember": sdk.MemberAddParams
  readonly "organizations.updateMember": sdk.MemberUpdateParams
  readonly "apiKeys.create": sdk.ApiKeyCreateParams
  readonly "topicTrends.compare": { readonly topicIds: ReadonlyArray<number> }
  readonly "topicLists.create": sdk.TopicListCreateParams
  readonly "topicLists.update": sdk.TopicListUpdateParams
  /** There is one type to ask for; the SDK sends nothing, which means the same. */
  readonly "runs.start": { readonly runType?: "manual" }
  readonly "siteAnalysis.analyze": Parameters<sdk.Topics["analyze"]>[0]
  /** A stream, of text as far as the contract goes. */
  readonly "imports.run": string
}

/** What each method sends in the address. */
interface Queries {
  readonly "sessions.list": sdk.SessionListParams
  readonly "companies.list": Merged<sdk.CompanyListParams>
  readonly "companies.get": sdk.CompanyGetParams
  readonly "overview.get": Merged<sdk.OverviewParams>
  /** Also taken in the address (spec 5.1); the SDK sends it in the body. */
  readonly "visitors.query": Pick<sdk.VisitorQueryParams, "suppressed">
  readonly "visitors.list": Merged<sdk.VisitorListParams | sdk.VisitorGetParams>
  readonly "erasure.erase": sdk.VisitorEraseParams
  readonly "imports.run": Omit<sdk.ImportParams, "format" | "answerTimeoutMs">
  readonly "segments.list": Merged<sdk.ListPosition>
  readonly "organizations.list": Merged<sdk.ListPosition>
  readonly "organizations.listMembers": Merged<sdk.ListPosition>
  readonly "apiKeys.list": Merged<sdk.ListPosition>
  readonly "auditLog.list": sdk.AuditLogParams
  readonly "deviceLogins.get": sdk.DeviceLoginLookup
  readonly "topics.list": Merged<sdk.TopicListParams>
  readonly "topics.search": sdk.TopicSearchParams
  readonly "siteTopics.list": Merged<sdk.ListPosition>
  readonly "topicTrends.trend": sdk.TopicTrendParams
  readonly "topicTrends.movers": sdk.TopicMoverParams
  readonly "topicLists.list": Merged<sdk.ListPosition>
  readonly "runs.list": Merged<sdk.RunListParams>
  readonly "runs.results": Merged<sdk.ListPosition>
  readonly "exports.csv": sdk.ExportCsvParams
  readonly "exports.list": Merged<sdk.ListPosition>
  /** As the link has them. */
  readonly "exportDownloads.download": { readonly expires?: string; readonly signature?: string }
}

/** The endpoints this SDK speaks to, but for those with files of their own. */
type Spoken = Exclude<
  EndpointName,
  | `suppression.${string}`
  | `audiences.${string}`
  | `audienceFilters.${string}`
  | `audiencePreviews.${string}`
  | `destinations.${string}`
  | `destinationSecrets.${string}`
  | `integrations.${string}`
  | `deliveries.${string}`
  | `webhooks.${string}`
>

/**
 * One address answers with two things; sdk.test.ts and runs.test.ts compare both. Two answer with bytes,
 * which the SDK gives as they come.
 */
type Compared = Exclude<
  Spoken,
  "visitors.list" | "runs.results" | "exports.csv" | "exportDownloads.download"
>

describe("the SDK and the server", () => {
  it("have the same endpoints", () => {
    expectTypeOf<Exclude<Compared, keyof Methods>>().toBeNever()
    expectTypeOf<Exclude<keyof Methods, Compared>>().toBeNever()
  })

  it("agree on every answer", () => {
    type Differ = {
      [Name in Compared & keyof Methods]: Same<
        Flat<Answer<Name>>,
        Flat<Answered<Methods[Name]>>
      > extends true
        ? never
        : Name
    }[Compared & keyof Methods]
    expectTypeOf<Exclude<Differ, never>>().toBeNever()
  })

  it("agree on every body", () => {
    type Differ = {
      [Name in Spoken]: Same<Flat<Body<Name>>, Flat<Sent<Bodies, Name>>> extends true ? never : Name
    }[Spoken]
    expectTypeOf<Exclude<Differ, never>>().toBeNever()
  })

  it("agree on every query", () => {
    type Differ = {
      [Name in Spoken]: Same<Flat<Query<Name>>, Flat<InAddress<Sent<Queries, Name>>>> extends true
        ? never
        : Name
    }[Spoken]
    expectTypeOf<Exclude<Differ, never>>().toBeNever()
  })
})

/** The whole answer that a method reads. */
type Answered<Method> = Method extends (...parameters: never) => infer Result
  ? Result extends sdk.PagedList<infer Item, infer Meta>
    ? { readonly data: ReadonlyArray<Item>; readonly meta: Meta }
    : { readonly data: Awaited<Result>; readonly meta: sdk.ResponseMeta }
  : never

type Sent<Map, Name> = Name extends keyof Map ? Map[Name] : Record<never, never>

/** As an address writes it: yes and no are words there. */
type InAddress<T> = {
  readonly [K in keyof T]: Exclude<T[K], undefined> extends boolean ? "true" | "false" : T[K]
}
