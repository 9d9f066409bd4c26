// Writes people of the model to the tables like identification would have.
import { createHash } from "node:crypto"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { CompanyUpkeepStore } from "../../../src/people/identification/companies/store.ts"
import { noneTracked, tracked, trackedJson } from "../../../src/people/identification/tracked.ts"
import { distinctTags, normalTag } from "../../../src/people/visitors/tag.ts"
import { linesOf } from "../../../src/people/visitors/query/lines.ts"
import type { Person, Pixel, Visit } from "./person.ts"

/** The hash that distinguishes people. Derived from the id, so that two people may share an address. */
export const hashOf = ({ id }: Person): string => createHash("sha256").update(id).digest("hex")

export const putPeople = Effect.fnUntraced(function* (
  organizationId: string,
  pixels: ReadonlyArray<Pixel>,
  people: ReadonlyArray<Person>,
) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    insert into visitor (organization_id, id, email, email_hash, suppressed, held_back,
      first_seen_at, last_seen_at, first_name, last_name, company_name, company_domain, industry, company_zip_code,
      company_employee_count, company_total_revenue, job_title, seniority, department, city, state,
      country, linkedin_url, phones, phones_dnc)
    select organization_id, id, email, email_hash, suppressed, held_back, first_seen_at,
      last_seen_at, first_name, last_name, company_name, company_domain, industry, company_zip_code,
      company_employee_count, company_total_revenue, job_title, seniority, department, city, state,
      country, linkedin_url, phones, phones_dnc
    from jsonb_populate_recordset(null::visitor, ${JSON.stringify(
      people.map((person) => ({
        organization_id: organizationId,
        id: person.id,
        email: person.email,
        email_hash: hashOf(person),
        suppressed: person.suppressed,
        held_back: person.heldBack,
        ...seen(person.visits),
        ...person.profile,
      })),
    )}::text::jsonb)`
  yield* sql`
    insert into visitor_address (organization_id, email_hash, visitor_id, email, kind, first_seen_at)
    select organization_id, email_hash, visitor_id, email, kind, first_seen_at
    from jsonb_populate_recordset(null::visitor_address, ${JSON.stringify(
      people.flatMap((person) => addressesOf(organizationId, person)),
    )}::text::jsonb)`
  yield* sql`
    insert into visitor_pixel (organization_id, visitor_id, pixel_id, email_hash, first_seen_at,
      last_seen_at, held_back, custom_attribution)
    select organization_id, visitor_id, pixel_id, email_hash, first_seen_at, last_seen_at,
      held_back, custom_attribution
    from jsonb_populate_recordset(null::visitor_pixel, ${JSON.stringify(
      people.flatMap((person) => placesOf(organizationId, pixels, person)),
    )}::text::jsonb)`
  yield* sql`
    insert into session (organization_id, id, pixel_id, anonymous_id, visitor_id, network_domain, started_at,
      ended_at, active_seconds, pageviews, unique_pages, pricing_page_views, demo_page_views,
      page_urls, page_times, page_views, entry_url, exit_url, referrer_domain, channel, utm_source,
      utm_medium, utm_campaign, utm_term, utm_content, click_ids, device_type, converted,
      form_submissions, custom_events, tracked, paths)
    select organization_id, gen_random_uuid(), pixel_id, gen_random_uuid(), visitor_id, network_domain, started_at,
      ended_at, active_seconds, pageviews, 0, pricing_page_views, demo_page_views, page_urls,
      page_times, page_views, entry_url, exit_url, referrer_domain, channel, utm_source, utm_medium,
      utm_campaign, utm_term, utm_content, click_ids, 'desktop', true, form_submissions,
      custom_events, tracked, paths
    from jsonb_populate_recordset(null::session, ${JSON.stringify(
      people.flatMap((person) => [
        ...sessionsOf(organizationId, pixels, person.visits, { visitor_id: person.id }),
        ...sessionsOf(organizationId, pixels, person.anonymousVisits, {
          network_domain: person.id,
        }),
      ]),
    )}::text::jsonb)`
  yield* putTopics(organizationId, people)
  if (pixels.length > 1) yield* putLists(organizationId, pixels, people)
  yield* putMembers(organizationId)
  yield* putMarks("visitor", organizationId, people, ({ owner, tags }) => ({ owner, tags }))
  // Everyone is the only person of a company.
  yield* sql`update visitor set company_key = id::text where organization_id = ${organizationId}`
  yield* Effect.flatMap(CompanyUpkeepStore, ({ settle }) => settle([organizationId])).pipe(
    Effect.provide(CompanyUpkeepStore.layer),
  )
  yield* putMarks("company", organizationId, people, ({ companyOwner, companyTags }) => ({
    owner: companyOwner,
    tags: companyTags,
  }))
  yield* sql`
    update visitor_score set rank = total, fit = n.fit, interest = n.interest
    from jsonb_to_recordset(${JSON.stringify(
      people.map(({ id, score }) => ({ id, ...score })),
    )}::text::jsonb) as n (id uuid, total smallint, fit smallint, interest smallint)
    where organization_id = ${organizationId} and visitor_id = id and total is not null`
  yield* sql`
    update company_score set rank = total, fit = n.fit, interest = n.interest
    from jsonb_to_recordset(${JSON.stringify(
      people.map(({ companyScore, id }) => ({ id, ...companyScore })),
    )}::text::jsonb) as n (id text, total smallint, fit smallint, interest smallint)
    where organization_id = ${organizationId} and domain = id and total is not null`
})

/** A company's own visits in the model are those of its only person. */
const putTopics = Effect.fnUntraced(function* (
  organizationId: string,
  people: ReadonlyArray<Person>,
) {
  const sql = yield* SqlClient.SqlClient
  const rows = people.flatMap(({ id, topics }) =>
    topics.map(([topicId, score]) => ({ id, topicId, score })),
  )
  // Source 8 is not read.
  yield* sql`
    insert into visitor_topic (organization_id, visitor_id, source_id, topic_id, score)
    select ${organizationId}::uuid, id, source, case when source = 8 then 7 else "topicId" end, score
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb)
      as said (id uuid, "topicId" integer, score smallint)
    cross join unnest(array[7, 8]) as source
    on conflict do nothing`
  yield* sql`
    insert into visitor_topic_basis (organization_id, sources) values (${organizationId}, '{7,9}')
    on conflict do nothing`
})

/** Members of every organization of the model. */
export const members = [1, 2, 3].map((number) => `00000000-0000-4000-8000-00000000000${number}`)

const putMembers = Effect.fnUntraced(function* (organizationId: string) {
  const sql = yield* SqlClient.SqlClient
  const ids = sql`unnest(${members}::text[]::uuid[]) as id`
  yield* sql`
    insert into user_account (id, email) select id, id || '@team.example' from ${ids}
    on conflict do nothing`
  yield* sql`
    insert into member (organization_id, user_id, role)
    select ${organizationId}::uuid, id, 'member' from ${ids}
    on conflict do nothing`
})

/** As a change of the record writes them. */
const putMarks = Effect.fnUntraced(function* (
  subject: "company" | "visitor",
  organizationId: string,
  people: ReadonlyArray<Person>,
  marksOf: (person: Person) => {
    readonly owner: string | null
    readonly tags: ReadonlyArray<string>
  },
) {
  const sql = yield* SqlClient.SqlClient
  const marked = people.map((person) => {
    const { owner, tags } = marksOf(person)
    return { id: person.id, owner, tags: distinctTags(tags.map(normalTag)) }
  })
  const id = sql.literal(subject === "visitor" ? "visitor_id" : "domain")
  const type = sql.literal(subject === "visitor" ? "uuid" : "text")
  const given = sql`jsonb_to_recordset(${JSON.stringify(marked)}::text::jsonb)
    as marked (id ${type}, owner uuid, tags jsonb)`
  yield* sql`
    insert into ${sql.literal(`${subject}_owner`)} (organization_id, ${id}, user_id)
    select ${organizationId}::uuid, id, owner from ${given} where owner is not null`
  yield* sql`
    insert into ${sql.literal(`${subject}_tag`)} (organization_id, ${id}, key, tag)
    select ${organizationId}::uuid, id, tag ->> 'key', tag ->> 'tag'
    from ${given} cross join jsonb_array_elements(tags) as tag`
})

const putLists = Effect.fnUntraced(function* (
  organizationId: string,
  pixels: ReadonlyArray<Pixel>,
  people: ReadonlyArray<Person>,
) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    insert into list (organization_id, id, name, subject)
    values (${organizationId}, ${listOf("company.list", pixels)}, 'Companies', 'companies'),
      (${organizationId}, ${listOf("contact.list", pixels)}, 'People', 'people')`
  yield* sql`
    insert into list_member (organization_id, list_id, key, value)
    select organization_id, list_id, key, value
    from jsonb_populate_recordset(null::list_member, ${JSON.stringify(
      membersOf(organizationId, pixels, people),
    )}::text::jsonb)`
})

