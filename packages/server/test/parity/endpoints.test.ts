// Every endpoint of the server has a method of the SDK with the same input and output: a difference is a type error in
// `npm run check` that names the endpoint (docs/adr/0003). The run only needs to pass.
import type * as sdk from "@footfall/sdk"
import { describe, expectTypeOf, it } from "vitest"
import type { clients, OperationId } from "../../scripts/api-reference/clients.ts"
import type { Answer, Body, EndpointName, Flat, Merged, Query, Same } from "./wire.ts"

/** The method of each endpoint, from the table behind the reference. */
type Methods = {
  readonly [Name in OperationId]: MethodAt<sdk.Footfall, (typeof clients)[Name]["sdk"]>
}
type MethodAt<Of, Path extends string> = Path extends `${infer Name}.${infer Rest}`
  ? Name extends keyof Of
    ? MethodAt<Of[Name], Rest>
    : never
  : Path extends keyof Of
    ? Of[Path]
    : never

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
  readonly "auth.invitation": sdk.InvitationParams
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
  readonly "exports.create": sdk.ExportCreateParams
  readonly "topicTrends.compare": { readonly topicIds: ReadonlyArray<number> }
  readonly "topicLists.create": sdk.TopicListCreateParams
  readonly "topicLists.update": sdk.TopicListUpdateParams
  /** There is only one type, so the SDK sends nothing, which means the same. */
  readonly "runs.start": { readonly runType?: "manual" }
  readonly "siteAnalysis.analyze": Parameters<sdk.Topics["analyze"]>[0]
  /** A stream; text in the contract. */
  readonly "imports.run": string
}

/** What each method sends in the query. */
interface Queries {
  readonly "sessions.list": sdk.SessionListParams
  readonly "companies.list": Listed<Merged<sdk.CompanyListParams>>
  readonly "companies.get": sdk.CompanyGetParams
  readonly "overview.get": Merged<sdk.OverviewParams>
  /** Also accepted in the query (spec 5.1). The SDK sends it in the body. */
  readonly "visitors.query": Pick<sdk.VisitorQueryParams, "suppressed">
  readonly "visitors.list": Listed<Merged<sdk.VisitorListParams | sdk.VisitorGetParams>>
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
  /** As in the link. */
  readonly "exportDownloads.download": { readonly expires?: string; readonly signature?: string }
}

/** `fields` is sent as text, separated by commas. */
type Listed<Params> = Params & { readonly fields?: string }

/** The endpoints that this SDK calls, except those with their own files. */
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
 * One endpoint has two kinds of responses; sdk.test.ts and runs.test.ts compare both. Two return bytes, which the SDK
 * passes on.
 */
type Compared = Exclude<
  Spoken,
  "visitors.list" | "runs.results" | "exports.csv" | "exports.parquet" | "exportDownloads.download"
>

describe("the SDK and the server", () => {
  it("have the same endpoints", () => {
    expectTypeOf<Exclude<EndpointName, OperationId>>().toBeNever()
    expectTypeOf<Exclude<OperationId, EndpointName>>().toBeNever()
  })

  it("have a method for every endpoint", () => {
    type Missing = {
      [Name in OperationId]: [Methods[Name]] extends [never] ? Name : never
    }[OperationId]
    expectTypeOf<Missing>().toBeNever()
  })

  it("agree on every response", () => {
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

/** The whole response that a method reads. */
type Answered<Method> = Method extends (...parameters: never) => infer Result
  ? Result extends sdk.PagedList<infer Item, infer Meta>
    ? { readonly data: ReadonlyArray<Item>; readonly meta: Meta }
    : { readonly data: Awaited<Result>; readonly meta: sdk.ResponseMeta }
  : never

type Sent<Map, Name> = Name extends keyof Map ? Map[Name] : Record<never, never>

/** As written in a URL, where true and false are words. */
type InAddress<T> = {
  readonly [K in keyof T]: Exclude<T[K], undefined> extends boolean ? "true" | "false" : T[K]
}
