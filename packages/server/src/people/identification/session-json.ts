// Sessions in the JSON form in which a batch of them is sent to Postgres. It is what a batch sends most of, so keys are
// short and empty values are left out. Arrays and JSON are sent as texts: Postgres reads nested JSON into a column in
// twice the time that it takes for the whole row.
import { decodedPath } from "@footfall/pixel/path-filter"
import { textArray } from "../../platform/database/text-array.ts"
import { linesOf } from "../visitors/query/lines.ts"
import { pathOf } from "../../collect/visits/page-url.ts"
import type { SessionState } from "./rows.ts"
import { referrerDomain, type Session } from "./session.ts"
import { trackedJson } from "./tracked.ts"

/** The keys, each with its column and the column's type. */
const fields = {
  o: ["organization_id", "uuid"],
  i: ["id", "uuid"],
  x: ["pixel_id", "uuid"],
  b: ["anonymous_id", "uuid"],
  v: ["visitor_id", "uuid"],
  f: ["started_at", "timestamptz"],
  l: ["ended_at", "timestamptz"],
  as: ["active_seconds", "int"],
  n: ["pageviews", "int"],
  np: ["unique_pages", "int"],
  nq: ["pricing_page_views", "int"],
  nd: ["demo_page_views", "int"],
  pu: ["page_urls", "text[]"],
  pt: ["page_times", "timestamptz[]"],
  pv: ["page_views", "int[]"],
  en: ["entry_url", "text"],
  ex: ["exit_url", "text"],
  r: ["referrer", "text"],
  rd: ["referrer_domain", "text"],
  ch: ["channel", "text"],
  us: ["utm_source", "text"],
  um: ["utm_medium", "text"],
  uc: ["utm_campaign", "text"],
  ut: ["utm_term", "text"],
  uo: ["utm_content", "text"],
  c: ["click_ids", "jsonb"],
  d: ["device_type", "text"],
  g: ["country", "text"],
  w: ["network_domain", "text"],
  ws: ["network_suppressed", "boolean"],
  cv: ["converted", "boolean"],
  fs: ["form_submissions", "int"],
  ce: ["custom_events", "text"],
  tr: ["tracked", "jsonb"],
  p: ["paths", "text"],
  st: ["state", "jsonb"],
} as const

type SessionJson = { readonly [Key in keyof typeof fields]: string | number | boolean | undefined }

/** Columns that never change once a session has begun. */
const fixed: ReadonlySet<string> = new Set([
  "organization_id",
  "id",
  "pixel_id",
  "anonymous_id",
  "device_type",
])

const all = Object.entries(fields)

const columns = all.map(([, [column]]) => column).join(", ")

const isSentAsText = (type: string): boolean => type === "jsonb" || type.endsWith("[]")

/** The statement up to the JSON, and from there on; a session that is already stored is replaced. */
export const storingSessions = {
  before: `
    insert into session (${columns})
    select ${all.map(([key, [, type]]) => (isSentAsText(type) ? `s."${key}"::${type}` : `s."${key}"`)).join(", ")}
    from json_to_recordset(`,
  after: `::text::json) as s (
      ${all.map(([key, [, type]]) => `"${key}" ${isSentAsText(type) ? "text" : type}`).join(", ")}
    )
    on conflict (organization_id, id) do update set
      ${all.flatMap(([, [column]]) => (fixed.has(column) ? [] : `${column} = excluded.${column}`)).join(", ")}`,
}

/** Epoch milliseconds in the form Postgres parses as a timestamp. */
// oxlint-disable-next-line no-restricted-globals -- formats a time, asks no clock; DateTime takes six times as long
export const timestamp = (at: number): string => new Date(at).toISOString()

export const sessionJson = (session: Session) => {
  const { touch, trail, entry, exit, referrer } = session
  const utm = touch?.utm
  return {
    o: session.organizationId,
    i: session.id,
    x: session.pixelId,
    b: session.anonymousId,
    v: session.visitorId ?? undefined,
    f: timestamp(session.startedAt),
    l: timestamp(session.endedAt),
    as: session.activeSeconds ?? undefined,
    n: session.pageviews,
    np: trail.paths.length,
    nq: session.pricingPageViews,
    nd: session.demoPageViews,
    pu: textArray(trail.pages.map(({ url }) => url)),
    pt: textArray(trail.pages.map(({ viewedAt }) => timestamp(viewedAt))),
    pv: `{${trail.pages.map(({ views }) => views).join(",")}}`,
    en: entry?.url,
    ex: exit?.url,
    r: referrer?.url,
    rd: referrerDomain(session) ?? undefined,
    ch: touch?.channel ?? "direct",
    us: utm?.source,
    um: utm?.medium,
    uc: utm?.campaign,
    ut: utm?.term,
    uo: utm?.content,
    c: JSON.stringify(session.clickIds),
    d: session.deviceType,
    g: session.country ?? undefined,
    w: session.networkDomain ?? undefined,
    ws: session.isNetworkSuppressed,
    cv: session.converted,
    fs: session.formSubmissions,
    ce: linesOf(session.customEvents),
    tr: session.tracked.size === 0 ? undefined : JSON.stringify(trackedJson(session.tracked)),
    p: linesOf(trail.pages.map(({ url }) => decodedPath(pathOf(url)))),
    st: JSON.stringify({
      paths: trail.paths,
      attribution: session.attribution,
      ...(entry === null ? {} : { entryAt: entry.at }),
      ...(exit === null ? {} : { exitAt: exit.at }),
      ...(referrer === null ? {} : { referrerAt: referrer.at }),
      ...(touch === null ? {} : { touchAt: touch.at }),
      ...(session.isIdentified ? { isIdentified: true as const } : {}),
    } satisfies SessionState),
  } satisfies SessionJson
}
