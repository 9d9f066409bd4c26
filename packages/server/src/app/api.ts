// The whole HTTP contract, which serves requests; /openapi.json and /docs are generated from it (reference/). One line
// per room; each room's api.ts defines its own endpoints.
import { OpenApi } from "effect/http-api"
import { AuditLogApi } from "../access/audit/api.ts"
import { ApiKeysApi } from "../access/keys/api.ts"
import { OrganizationsApi } from "../access/organizations/api.ts"
import { AuthApi } from "../access/sign-in/api.ts"
import { DeviceLoginsApi } from "../access/sign-in/device/api.ts"
import { PasswordsApi } from "../access/sign-in/passwords/api.ts"
import { AccountApi } from "../access/account/api.ts"
import { AudienceFiltersApi, PreviewsApi } from "../intent/audiences/api.ts"
import { AudiencesApi } from "../intent/audiences/lifecycle/api.ts"
import { DeliveriesApi } from "../activation/deliveries/api.ts"
import { IntegrationsApi } from "../activation/destinations/accounts/api.ts"
import { DestinationSecretsApi, DestinationsApi } from "../activation/destinations/api.ts"
import { ArchivesApi, ErasureApi, ErasuresApi } from "../people/erasure/api.ts"
import { OriginsApi } from "../people/identification/origins/api.ts"
import { ImportsApi } from "../people/imports/api.ts"
import { LinkTokensApi } from "../people/person/link-tokens/api.ts"
import { footfall } from "../platform/http/contract.ts"
import { PixelsApi } from "../collect/pixels/api.ts"
import { InboundApi } from "../collect/inbound/api.ts"
import { SharedUserIdsApi } from "../collect/pixels/shared-user-ids/api.ts"
import { WriteKeysApi } from "../collect/pixels/write-keys/api.ts"
import { RunsApi } from "../intent/runs/api.ts"
import { ExportDownloadsApi, ExportsApi } from "../intent/runs/exports/api.ts"
import { SuppressionApi } from "../people/suppression/api.ts"
import { SuppressionSourcesApi } from "../people/suppression-sources/api.ts"
import { FileImportsApi } from "../people/file-imports/api.ts"
import { SiteAnalysisApi, SiteTopicsApi } from "../intent/topics/analysis/api.ts"
import { TopicsApi } from "../intent/topics/catalog/api.ts"
import { TopicListsApi } from "../intent/topics/lists/api.ts"
import { PixelTopicsApi } from "../intent/topics/suggestions/api.ts"
import { TopicTrendsApi } from "../intent/topics/trends/api.ts"
import { CompanySessionsApi, VisitorSessionsApi } from "../people/events/api.ts"
import { CompaniesApi } from "../people/visitors/companies/api.ts"
import { OverviewApi } from "../people/visitors/overview/api.ts"
import { ListsApi } from "../people/lists/api.ts"
import { CompanyTopicsApi, VisitorTopicsApi } from "../intent/visitor-topics/api.ts"
import { CompanyScoreApi, ScoreApi, VisitorScoreApi } from "../people/score/api.ts"
import { CompanyMarksApi, TagsApi, VisitorMarksApi } from "../people/teamwork/marks/api.ts"
import { CompanyNotesApi, VisitorNotesApi } from "../people/teamwork/notes/api.ts"
import { SegmentsApi } from "../people/visitors/segments/api.ts"
import { SessionsApi } from "../people/visitors/sessions/api.ts"
import { VisitorsApi } from "../people/visitors/api.ts"
import { WebhooksApi } from "../activation/webhooks/api.ts"

/** The introduction of /docs, in Markdown. */
const description = `Find out who visits your sites, suppress traffic you do not want, and deliver audiences.

- **Credentials.** Send an API key as \`X-API-Key: sk_…\`, or a member's access token as
  \`Authorization: Bearer …\`. Each operation says which it accepts.
- **Responses** have the body \`{"data", "meta"}\`, errors \`{"error": {"code", "message", "details"}, "meta"}\`.
  Rely on \`code\` and show \`message\` to people. Every response has an \`X-Request-Id\`, which is also in
  the server's log.
- **Lists** are paged. To get the next page, send the \`nextCursor\` of the last one as \`cursor\`, until it
  is null. \`limit\` sets the page size.
- **Rate limits.** Too many requests return 429. Wait the seconds in \`Retry-After\`, then try again.`

export class Api extends footfall
  .add(VisitorsApi)
  .add(SessionsApi)
  .add(VisitorSessionsApi)
  .add(SegmentsApi)
  .add(ListsApi)
  .add(ScoreApi)
  .add(VisitorScoreApi)
  .add(CompanyScoreApi)
  .add(VisitorMarksApi)
  .add(CompanyMarksApi)
  .add(TagsApi)
  .add(VisitorNotesApi)
  .add(CompanyNotesApi)
  .add(VisitorTopicsApi)
  .add(CompanyTopicsApi)
  .add(PixelsApi)
  .add(CompaniesApi)
  .add(CompanySessionsApi)
  .add(OverviewApi)
  .add(WriteKeysApi)
  .add(SharedUserIdsApi)
  .add(InboundApi)
  .add(PixelTopicsApi)
  .add(SuppressionApi)
  .add(FileImportsApi)
  .add(SuppressionSourcesApi)
  .add(WebhooksApi)
  .add(AccountApi)
  .add(ErasureApi)
  .add(ErasuresApi)
  .add(ArchivesApi)
  .add(OriginsApi)
  .add(AuthApi)
  .add(DeviceLoginsApi)
  .add(PasswordsApi)
  .add(OrganizationsApi)
  .add(ApiKeysApi)
  .add(AuditLogApi)
  .add(ImportsApi)
  .add(LinkTokensApi)
  .add(TopicsApi)
  .add(TopicTrendsApi)
  .add(TopicListsApi)
  .add(AudiencesApi)
  .add(AudienceFiltersApi)
  .add(PreviewsApi)
  .add(RunsApi)
  .add(DestinationsApi)
  .add(DestinationSecretsApi)
  .add(IntegrationsApi)
  .add(DeliveriesApi)
  .add(SiteAnalysisApi)
  .add(SiteTopicsApi)
  .add(ExportsApi)
  .add(ExportDownloadsApi)
  .annotate(OpenApi.Title, "Footfall")
  .annotate(OpenApi.Description, description)
  .annotate(OpenApi.Version, "1.0.0")
  .annotate(OpenApi.License, { name: "MIT", identifier: "MIT" }) {}
