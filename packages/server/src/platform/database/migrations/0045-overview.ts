// Daily totals of an organization's visits (spec 13.3.3). A write to sessions or people notes, in its transaction, the
// days whose totals it affects; they are recomputed a moment later.

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
  `create table overview_stale (
    organization_id uuid not null,
    id bigint not null generated always as identity,
    day date not null,
    primary key (organization_id, id)
  )`,
  // A pixel of zeros: the whole organization. People, suppressed people and companies, by the number of days since
  // their previous visit, at most 91; "new": no previous visit.
  `create table overview_day (
    organization_id uuid not null,
    pixel_id uuid not null,
    day date not null,
    sessions integer not null,
    anonymous_sessions integer not null,
    pageviews integer not null,
    pricing_page_views integer not null,
    demo_page_views integer not null,
    people jsonb not null,
    suppressed_people jsonb not null,
    companies jsonb not null,
    primary key (organization_id, pixel_id, day)
  )`,
  // The companies of a day: the time since their previous visit is found here, not in all sessions of their people.
  `create table overview_company (
    organization_id uuid not null,
    day date not null,
    domain text not null,
    pixel_id uuid not null,
    primary key (organization_id, day, domain, pixel_id)
  )`,
  `create index overview_company_domain_idx
    on overview_company (organization_id, domain, day, pixel_id)`,
  ...(
    [
      ["begun", "insert", `select ${columnsOf("n")} from written n`],
      [
        "changed",
        "update",
        `select r.* from replaced o
         join written n on n.organization_id = o.organization_id and n.id = o.id
         cross join lateral (select ${columnsOf("o")} union all select ${columnsOf("n")}) as r
         where (o.started_at, o.visitor_id, o.network_domain, o.pageviews, o.pricing_page_views,
             o.demo_page_views)
           is distinct from (n.started_at, n.visitor_id, n.network_domain, n.pageviews,
             n.pricing_page_views, n.demo_page_views)`,
      ],
      ["gone", "delete", `select ${columnsOf("o")} from replaced o`],
    ] as const
  ).flatMap(([name, event, changed]) => [
    `create function note_days_of_sessions_${name}() returns trigger language plpgsql as $$
     begin
       with changed as (${changed}) ${noteDays};
       return null;
     end $$`,
    `create trigger session_overview_${event} after ${event} on session
     referencing ${event === "insert" ? "" : "old table as replaced"}
       ${event === "delete" ? "" : "new table as written"}
     for each statement execute function note_days_of_sessions_${name}()`,
  ]),
  `create function note_days_of_visitors() returns trigger language plpgsql as $$
   begin
     with changed as (
       select s.organization_id, s.visitor_id, s.started_at
       from replaced o
       join written n on n.organization_id = o.organization_id and n.id = o.id
       join session s on s.organization_id = o.organization_id and s.visitor_id = o.id
       where (o.suppressed, o.held_back, o.company_key)
         is distinct from (n.suppressed, n.held_back, n.company_key)
     ) ${noteDays};
     return null;
   end $$`,
  `create trigger visitor_overview_update after update on visitor
    referencing old table as replaced new table as written
    for each statement execute function note_days_of_visitors()`,
  `insert into overview_stale (organization_id, day)
   select distinct organization_id, ${dayOf("started_at")} from session
   where started_at > now() - interval '181 days'`,
]
