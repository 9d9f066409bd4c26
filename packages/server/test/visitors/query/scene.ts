// A server with people of the model in its organization, and requests to POST /v1/data/query.
import { PgClient } from "@effect/sql-pg"
import { Effect, Redacted } from "effect"
import { randomUUID } from "node:crypto"
import type { TestOrganization, TestServer } from "../../support/server.ts"
import type { Person, Visit } from "./person.ts"
import { putPeople } from "./put-people.ts"

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly data: ReadonlyArray<Readonly<Record<string, unknown>>>
  readonly meta: Readonly<Record<string, unknown>>
  readonly error?: {
    readonly code: string
    readonly message: string
    readonly details?: Readonly<Record<string, unknown>>
  }
}

/** Sends a query with the key of the server's organization, or another one. */
export const ask = async (
  { apiKey, url }: TestServer,
  body: unknown,
  { query = "", key = apiKey }: { readonly query?: string; readonly key?: string } = {},
): Promise<Answer> => {
  const response = await fetch(`${url}/v1/data/query${query}`, {
    method: "POST",
    headers: { "x-api-key": key, "content-type": "application/json" },
    body: JSON.stringify(body),
  })
  const answer = (await response.json()) as Omit<Answer, "status" | "headers"> // the envelope
  return { ...answer, status: response.status, headers: response.headers }
}

export const predicate = (field: string, op: string, value: unknown) => ({
  ruleAst: { version: 1, window: "all", rule: { field, op, value } },
})

/** True for everyone. */
export const everyone = predicate("behavior.sessions", "gte", 1)

const visit: Visit = {
  pixel: 0,
  startedAt: 0,
  endedAt: 0,
  activeSeconds: null,
  pageviews: 1,
  pricingPageViews: 0,
  demoPageViews: 0,
  formSubmissions: 0,
  urls: ["https://tidewater.example/"],
  views: [1],
  events: [],
  isUncounted: false,
  referrerDomain: null,
  channel: "direct",
  utmSource: null,
  utmMedium: null,
  utmCampaign: null,
  utmTerm: null,
  utmContent: null,
  clickIds: [],
}

/** A person with visits at these times, in epoch milliseconds. */
export const someone = (
  moments: ReadonlyArray<number>,
  change: Partial<Person> = {},
  visitChange: Partial<Visit> = {},
): Person => ({
  id: randomUUID(),
  email: null,
  otherAddress: null,
  kind: "business",
  suppressed: false,
  heldBack: false,
  companyIsListed: false,
  listedAddress: null,
  topics: [],
  owner: null,
  companyOwner: null,
  tags: [],
  companyTags: [],
  profile: {
    first_name: null,
    last_name: null,
    company_name: null,
    company_domain: null,
    industry: null,
    company_zip_code: null,
    company_employee_count: null,
    company_total_revenue: null,
    job_title: null,
    seniority: null,
    department: null,
    city: null,
    state: null,
    country: null,
    linkedin_url: null,
    phones: [],
    phones_dnc: null,
  },
  score: null,
  companyScore: null,
  attribution: [{}, {}],
  visits: moments.map((at) => ({ ...visit, ...visitChange, startedAt: at, endedAt: at })),
  anonymousVisits: [],
  ...change,
})

/** Adds people to an organization, on its first pixel by default. */
export const settle = (
  { databaseUrl }: TestServer,
  { organizationId, pixelId }: TestOrganization,
  people: ReadonlyArray<Person>,
  otherPixels: ReadonlyArray<string> = [],
): Promise<void> =>
  putPeople(
    organizationId,
    [pixelId, ...otherPixels].map((id) => ({ id, domain: "" })),
    people,
  ).pipe(
    Effect.provide(PgClient.layer({ url: Redacted.make(databaseUrl), maxConnections: 1 })),
    Effect.runPromise,
  )
