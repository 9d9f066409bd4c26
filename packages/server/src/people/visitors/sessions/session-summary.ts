// One bounded record per session (spec 2.2): paths only, never a host, a query or a list of pages. The id is a
// truncated HMAC, so it can't be traced back to its browser.
import { Schema } from "effect"
import type { Secrets } from "../../../platform/secrets/secrets.ts"
import { exposedClickIds } from "../../../collect/visits/attribution.ts"
import { channels } from "../../../collect/visits/channel.ts"
import { pathOf } from "../../../collect/visits/page-url.ts"
import { sessionIdOf } from "./session-id.ts"
import type { SessionRow } from "./session-row.ts"

const text = Schema.NullOr(Schema.String)

export class SessionSummary extends Schema.Opaque<SessionSummary>()(
  Schema.Struct({
    sessionId: Schema.String,
    startTime: Schema.String,
    endTime: Schema.String,
    durationSeconds: Schema.Int,
    pageviews: Schema.Int,
    uniquePages: Schema.Int,
    pricingPageViews: Schema.Int,
    demoPageViews: Schema.Int,
    entryPage: text,
    exitPage: text,
    channel: Schema.Literals(channels),
    utmSource: text,
    utmMedium: text,
    utmCampaign: text,
    clickIdTypes: Schema.Array(Schema.Literals(exposedClickIds)),
    pixelId: Schema.String,
    deviceType: Schema.Literals(["desktop", "mobile", "tablet", "bot", "unknown"]),
    country: text,
    isFirstSession: Schema.Boolean,
    isBounce: Schema.Boolean,
    converted: Schema.Boolean,
  }).annotate({ identifier: "SessionSummary" }),
) {}

/** The first or last page of a visitor's journey. */ // spec 2.1
export class Touch extends Schema.Opaque<Touch>()(
  Schema.Struct({
    at: Schema.String,
    path: text,
    referrerDomain: text,
    utmSource: text,
    utmMedium: text,
    utmCampaign: text,
    utmTerm: text,
    utmContent: text,
    channel: Schema.Literals(channels),
  }).annotate({ identifier: "Touch" }),
) {}

export const sessionSummaryOf = (row: SessionRow, secrets: Secrets["Service"]): SessionSummary => ({
  sessionId: sessionIdOf(row, secrets),
  startTime: row.startTime,
  endTime: row.endTime,
  durationSeconds: row.durationSeconds,
  pageviews: row.pageviews,
  uniquePages: row.uniquePages,
  pricingPageViews: row.pricingPageViews,
  demoPageViews: row.demoPageViews,
  entryPage: pathOfPage(row.entryUrl),
  exitPage: pathOfPage(row.exitUrl),
  channel: row.channel,
  utmSource: row.utmSource,
  utmMedium: row.utmMedium,
  utmCampaign: row.utmCampaign,
  clickIdTypes: exposedClickIds.filter((name) => row.clickIdNames.includes(name)),
  pixelId: row.pixelId,
  deviceType: row.deviceType,
  country: row.country,
  isFirstSession: row.isFirstSession,
  isBounce: row.pageviews === 1,
  converted: row.converted,
})

export const touchOf = (row: SessionRow): Touch => ({
  at: row.startTime,
  path: pathOfPage(row.entryUrl),
  referrerDomain: row.referrerDomain,
  utmSource: row.utmSource,
  utmMedium: row.utmMedium,
  utmCampaign: row.utmCampaign,
  utmTerm: row.utmTerm,
  utmContent: row.utmContent,
  channel: row.channel,
})

const pathOfPage = (url: string | null): string | null => (url === null ? null : pathOf(url))
