// A candidate's profile in SQL: the address that represents the person, and each field from the organization's own
// people, then shared ones, then its visitors (spec 2.8). Only requested fields are read.
import { SqlText, sqlText } from "../../../platform/database/sql-text.ts"
import { freeMailDomains, relayDomains } from "../../../collect/visits/free-mail.ts"
import { type Viewer, members, nextOf, owners, roots, visitorWith } from "../aliases/leads.ts"

interface Field {
  /** From imported records (`record`): the first value that is not null. */
  readonly record?: SqlText
  /** Instead of the first value: whether any record says so. */
  readonly anyRecord?: SqlText
  /** From the visitor (`visitor`). */
  readonly visitor?: SqlText
}

const column = (name: string, visitorToo = true): Field => ({
  record: SqlText.of(`record.${name}`),
  ...(visitorToo ? { visitor: SqlText.of(`visitor.${name}`) } : {}),
})

/** An address's domain as it is written. */
const domain = (email: string) => SqlText.of(`split_part(${email}, '@', -1)`)
const freeMail = sqlText`any (${freeMailDomains}::text[])`
const relay = sqlText`any (${relayDomains}::text[])`
const isFree = sqlText`(
  ${domain("address.email")} = ${freeMail}
  or regexp_replace(${domain("address.email")}, '^[^.]*[.]', '') = ${relay})`

/** A record states an address's kind; otherwise its domain decides. spec 1.5. */
const hasEmail = (kind: "business" | "personal"): Field => {
  const other = kind === "business" ? "personal" : "business"
  return {
    anyRecord: sqlText`(
      ${SqlText.of(`record.${kind}_email`)} is not null
      or exists (
        select from unnest(record.emails || record.email) as address (email)
        where address.email is distinct from ${SqlText.of(`record.${other}_email`)}
          and ${kind === "personal" ? isFree : sqlText`not (${isFree})`}
      ))`,
    visitor: sqlText`exists (
      select from visitor_address as own
      where own.organization_id = visitor.organization_id and own.visitor_id = visitor.id
        and own.kind = ${kind}
    )`,
  }
}

/** The first address of a kind: the one a record names as such, otherwise the record's first of that kind. */
const firstEmail = (kind: "business" | "personal"): Field => {
  const other = kind === "business" ? "personal" : "business"
  return {
    record: sqlText`coalesce(${SqlText.of(`record.${kind}_email`)}, (
      select address.email
      from unnest(record.email || record.emails) with ordinality as address (email, place)
      where address.email is distinct from ${SqlText.of(`record.${other}_email`)}
        and ${kind === "personal" ? isFree : sqlText`not (${isFree})`}
      order by address.place
      limit 1
    ))`,
    visitor: sqlText`(
      select own.email from visitor_address as own
      where own.organization_id = visitor.organization_id and own.visitor_id = visitor.id
        and own.kind = ${kind} and own.email is not null
      order by own.email_hash <> visitor.email_hash, own.first_seen_at, own.email_hash
      limit 1
    )`,
  }
}

/** For a record known by hash only: an address that the record contains. */
const primaryEmail = SqlText.of(
  "coalesce(record.email, record.business_email, record.personal_email, record.emails[1])",
)

/** The form that rules are compared with. */ // spec 2.6
export const domainOfRule = (email: SqlText) =>
  sqlText`regexp_replace(split_part(${email}, '@', -1), '^(www\\.)+(?=[^.]+\\.)', '')`

