// The overview counts days of the organization's time zone, keeps two years and compares them (spec 13.3.3). Marks and
// totals name the zone that they were made in: a write that began before the zone changed marks a day of the old zone.

/** The day of a moment in the zone of `organization`, which tests may lack. */
const zone = `coalesce(organization.time_zone, 'UTC')`
const dayOf = (moment: string) => `(${moment} at time zone ${zone})::date`

/** Days whose totals `changed` (organization_id, visitor_id, started_at) may affect. */
const noteDays = `
  insert into overview_stale (organization_id, day, time_zone)
  select c.organization_id, ${dayOf("c.started_at")}, ${zone}
  from changed c
  left join organization on organization.id = c.organization_id
  union
  -- Later days of the same person: the time since their previous visit may have changed.
  select s.organization_id, ${dayOf("s.started_at")}, ${zone}
  from (
    select organization_id, visitor_id, min(started_at) as started_at from changed
    where visitor_id is not null
    group by 1, 2
  ) as c
  left join organization on organization.id = c.organization_id
  join session s on s.organization_id = c.organization_id and s.visitor_id = c.visitor_id
    and s.started_at > c.started_at
  where ${dayOf("c.started_at")} < ${dayOf("now()")}`

const columnsOf = (s: string) => `${s}.organization_id, ${s}.visitor_id, ${s}.started_at`

const notes = (name: string, changed: string) => `
  create or replace function ${name}() returns trigger language plpgsql as $$
  begin
    with changed as (${changed}) ${noteDays};
    return null;
  end $$`

/** Each day that may be shown and has sessions, and two more at each end: a moment has at most three dates on Earth. */
const everyDay = (organization: string) => `
  select ${organization}.id, day::date, ${organization}.time_zone
  from (
    select greatest(now() - interval '736 days',
      coalesce(min(ended_at), now()) - interval '9 days') as since
    from session where session.organization_id = ${organization}.id
  ) as first,
    generate_series(date_trunc('day', first.since, 'UTC'), now() + interval '2 days', '1 day') as day`

export const statements: ReadonlyArray<string> = [
  `alter table overview_stale add column time_zone text not null default 'UTC'`,
  `alter table overview_day add column time_zone text not null default 'UTC'`,
  notes("note_days_of_sessions_begun", `select ${columnsOf("n")} from written n`),
  notes(
    "note_days_of_sessions_changed",
    `select r.* from replaced o
     join written n on n.organization_id = o.organization_id and n.id = o.id
     cross join lateral (select ${columnsOf("o")} union all select ${columnsOf("n")}) as r
     where (o.started_at, o.visitor_id, o.network_domain, o.network_suppressed, o.pageviews,
         o.pricing_page_views, o.demo_page_views)
       is distinct from (n.started_at, n.visitor_id, n.network_domain, n.network_suppressed,
         n.pageviews, n.pricing_page_views, n.demo_page_views)`,
  ),
  notes("note_days_of_sessions_gone", `select ${columnsOf("o")} from replaced o`),
  notes(
    "note_days_of_visitors",
    `select ${columnsOf("s")}
     from replaced o
     join written n on n.organization_id = o.organization_id and n.id = o.id
     join session s on s.organization_id = o.organization_id and s.visitor_id = o.id
     where (o.suppressed, o.held_back, o.company_key)
       is distinct from (n.suppressed, n.held_back, n.company_key)`,
  ),
  // As in migration 0080, with the zone.
  `create or replace function note_days_of_companies() returns trigger language plpgsql as $$
   begin
     with changed as materialized (
       select n.organization_id, n.domain
       from replaced o
       join written n on n.organization_id = o.organization_id and n.domain = o.domain
       where o.suppressed <> n.suppressed
     )
     insert into overview_stale (organization_id, day, time_zone)
     select c.organization_id, c.day, ${zone}
     from changed
     left join organization on organization.id = changed.organization_id
     join overview_company c on c.organization_id = changed.organization_id
       and c.domain = changed.domain
     union
     select stale.organization_id, stale.day, stale.time_zone
     from overview_stale as stale
     where stale.organization_id in (select organization_id from changed);
     return null;
   end $$`,
  // Of every day, also those whose sessions are not committed yet. It waits for no computation.
  `create function note_days_of_organization() returns trigger language plpgsql as $$
   begin
     insert into overview_stale (organization_id, day, time_zone) ${everyDay("new")};
     return null;
   end $$`,
  `create trigger organization_overview_update after update of time_zone on organization
    for each row when (old.time_zone is distinct from new.time_zone)
    execute function note_days_of_organization()`,
  `insert into overview_stale (organization_id, day, time_zone)
   select each.* from organization cross join lateral (${everyDay("organization")}) as each`,
]
