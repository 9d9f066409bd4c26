// What a page is about, and what is stored of an analysis (spec 2.18, 5.7).
import { Schema } from "effect"
import { described, lengthAtLeast } from "../../../platform/http/fields.ts"
import { topicFields } from "../topic.ts"
import { keywordsMax } from "./page-terms.ts"
import { topicsMax } from "./topic-ranking.ts"

/** Minimum length of a URL. spec 5.7. Units: Unicode code points. */
const urlLengthMin = 10

/** The outbound guard decides which URLs may be fetched; here it only has to be a URL. */
export const siteUrl = Schema.Trim.check(
  lengthAtLeast(urlLengthMin),
  Schema.makeFilter((text: string) => URL.canParse(text), {
    issueCode: "format",
    expected: "a URL with its scheme, such as https://acme.example/",
  }),
)

export class SiteRequest extends Schema.Opaque<SiteRequest>()(
  Schema.Struct({
    url: described(
      `URL of the page, at least ${urlLengthMin} characters, such as \`https://acme.example/\`.`,
      siteUrl,
    ),
  }).annotate({ identifier: "SiteRequest" }),
) {}

export class SiteTopic extends Schema.Opaque<SiteTopic>()(
  Schema.Struct({
    ...topicFields,
    similarity: Schema.Finite,
    matchedKeyword: Schema.String,
  }).annotate({ identifier: "SiteTopic" }),
) {}

const fields = {
  company: Schema.NullOr(Schema.String),
  summary: Schema.NullOr(Schema.String),
  keywords: Schema.Array(Schema.String).check(Schema.isMaxLength(keywordsMax)),
  topics: Schema.Array(SiteTopic).check(Schema.isMaxLength(topicsMax)),
}

export class SiteAnalysis extends Schema.Opaque<SiteAnalysis>()(
  Schema.Struct({ ...fields, contentHash: Schema.NullOr(Schema.String) }).annotate({
    identifier: "SiteAnalysis",
  }),
) {}

export class StoredSiteAnalysis extends Schema.Opaque<StoredSiteAnalysis>()(
  Schema.Struct({
    id: Schema.String,
    url: Schema.String,
    ...fields,
    createdAt: Schema.String,
  }).annotate({ identifier: "StoredSiteAnalysis" }),
) {}

/** Why a site can't be read; `details.reason` of 422 `SITE_UNREADABLE`. */ // spec 9
export const UnreadableReason = Schema.Literals([
  "unreachable",
  "timeout",
  "not_html",
  "too_large",
  "empty",
  "status",
])
export type UnreadableReason = typeof UnreadableReason.Type

export class SiteUnreadable extends Schema.TaggedError<SiteUnreadable>()("SiteUnreadable", {
  reason: UnreadableReason,
}) {}
/** No turn became free within the wait. */
export class SitesBusy extends Schema.TaggedError<SitesBusy>()("SitesBusy", {}) {}
