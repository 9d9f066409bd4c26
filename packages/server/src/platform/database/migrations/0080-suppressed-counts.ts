// What is suppressed counts nowhere by default (spec 13.3.7). A company has a mark, as people do: the sync cycle sets it,
// and so does every write that describes the company. A session without a company whose network a rule named has a flag,
// because the server does not keep the network's domain.

/** The UTC day of a timestamp. */
const dayOf = (column: string) => `(${column} at time zone 'utc')::date`

/** Days whose totals `changed` (organization_id, visitor_id, started_at) may affect. */
const noteDays = `
  insert into overview_stale (organization_id, day)
  select organization_id, ${dayOf("started_at")} from changed
  union
  -- Later days of the same person: the time since their previous visit may have changed.
  select s.organization_id, ${dayOf("s.started_at")}
  from (
    select organization_id, visitor_id, min(started_at) as started_at from changed
    where visitor_id is not null and started_at < date_trunc('day', now(), 'utc')
    group by 1, 2
  ) as c
  join session s on s.organization_id = c.organization_id and s.visitor_id = c.visitor_id
    and s.started_at > c.started_at`

const columnsOf = (s: string) => `${s}.organization_id, ${s}.visitor_id, ${s}.started_at`

export const statements: ReadonlyArray<string> = [
  `alter table session add column network_suppressed boolean not null default false`,
  `alter table company add column suppressed boolean not null default false`,
  // Counting companies that are not suppressed reads only the index.
  `drop index company_list`,
  `create index company_list on company (organization_id, last_seen_at desc, domain)
    include (suppressed)`,
  `create index company_suppressed on company (organization_id, domain) where suppressed`,
  `create index company_industry on company (organization_id, industry) where industry is not null`,
  `create index visitor_suppressed_company on visitor (organization_id, company_key)
    where suppressed and company_key is not null`,
  // Companies whose mark must be decided again.
  `create table suppression_company_mark (
    organization_id uuid not null,
    domain text not null,
    primary key (organization_id, domain)
  )`,
  ...[
    ["company_domain", "domain"],
    ["industry", "industry"],
  ].map(
    ([type, column]) => `
      update company as c set suppressed = true
      from suppression_rule_key as rule
      join suppression_list as list on list.organization_id = rule.organization_id
      where rule.type = '${type}' and c.organization_id = rule.organization_id
        and c.${column} = rule.match_key
        and rule.takes_part_at < list.cycle_at
        and (rule.removed_at is null or rule.removed_at >= list.cycle_at)`,
  ),

  // The parts of the columns with the same names that are suppressed. `counted_companies` are those with a session that
  // is not; null means all of them.
  `alter table overview_day
    add column suppressed_sessions integer not null default 0,
    add column suppressed_anonymous_sessions integer not null default 0,
    add column suppressed_pageviews integer not null default 0,
    add column suppressed_pricing_page_views integer not null default 0,
    add column suppressed_demo_page_views integer not null default 0,
    add column counted_companies jsonb`,
  // Whether all of its sessions on the day are suppressed.
  `alter table overview_company add column suppressed boolean not null default false`,
  // As in migration 0045, and the flag of the network.
  `create or replace function note_days_of_sessions_changed() returns trigger language plpgsql as $$
   begin
     with changed as (
       select r.* from replaced o
       join written n on n.organization_id = o.organization_id and n.id = o.id
       cross join lateral (select ${columnsOf("o")} union all select ${columnsOf("n")}) as r
       where (o.started_at, o.visitor_id, o.network_domain, o.network_suppressed, o.pageviews,
           o.pricing_page_views, o.demo_page_views)
         is distinct from (n.started_at, n.visitor_id, n.network_domain, n.network_suppressed,
           n.pageviews, n.pricing_page_views, n.demo_page_views)
     ) ${noteDays};
     return null;
   end $$`,
  // A day that is computed right now may have read the old mark, and its companies are not visible yet. Its mark in
  // overview_stale still is.
  `create function note_days_of_companies() returns trigger language plpgsql as $$
   begin
     with changed as materialized (
       select n.organization_id, n.domain
       from replaced o
       join written n on n.organization_id = o.organization_id and n.domain = o.domain
       where o.suppressed <> n.suppressed
     )
     insert into overview_stale (organization_id, day)
     select c.organization_id, c.day
     from changed
     join overview_company c on c.organization_id = changed.organization_id
       and c.domain = changed.domain
     union
     select stale.organization_id, stale.day
     from overview_stale as stale
     where stale.organization_id in (select organization_id from changed);
     return null;
   end $$`,
  `create trigger company_overview_update after update on company
    referencing old table as replaced new table as written
    for each statement execute function note_days_of_companies()`,
  `insert into overview_stale (organization_id, day)
   select distinct organization_id, day from overview_day
   where organization_id in (
     select organization_id from suppression_list
     where email + domain + company_domain + industry > 0
   )`,
]