/** The model's lists have the ids of its pixels. */
export const listOf = (
  field: "company.list" | "contact.list",
  pixels: ReadonlyArray<Pixel>,
): string => pixels[field === "company.list" ? 0 : 1]!.id

const membersOf = (
  organizationId: string,
  pixels: ReadonlyArray<Pixel>,
  people: ReadonlyArray<Person>,
) => {
  const member = (field: "company.list" | "contact.list", key: string) => ({
    organization_id: organizationId,
    list_id: listOf(field, pixels),
    key,
    value: key,
  })
  return people.flatMap((person) => [
    ...(person.companyIsListed ? [member("company.list", person.id)] : []),
    ...(person.listedAddress === null
      ? []
      : [
          member(
            "contact.list",
            hashOf(person) + (person.listedAddress === "other" ? " other" : ""),
          ),
        ]),
  ])
}

const seen = (visits: ReadonlyArray<Visit>) => ({
  first_seen_at: iso(Math.min(...visits.map(({ startedAt }) => startedAt))),
  last_seen_at: iso(Math.max(...visits.map(({ endedAt }) => endedAt))),
})

const iso = (at: number): string => new Date(at).toISOString()

const addressesOf = (organizationId: string, person: Person) =>
  [
    { email: person.email, kind: person.email === null ? null : person.kind },
    ...(person.otherAddress === null ? [] : [person.otherAddress]),
  ].map(({ email, kind }, index) => ({
    organization_id: organizationId,
    email_hash: index === 0 ? hashOf(person) : `${hashOf(person)} other`,
    visitor_id: person.id,
    email,
    kind,
    ...seen(person.visits),
  }))