const fields = {
  first_name: column("first_name"),
  last_name: column("last_name"),
  email: { record: primaryEmail, visitor: SqlText.of("visitor.email") },
  business_email: firstEmail("business"),
  personal_email: firstEmail("personal"),
  email_status: column("email_status", false),
  phone: { record: SqlText.of("record.phones[1]"), visitor: SqlText.of("visitor.phones[1]") },
  linkedin_url: column("linkedin_url"),
  headline: column("headline", false),
  job_title: column("job_title"),
  seniority: column("seniority"),
  department: column("department"),
  company_name: column("company_name"),
  company_domain: column("company_domain"),
  company_employee_count: column("company_employee_count"),
  company_total_revenue: column("company_total_revenue"),
  industry: column("industry"),
  company_industry_group: column("company_industry_group", false),
  company_linkedin_url: column("company_linkedin_url"),
  city: column("city"),
  country: column("country"),
  state: column("state"),
  age_range: column("age_range", false),
  gender: column("gender", false),
  is_b2b: column("is_b2b", false),
  email_domain: {
    record: domainOfRule(primaryEmail),
    visitor: SqlText.of("visitor.email_domain"),
  },
  has_linkedin: {
    anyRecord: SqlText.of("record.linkedin_url is not null"),
    visitor: SqlText.of("visitor.linkedin_url is not null"),
  },
  has_phone: {
    anyRecord: SqlText.of("record.phones <> '{}'"),
    visitor: SqlText.of("visitor.phones <> '{}'"),
  },
  /** By the rules in force and the addresses of the visitor. */
  is_marked: { anyRecord: SqlText.of("false"), visitor: SqlText.of("visitor.suppressed") },
  has_business_email: hasEmail("business"),
  has_personal_email: hasEmail("personal"),
} satisfies Readonly<Record<string, Field>>

export type ProfileField = keyof typeof fields

/** The organization's records before shared ones, the root's before those of aliases. */
const recordOrder = (organizationId: string) => sqlText`
  record.organization_id <> ${organizationId}::uuid, record.email_hash <> who.root, record.email_hash`

/**
 * Adds to `source`, which has a `person`: `root` (hash of the primary address), `members` (hashes of all addresses) and
 * `visitor_id`, null for people who are not visitors.
 */
export const located = (viewer: Viewer, source: SqlText): SqlText => {
  const root = SqlText.of("found.root")
  const visitorId = SqlText.of(viewer.hasVisitors ? "visitor.id" : "null::uuid")
  const visitor = sqlText`
    left join lateral (
      select v.id from ${visitorWith(viewer, root)}
    ) as visitor on true`
  const hash = SqlText.of("named.hash")
  // Most addresses lead to no other.
  return sqlText`
    with found as materialized (
      select source.*, case
        when ${nextOf(viewer, hash)} is null then named.hash
        else (
          select way.root from (${roots(viewer, sqlText`(select named.hash)`)}) as way
        )
      end as root
      from ${source} as source
      join signal_person as numbers on numbers.id = source.person
      cross join lateral (select encode(numbers.email_hash, 'hex') as hash offset 0) as named
    )
    select found.*, ${visitorId} as visitor_id,
      ${members(viewer, { root, visitorId })} as members
    from found
    ${viewer.hasVisitors ? visitor : SqlText.of("")}`
}

/** Adds the requested fields to a located `source`. */
export const described = (
  viewer: Viewer,
  source: SqlText,
  names: ReadonlyArray<ProfileField>,
): SqlText => {
  const { hasVisitors, organizationId } = viewer
  const wanted: ReadonlyArray<readonly [ProfileField, Field]> = names.map((name) => [
    name,
    fields[name],
  ])
  const values = wanted.map(
    ([name, field]) => sqlText`${value(name, field, hasVisitors)} as ${SqlText.of(name)}`,
  )
  const recordValues = wanted.map(([name, field]) =>
    field.anyRecord === undefined
      ? sqlText`first_known(${field.record!}) as ${SqlText.of(name)}`
      : sqlText`bool_or(${field.anyRecord}) as ${SqlText.of(name)}`,
  )
  const visitor = sqlText`
    left join visitor on visitor.organization_id = ${organizationId}::uuid
      and visitor.id = who.visitor_id`
  return sqlText`
    select who.*, ${SqlText.join(values, ", ")}
    from ${source} as who
    ${hasVisitors ? visitor : SqlText.of("")}
    cross join lateral (
      select ${SqlText.join(recordValues, ", ")}
      from (
        select record.* from person as record
        where record.organization_id = ${owners(viewer)}
          and record.email_hash = any (who.members)
        order by ${recordOrder(organizationId)}
      ) as record
    ) as records`
}

const value = (name: string, { anyRecord, visitor }: Field, hasVisitors: boolean): SqlText => {
  const record = SqlText.of(`records.${name}`)
  // A visitor without a value adds nothing, and neither does a person without a record.
  if (visitor === undefined || !hasVisitors) {
    return anyRecord === undefined ? record : sqlText`coalesce(${record}, false)`
  }
  return anyRecord === undefined
    ? sqlText`coalesce(${record}, ${visitor})`
    : sqlText`(coalesce(${record}, false) or coalesce(${visitor}, false))`
}
