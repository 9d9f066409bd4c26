// Sessions and people as Postgres returns their rows. session-json.ts is the way back for sessions.
import type { Channel } from "../../collect/visits/channel.ts"
import { textsOfLines } from "../visitors/query/lines.ts"
import type { DeviceType } from "../../collect/visits/device.ts"
import { type Person, type Profile, profileColumns } from "./profile.ts"
import type { Session } from "./session.ts"
import type { TimedValues } from "./timed-values.ts"
import { type TrackedJson, trackedOf } from "./tracked.ts"

/** A row of `session` as returned by the driver; times are dates. */
export interface SessionRow {
  readonly organization_id: string
  readonly id: string
  readonly pixel_id: string
  readonly anonymous_id: string
  readonly visitor_id: string | null
  readonly started_at: Date
  readonly ended_at: Date
  readonly active_seconds: number | null
  readonly pageviews: number
  readonly pricing_page_views: number
  readonly demo_page_views: number
  readonly page_urls: ReadonlyArray<string>
  readonly page_times: ReadonlyArray<Date>
  readonly page_views: ReadonlyArray<number>
  readonly entry_url: string | null
  readonly exit_url: string | null
  readonly referrer: string | null
  readonly channel: Channel
  readonly utm_source: string | null
  readonly utm_medium: string | null
  readonly utm_campaign: string | null
  readonly utm_term: string | null
  readonly utm_content: string | null
  readonly click_ids: TimedValues
  readonly device_type: DeviceType
  readonly country: string | null
  readonly network_domain: string | null
  readonly network_suppressed: boolean
  readonly converted: boolean
  readonly form_submissions: number
  readonly custom_events: string
  readonly tracked: TrackedJson | null
  readonly state: SessionState
}

/** What folding needs besides the columns: column `state`. Epoch milliseconds. */
export interface SessionState {
  readonly paths: ReadonlyArray<number>
  readonly attribution: TimedValues
  readonly entryAt?: number
  readonly exitAt?: number
  readonly referrerAt?: number
  readonly touchAt?: number
  readonly isIdentified?: true
}

export const sessionOf = (row: SessionRow): Session => ({
  id: row.id,
  organizationId: row.organization_id,
  pixelId: row.pixel_id,
  anonymousId: row.anonymous_id,
  visitorId: row.visitor_id,
  startedAt: row.started_at.getTime(),
  endedAt: row.ended_at.getTime(),
  activeSeconds: row.active_seconds,
  pageviews: row.pageviews,
  pricingPageViews: row.pricing_page_views,
  demoPageViews: row.demo_page_views,
  trail: {
    pages: row.page_urls.map((url, place) => ({
      url,
      viewedAt: row.page_times[place]?.getTime() ?? 0,
      views: row.page_views[place] ?? 1, // 0.2 counted none
    })),
    paths: row.state.paths,
  },
  entry: seen(row.entry_url, row.state.entryAt),
  exit: seen(row.exit_url, row.state.exitAt),
  referrer: seen(row.referrer, row.state.referrerAt),
  touch:
    row.state.touchAt === undefined
      ? null
      : { at: row.state.touchAt, channel: row.channel, utm: utmOf(row) },
  clickIds: row.click_ids,
  attribution: row.state.attribution,
  deviceType: row.device_type,
  country: row.country,
  networkDomain: row.network_domain,
  isNetworkSuppressed: row.network_suppressed,
  converted: row.converted,
  isIdentified: row.state.isIdentified === true,
  formSubmissions: row.form_submissions,
  customEvents: textsOfLines(row.custom_events),
  tracked: trackedOf(row.tracked),
})

type Row = { readonly [column: string]: unknown }

/** The profile columns of a row of `visitor` or `person`. */
export const profileOf = (row: Row): Profile =>
  // Both tables' columns have the types of Profile (migration 0001).
  Object.fromEntries(profileColumns.map((column) => [column, row[column]])) as Profile

/** A row of `person`. */
export interface PersonRow extends Row {
  readonly organization_id: string
  readonly email_hash: string
  readonly email: string | null
  readonly emails: ReadonlyArray<string>
  readonly business_email: string | null
  readonly personal_email: string | null
}

export const personOf = (row: PersonRow): Person => ({
  organizationId: row.organization_id,
  emailHash: row.email_hash,
  email: row.email,
  emails: row.emails,
  businessEmail: row.business_email,
  personalEmail: row.personal_email,
  profile: profileOf(row),
})

const seen = (url: string | null, at: number | undefined) =>
  url === null || at === undefined ? null : { url, at }

const utmOf = (row: SessionRow) => ({
  ...(row.utm_source === null ? {} : { source: row.utm_source }),
  ...(row.utm_medium === null ? {} : { medium: row.utm_medium }),
  ...(row.utm_campaign === null ? {} : { campaign: row.utm_campaign }),
  ...(row.utm_term === null ? {} : { term: row.utm_term }),
  ...(row.utm_content === null ? {} : { content: row.utm_content }),
})