const placesOf = (organizationId: string, pixels: ReadonlyArray<Pixel>, person: Person) =>
  pixels.flatMap(({ id }, index) => {
    const visits = person.visits.filter(({ pixel }) => pixel === index)
    return visits.length === 0
      ? []
      : [
          {
            organization_id: organizationId,
            visitor_id: person.id,
            pixel_id: id,
            email_hash: hashOf(person),
            held_back: person.heldBack,
            custom_attribution: person.attribution[index],
            ...seen(visits),
          },
        ]
  })

/** As identification counts them, one after the other. */
const trackedIn = ({ events, isUncounted }: Visit) =>
  isUncounted || events.length === 0
    ? null
    : trackedJson(
        events.reduce((all, { name, properties }) => tracked(all, name, properties), noneTracked),
      )

const sessionsOf = (
  organizationId: string,
  pixels: ReadonlyArray<Pixel>,
  visits: ReadonlyArray<Visit>,
  whose: { readonly visitor_id: string } | { readonly network_domain: string },
) =>
  visits.map((visit) => ({
    organization_id: organizationId,
    pixel_id: pixels[visit.pixel]!.id,
    ...whose,
    started_at: iso(visit.startedAt),
    ended_at: iso(visit.endedAt),
    active_seconds: visit.activeSeconds,
    pageviews: visit.pageviews,
    pricing_page_views: visit.pricingPageViews,
    demo_page_views: visit.demoPageViews,
    page_urls: visit.urls,
    page_times: visit.urls.map(() => iso(visit.endedAt)),
    entry_url: visit.urls[0] ?? null,
    exit_url: visit.urls.at(-1) ?? null,
    referrer_domain: visit.referrerDomain,
    channel: visit.channel,
    utm_source: visit.utmSource,
    utm_medium: visit.utmMedium,
    utm_campaign: visit.utmCampaign,
    utm_term: visit.utmTerm,
    utm_content: visit.utmContent,
    click_ids: Object.fromEntries(visit.clickIds.map((name) => [name, ["x", visit.endedAt]])),
    form_submissions: visit.formSubmissions,
    page_views: visit.isUncounted ? [] : visit.views,
    custom_events: linesOf(visit.events.map(({ name }) => name)),
    tracked: trackedIn(visit),
    paths: linesOf(visit.urls.map((url) => new URL(url).pathname)),
  }))
