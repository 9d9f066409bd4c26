// The whole HTTP contract: serves requests, /openapi.json and /docs. One line a room;
// what a room's endpoints take and answer stands in its own api.ts.
import { HttpApi, OpenApi } from "effect/http-api"
import { ApiKeysApi } from "./access/keys/api.ts"
import { OrganizationsApi } from "./access/organizations/api.ts"
import { AuthApi } from "./access/sign-in/api.ts"
import { AccountApi } from "./account/api.ts"
import { AudienceFiltersApi, PreviewsApi } from "./audiences/api.ts"
import { AudiencesApi } from "./audiences/lifecycle/api.ts"
import { DeliveriesApi } from "./deliveries/api.ts"
import { IntegrationsApi } from "./destinations/accounts/api.ts"
import { DestinationSecretsApi, DestinationsApi } from "./destinations/api.ts"
import { ErasureApi } from "./identification/erasure/api.ts"
import { ImportsApi } from "./people/api.ts"
import { LinkTokensApi } from "./people/link-tokens/api.ts"
import { flatDescriptions } from "./http/flat-descriptions.ts"
import { numberParameters } from "./http/numeric-parameters.ts"
import { describeParameters } from "./http/parameter-descriptions.ts"
import { strict } from "./http/unknown-parameters.ts"
import { PixelsApi } from "./pixels/api.ts"
import { RunsApi } from "./runs/api.ts"
import { ExportDownloadsApi, ExportsApi } from "./runs/exports/api.ts"
import { SuppressionApi } from "./suppression/api.ts"
import { SiteAnalysisApi, SiteTopicsApi } from "./topics/analysis/api.ts"
import { TopicsApi } from "./topics/catalogue/api.ts"
import { TopicListsApi } from "./topics/lists/api.ts"
import { TopicTrendsApi } from "./topics/trends/api.ts"
import { SegmentsApi } from "./visitors/segments/api.ts"
import { SessionsApi } from "./visitors/sessions/api.ts"
import { VisitorsApi } from "./visitors/api.ts"
import { WebhooksApi } from "./webhooks/api.ts"

/** What /docs begins with; Markdown. */
const description = `Who visits your sites, who of them is kept out, and where audiences are delivered to.

- **Credentials.** An API key as \`X-API-Key: sk_…\`, or the access token of a member as
  \`Authorization: Bearer …\`; each operation names what it takes.
- **Answers** are \`{"data", "meta"}\`, errors \`{"error": {"code", "message", "details"}, "meta"}\`. Depend on
  the code, show the message. \`X-Request-Id\` is on every answer and in the server's log.
- **Lists** are read on with \`cursor\`: give the \`nextCursor\` of the page before until it is null. \`limit\` is
  the length of a page.
- **Too many requests** are answered with 429 and \`Retry-After\`, in seconds.`

const contract = HttpApi.make("footfall")
  .add(VisitorsApi)
  .add(SessionsApi)
  .add(SegmentsApi)
  .add(PixelsApi)
  .add(SuppressionApi)
  .add(WebhooksApi)
  .add(AccountApi)
  .add(ErasureApi)
  .add(AuthApi)
  .add(OrganizationsApi)
  .add(ApiKeysApi)
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
  .annotate(HttpApi.PayloadParseOptions, strict)
  .annotate(HttpApi.QueryParseOptions, strict)
  .annotate(HttpApi.ParamsParseOptions, strict)
  .annotate(OpenApi.Title, "Footfall")
  .annotate(OpenApi.Description, description)
  .annotate(OpenApi.Version, "1.0.0")

const withNumbers = numberParameters(contract.groups)

/** The document is what the library makes of it, said more plainly. */
export class Api extends contract.annotate(OpenApi.Transform, (document) =>
  describeParameters(withNumbers(flatDescriptions(document))),
) {}
