// SQL that keeps companies consistent with sessions and people (spec 13.1). Triggers record which companies are
// affected by a write (migration 0043). They are updated here, in the transaction and turn of the writer: a session
// that starts or continues is added; after anything else, the company is recounted.
import { Context, Effect, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { isCompanySuppressed } from "../../suppression/company-rules-store.ts"
import type { NetworkCompany } from "../../../collect/visits/network-companies.ts"

/** People whose fields describe a company, last seen first. */
const describingMax = 50

type Result<A> = Effect.Effect<A, SqlError.SqlError>

export interface CompanyKey {
  readonly organizationId: string
  readonly domain: string
}

/** A company as a session's network describes it. */
export interface NamedCompany extends CompanyKey {
  readonly network: NetworkCompany
}

interface Touched extends CompanyKey {
  readonly pixelId: string | null
  readonly sessions: number
  readonly anonymousSessions: number
  readonly firstSeenAt: string | null
  readonly lastSeenAt: string | null
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const json = (value: unknown) => sql`${JSON.stringify(value)}::text::jsonb`
  const keysIn = (keys: ReadonlyArray<CompanyKey>) =>
    sql`jsonb_to_recordset(${json(keys)}) as k ("organizationId" uuid, domain text)`

  const take = (organizationIds: ReadonlyArray<string>) =>
    sql<Touched>`
      with taken as (
        delete from company_touched
        where organization_id = any (
          array(select jsonb_array_elements_text(${json(organizationIds)})::uuid))
        returning *
      )
      select organization_id as "organizationId", domain, pixel_id as "pixelId",
        sum(sessions)::int as sessions, sum(anonymous_sessions)::int as "anonymousSessions",
        min(first_seen_at)::text as "firstSeenAt", max(last_seen_at)::text as "lastSeenAt"
      from taken
      group by organization_id, domain, pixel_id`

  const add = (rows: ReadonlyArray<Touched>) => sql`
    insert into company_pixel as p
      (organization_id, domain, pixel_id, sessions, anonymous_sessions, first_seen_at, last_seen_at)
    select "organizationId", domain, "pixelId", sessions, "anonymousSessions", "firstSeenAt",
      "lastSeenAt"
    from jsonb_to_recordset(${json(rows)}) as k (
      "organizationId" uuid, domain text, "pixelId" uuid, sessions int, "anonymousSessions" int,
      "firstSeenAt" timestamptz, "lastSeenAt" timestamptz
    )
    on conflict (organization_id, domain, pixel_id) do update set
      sessions = p.sessions + excluded.sessions,
      anonymous_sessions = p.anonymous_sessions + excluded.anonymous_sessions,
      first_seen_at = least(p.first_seen_at, excluded.first_seen_at),
      last_seen_at = greatest(p.last_seen_at, excluded.last_seen_at)`

  const recount = Effect.fnUntraced(function* (keys: ReadonlyArray<CompanyKey>) {
    yield* sql`
      delete from company_pixel p using ${keysIn(keys)}
      where p.organization_id = k."organizationId" and p.domain = k.domain`
    yield* sql`
      insert into company_pixel
        (organization_id, domain, pixel_id, sessions, anonymous_sessions, first_seen_at, last_seen_at)
      select k."organizationId", k.domain, s.pixel_id, sum(s.sessions), sum(s.anonymous),
        min(s.first_seen_at), max(s.last_seen_at)
      from ${keysIn(keys)}
      cross join lateral (
        select pixel_id, count(*) as sessions, count(*) as anonymous,
          min(started_at) as first_seen_at, max(ended_at) as last_seen_at
        from session
        where organization_id = k."organizationId" and network_domain = k.domain
          and visitor_id is null
        group by pixel_id
        union all
        select s.pixel_id, count(*), 0, min(s.started_at), max(s.ended_at)
        from visitor v
        join session s on s.organization_id = v.organization_id and s.visitor_id = v.id
        where v.organization_id = k."organizationId" and v.company_key = k.domain
        group by s.pixel_id
      ) as s
      group by k."organizationId", k.domain, s.pixel_id`
  })

  const industry = "coalesce(people.industry, n.network ->> 'industry')"
  const isSuppressed = sql.literal(
    isCompanySuppressed({ organizationId: 'k."organizationId"', domain: "k.domain", industry }),
  )

  /** A person's field wins over the network's, and the person seen last over the others. */
  const describe = Effect.fnUntraced(function* (
    keys: ReadonlyArray<CompanyKey>,
    named: ReadonlyArray<NamedCompany>,
  ) {
    yield* sql`
      with gone as (
        delete from company c using ${keysIn(keys)}
        where c.organization_id = k."organizationId" and c.domain = k.domain
          and not exists (
            select from company_pixel p
            where p.organization_id = c.organization_id and p.domain = c.domain
          )
      )
      insert into company (
        organization_id, domain, name, industry, employee_count, total_revenue, linkedin_url, city,
        state, country, network, sessions, anonymous_sessions, first_seen_at, last_seen_at,
        suppressed
      )
      select k."organizationId", k.domain,
        coalesce(people.name, n.network ->> 'name'),
        ${sql.literal(industry)},
        coalesce(people.employees, (n.network ->> 'employeeCount')::int),
        coalesce(people.revenue, n.network ->> 'revenueRange'),
        coalesce(people.linkedin, n.network ->> 'linkedinUrl'),
        n.network ->> 'city', n.network ->> 'state', n.network ->> 'country',
        n.network, p.sessions, p.anonymous_sessions, p.first_seen_at, p.last_seen_at,
        ${isSuppressed}
      from ${keysIn(keys)}
      cross join lateral (
        select sum(sessions) as sessions, sum(anonymous_sessions) as anonymous_sessions,
          min(first_seen_at) as first_seen_at, max(last_seen_at) as last_seen_at
        from company_pixel
        where organization_id = k."organizationId" and domain = k.domain
      ) as p
      cross join lateral (
        select coalesce(
          (select named.network
           from jsonb_to_recordset(${json(named)})
             as named ("organizationId" uuid, domain text, network jsonb)
           where named."organizationId" = k."organizationId" and named.domain = k.domain
           limit 1),
          (select known.network from company known
           where known.organization_id = k."organizationId" and known.domain = k.domain),
          '{}'
        ) as network
      ) as n
      cross join lateral (
        select
          (array_agg(company_name order by last_seen_at desc, id)
            filter (where company_name is not null))[1] as name,
          (array_agg(industry order by last_seen_at desc, id)
            filter (where industry is not null))[1] as industry,
          (array_agg(company_employee_count order by last_seen_at desc, id)
            filter (where company_employee_count is not null))[1] as employees,
          (array_agg(company_total_revenue order by last_seen_at desc, id)
            filter (where company_total_revenue is not null))[1] as revenue,
          (array_agg(company_linkedin_url order by last_seen_at desc, id)
            filter (where company_linkedin_url is not null))[1] as linkedin
        from (
          select * from visitor v
          where v.organization_id = k."organizationId" and v.company_key = k.domain
            and not v.held_back
          order by v.last_seen_at desc, v.id
          limit ${sql.literal(String(describingMax))}
        ) as v
      ) as people
      where p.first_seen_at is not null
      on conflict (organization_id, domain) do update set
        name = excluded.name,
        industry = excluded.industry,
        employee_count = excluded.employee_count,
        total_revenue = excluded.total_revenue,
        linkedin_url = excluded.linkedin_url,
        city = excluded.city,
        state = excluded.state,
        country = excluded.country,
        network = excluded.network,
        sessions = excluded.sessions,
        anonymous_sessions = excluded.anonymous_sessions,
        first_seen_at = excluded.first_seen_at,
        last_seen_at = excluded.last_seen_at,
        suppressed = excluded.suppressed`
  })

  const settle = Effect.fnUntraced(function* (
    organizationIds: ReadonlyArray<string>,
    named: ReadonlyArray<NamedCompany> = [],
  ) {
    if (organizationIds.length === 0) return []
    const touched = yield* take(organizationIds)
    if (touched.length === 0) return []
    const keys = new Map(
      touched.map(({ domain, organizationId }) => [
        `${organizationId} ${domain}`,
        { organizationId, domain },
      ]),
    )
    const counted = new Set(
      touched.filter(({ pixelId }) => pixelId === null).map((one) => keyOf(one)),
    )
    if (counted.size > 0) yield* recount([...counted].map((key) => keys.get(key)!))
    const grown = touched.filter((one) => !counted.has(keyOf(one)))
    if (grown.length > 0) yield* add(grown)
    yield* describe([...keys.values()], named)
    return [...keys.values()]
  })

  /** Companies of networks that a suppression rule in force names, by domain or industry. */
  const suppressed = (companies: ReadonlyArray<NamedCompany>) =>
    sql<CompanyKey>`
      select k."organizationId", k.domain
      from jsonb_to_recordset(${json(companies)})
        as k ("organizationId" uuid, domain text, network jsonb)
      where ${sql.literal(
        isCompanySuppressed({
          organizationId: 'k."organizationId"',
          domain: "k.domain",
          industry: "k.network ->> 'industry'",
        }),
      )}`

  return { settle, suppressed }
})

const keyOf = ({ domain, organizationId }: CompanyKey): string => `${organizationId} ${domain}`

interface CompaniesOfSessions {
  /**
   * Updates the companies that the transaction affected, and returns them. Runs in the caller's transaction, which
   * holds the organizations' turns.
   */
  settle(
    organizationIds: ReadonlyArray<string>,
    named?: ReadonlyArray<NamedCompany>,
  ): Result<ReadonlyArray<CompanyKey>>
  suppressed(companies: ReadonlyArray<NamedCompany>): Result<ReadonlyArray<CompanyKey>>
}

export class CompanyUpkeepStore extends Context.Service<CompanyUpkeepStore, CompaniesOfSessions>()(
  "@footfall/server/identification/CompanyUpkeepStore",
) {
  static readonly layer = Layer.effect(CompanyUpkeepStore, make)
}
