// Who may use which operation, from the tables of spec 5. The table may contain operations that don't exist yet. `{}`
// is a path parameter.

/** The codes of spec 5. `PUB?`: credentials are optional, and checked if sent (5.7). `cookie`: the cookie of 17.1.2. */
export type Code =
  | "PUB"
  | "cookie"
  | "PUB?"
  | "K"
  | "B"
  | "B+"
  | "B admin"
  | "B owner"
  | "BK"
  | "BK+"

const run = "/v1/intent/audiences/{}/runs"
const destination = "/v1/intent/audiences/{}/destinations"
const delivery = "/v1/intent/audiences/{}/deliveries"
const accounts = "/v1/intent/integrations/accounts"

export const operationCodes: Readonly<Record<string, Code>> = {
  // 5.1 Visitors
  "GET /v1/data": "K",
  "POST /v1/data/query": "K",
  "GET /v1/data/visitors/{}/sessions": "K",
  "GET /v1/data/visitors/{}/sessions/{}/events": "BK",
  "GET /v1/data/visitors/{}/origins": "K",
  "DELETE /v1/data/visitors/{}": "K",
  "POST /v1/data/link-tokens": "K",
  // 13 Companies
  "GET /v1/data/companies": "K",
  "POST /v1/data/companies/query": "K",
  "GET /v1/data/companies/{}": "K",
  "GET /v1/data/companies/{}/sessions/{}/events": "BK",
  "GET /v1/data/companies/{}/activity": "K",
  "GET /v1/data/overview": "K",
  "GET /v1/data/overview/breakdown": "K",
  // 5.2 Pixels
  "GET /v1/data/pixels": "K",
  "POST /v1/data/pixels": "K",
  "GET /v1/data/pixels/{}": "K",
  "PATCH /v1/data/pixels/{}": "K",
  "DELETE /v1/data/pixels/{}": "K",
  "POST /v1/data/pixels/{}/verify": "K",
  "GET /v1/data/pixels/{}/write-keys": "BK+",
  "POST /v1/data/pixels/{}/write-keys": "BK+",
  "DELETE /v1/data/pixels/{}/write-keys/{}": "BK+",
  "GET /v1/data/pixels/{}/shared-user-ids": "BK+",
  "DELETE /v1/data/pixels/{}/shared-user-ids/{}": "BK+",
  "POST /v1/data/pixels/{}/suggest-topics": "K",
  // 5.3 Account
  "GET /v1/data/account": "K",
  // 5.4 Segments
  "GET /v1/data/segments": "BK",
  "POST /v1/data/segments": "BK+",
  "GET /v1/data/segments/{}": "BK",
  "PATCH /v1/data/segments/{}": "BK+",
  "DELETE /v1/data/segments/{}": "BK+",
  "POST /v1/data/segments/preview": "BK",
  // 5.17 Lists
  "GET /v1/data/lists": "BK",
  "POST /v1/data/lists": "BK+",
  "GET /v1/data/lists/{}": "BK",
  "PATCH /v1/data/lists/{}": "BK+",
  "DELETE /v1/data/lists/{}": "BK+",
  "GET /v1/data/lists/{}/members": "BK",
  "POST /v1/data/lists/{}/members": "BK+",
  "PUT /v1/data/lists/{}/members": "BK+",
  "DELETE /v1/data/lists/{}/members": "BK+",

  // 5.18 Score
  "GET /v1/data/score": "BK",
  "PUT /v1/data/score": "BK+",
  "GET /v1/data/visitors/{}/score": "BK",
  "GET /v1/data/companies/{}/score": "BK",
  "GET /v1/data/companies/{}/topics": "BK",
  "GET /v1/data/visitors/{}/topics": "BK",

  // 5.20 Owner, tags and notes
  "PATCH /v1/data/visitors/{}": "BK+",
  "PATCH /v1/data/companies/{}": "BK+",
  "GET /v1/data/tags": "BK",
  "GET /v1/data/visitors/{}/notes": "BK",
  "POST /v1/data/visitors/{}/notes": "BK+",
  "PATCH /v1/data/visitors/{}/notes/{}": "BK+",
  "DELETE /v1/data/visitors/{}/notes/{}": "BK+",
  "GET /v1/data/companies/{}/notes": "BK",
  "POST /v1/data/companies/{}/notes": "BK+",
  "PATCH /v1/data/companies/{}/notes/{}": "BK+",
  "DELETE /v1/data/companies/{}/notes/{}": "BK+",

  // 5.5 Suppression rules
  "GET /v1/data/suppression-rules/industries": "K",
  "GET /v1/data/suppression-rules": "K",
  "POST /v1/data/suppression-rules": "K",
  "PUT /v1/data/suppression-rules": "K",
  "DELETE /v1/data/suppression-rules": "K",
  "DELETE /v1/data/suppression-rules/{}": "K",
  "POST /v1/data/suppression-rules/preview": "K",
  "POST /v1/data/import/{}/plan": "K",
  "POST /v1/data/import/{}/apply": "K",
  "GET /v1/data/import/{}": "K",
  "POST /v1/data/import/{}/{}/undo": "K",
  "GET /v1/data/import/{}/{}/rejected": "K",
  "DELETE /v1/data/import/{}/{}": "K",
  "GET /v1/data/visitors/{}/suppression": "K",
  // 5.21 Suppression sources
  "GET /v1/data/suppression-sources": "BK",
  "POST /v1/data/suppression-sources": "BK+",
  "GET /v1/data/suppression-sources/{}": "BK",
  "PATCH /v1/data/suppression-sources/{}": "BK+",
  "DELETE /v1/data/suppression-sources/{}": "BK+",
  "POST /v1/data/suppression-sources/{}/sync": "BK+",
  "POST /v1/data/suppression-sources/{}/approve": "BK+",
  // 5.6 Visitor webhooks
  "GET /v1/data/webhooks": "BK+",
  "POST /v1/data/webhooks": "BK+",
  "POST /v1/data/webhooks/preview": "BK+",
  "GET /v1/data/webhooks/{}": "BK+",
  "PATCH /v1/data/webhooks/{}": "BK+",
  "DELETE /v1/data/webhooks/{}": "BK+",
  "POST /v1/data/webhooks/{}/rotate-secret": "BK+",
  "POST /v1/data/webhooks/{}/test": "BK+",
  "GET /v1/data/webhooks/{}/deliveries": "BK+",
  "GET /v1/data/webhooks/{}/deliveries/{}": "BK+",
  "POST /v1/data/webhooks/{}/deliveries/{}/redeliver": "BK+",
  // 5.7 Topics and site analysis
  "GET /v1/intent/topics": "PUB?",
  "GET /v1/intent/topics/facets": "PUB?",
  "GET /v1/intent/topics/search": "PUB?",
  "GET /v1/intent/topics/{}/trend": "PUB?",
  "POST /v1/intent/topics/compare": "PUB?",
  "GET /v1/intent/topics/movers": "PUB?",
  "POST /v1/intent/topics/analyze": "PUB?",
  "GET /v1/intent/site-topics": "BK",
  "GET /v1/intent/topic-lists": "BK",
  "POST /v1/intent/topic-lists": "BK+",
  "GET /v1/intent/topic-lists/{}": "BK",
  "PATCH /v1/intent/topic-lists/{}": "BK+",
  "DELETE /v1/intent/topic-lists/{}": "BK+",
  // 5.8 Audiences
  "GET /v1/intent/audiences/filters": "BK",
  "POST /v1/intent/audiences/validate": "BK",
  "POST /v1/intent/audiences/preview": "K",
  "GET /v1/intent/audiences": "BK",
  "POST /v1/intent/audiences": "BK+",
  "GET /v1/intent/audiences/{}": "BK",
  "PATCH /v1/intent/audiences/{}": "BK+",
  "DELETE /v1/intent/audiences/{}": "BK+",
  // 5.9 Runs, results, exports
  [`POST ${run}`]: "BK+",
  [`GET ${run}`]: "BK",
  [`GET ${run}/{}`]: "BK",
  [`DELETE ${run}/{}`]: "BK+",
  [`GET ${run}/{}/results`]: "BK",
  [`GET ${run}/{}/stats`]: "BK",
  [`GET ${run}/{}/export.csv`]: "BK",
  [`GET ${run}/{}/export.parquet`]: "BK",
  [`GET ${run}/{}/export`]: "BK",
  [`POST ${run}/{}/exports`]: "BK+",
  [`GET ${run}/{}/exports`]: "BK",
  [`GET ${run}/{}/exports/{}`]: "BK",
  "GET /v1/intent/exports/{}/download": "PUB",
  // 5.10 Destinations and deliveries
  [`POST ${destination}`]: "BK+",
  [`GET ${destination}`]: "BK",
  [`GET ${destination}/{}`]: "BK",
  [`PATCH ${destination}/{}`]: "BK+",
  [`DELETE ${destination}/{}`]: "BK+",
  [`POST ${destination}/{}/rotate-secret`]: "B+",
  [`POST ${destination}/preview`]: "BK+",
  [`POST ${destination}/{}/test`]: "BK+",
  [`POST ${destination}/{}/sync`]: "B+",
  [`GET ${delivery}`]: "B+",
  [`GET ${delivery}/{}`]: "B+",
  [`GET ${delivery}/{}/contacts`]: "B+",
  [`GET ${delivery}/{}/failures`]: "B+",
  [`GET ${delivery}/{}/failures/{}`]: "B+",
  [`POST ${delivery}/{}/failures/{}/retry`]: "B+",
  [`POST ${delivery}/{}/retry`]: "B+",
  [`POST ${delivery}/{}/approve`]: "B+",
  [`POST ${delivery}/{}/cancel`]: "B+",
  // 5.11 Integrations
  "GET /v1/intent/integrations": "B+",
  "GET /v1/intent/integrations/{}/lists": "B+",
  "GET /v1/intent/integrations/{}/readable-lists": "B+",
  [`GET ${accounts}`]: "B+",
  [`POST ${accounts}`]: "B+",
  [`POST ${accounts}/{}/check`]: "B+",
  [`DELETE ${accounts}/{}`]: "B+",
  // 5.12 Tokens
  "POST /v1/auth/login": "PUB",
  "POST /v1/auth/refresh": "PUB",
  "POST /v1/auth/logout": "B",
  "GET /v1/auth/me": "B",
  "POST /v1/auth/accept-invite": "PUB",
  "POST /v1/auth/invitation": "PUB",
  "POST /v1/auth/session": "PUB",
  "POST /v1/auth/session/refresh": "cookie",
  "DELETE /v1/auth/session": "PUB",
  "POST /v1/auth/join": "B",
  "GET /v1/auth/sessions": "B",
  "DELETE /v1/auth/sessions/{}": "B",
  "POST /v1/auth/sessions/end-others": "B",
  "POST /v1/auth/device": "PUB",
  "POST /v1/auth/device/token": "PUB",
  "GET /v1/auth/device": "B",
  "POST /v1/auth/device/approve": "B",
  "POST /v1/auth/password": "B",
  "POST /v1/auth/password/reset-request": "PUB",
  "POST /v1/auth/password/reset": "PUB",
  // 5.13 Organizations, members, API keys
  "GET /v1/organizations": "B",
  "POST /v1/organizations": "B",
  "GET /v1/organizations/{}": "B",
  "PATCH /v1/organizations/{}": "B admin",
  "GET /v1/organizations/{}/members": "B admin",
  "POST /v1/organizations/{}/members": "B admin",
  "POST /v1/organizations/{}/members/{}/invitation": "B admin",
  "PATCH /v1/organizations/{}/members/{}": "B admin",
  "DELETE /v1/organizations/{}/members/{}": "B admin",
  "GET /v1/api-keys": "B admin",
  "POST /v1/api-keys": "B admin",
  "DELETE /v1/api-keys/{}": "B admin",
  "GET /v1/audit-log": "B admin",
  // 5.14 Admin import
  "POST /v1/admin/import/{}": "B owner",
}
