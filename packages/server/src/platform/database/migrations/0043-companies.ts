// Companies of an organization (spec 13.1): one for each registrable domain with sessions. A session of an identified
// person counts for the person's company, any other for the company of its network. Every write notes, in its
// transaction, which companies it affects and how; the organization's next turn applies it.

/** The company that a row of `session` counts for: `s` is the row, `v` its visitor. */
const companyOf = (s: string, v: string) =>
  `case when ${s}.visitor_id is null then ${s}.network_domain else ${v}.company_key end`

const visitorOf = (s: string, v: string) =>
  `left join visitor ${v} on ${v}.organization_id = ${s}.organization_id and ${v}.id = ${s}.visitor_id`

export const statements: ReadonlyArray<string> = [
  `alter table visitor add column company_key text`,
  `create index visitor_company on visitor (organization_id, company_key, last_seen_at desc, id)
    where company_key is not null`,
  `alter table session add column network_domain text`,
  `create index session_network on session (organization_id, network_domain, pixel_id, ended_at)
    include (started_at) where visitor_id is null and network_domain is not null`,
  // `network`: the latest network data; sums and times are those of the company's rows in company_pixel.
  `create table company (
    organization_id uuid not null,
    domain text not null,
    name text,
    industry text,
    employee_count integer,
    total_revenue text,
    linkedin_url text,
    city text,
    state text,
    country text,
    network jsonb not null default '{}',
    sessions integer not null,
    anonymous_sessions integer not null,
    first_seen_at timestamptz not null,
    last_seen_at timestamptz not null,
    primary key (organization_id, domain)
  )`,
  `create index company_list on company (organization_id, last_seen_at desc, domain)`,
  `create table company_pixel (
    organization_id uuid not null,
    domain text not null,
    pixel_id uuid not null,
    sessions integer not null,
    anonymous_sessions integer not null,
    first_seen_at timestamptz not null,
    last_seen_at timestamptz not null,
    primary key (organization_id, domain, pixel_id)
  )`,
  `create index company_pixel_list on company_pixel
    (organization_id, pixel_id, last_seen_at desc, domain)`,
  // Without a pixel: the company must be counted again from its sessions.
  `create table company_touched (
    organization_id uuid not null,
    id bigint not null generated always as identity,
    domain text not null,
    pixel_id uuid,
    sessions integer not null default 0,
    anonymous_sessions integer not null default 0,
    first_seen_at timestamptz,
    last_seen_at timestamptz,
    primary key (organization_id, id)
  )`,
  `create function note_sessions_begun() returns trigger language plpgsql as $$
   begin
     insert into company_touched (organization_id, domain, pixel_id, sessions,
       anonymous_sessions, first_seen_at, last_seen_at)
     select n.organization_id, ${companyOf("n", "v")}, n.pixel_id, count(*),
       count(*) filter (where n.visitor_id is null), min(n.started_at), max(n.ended_at)
     from written n ${visitorOf("n", "v")}
     where ${companyOf("n", "v")} is not null
     group by 1, 2, 3;
     return null;
   end $$`,
  `create function note_sessions_changed() returns trigger language plpgsql as $$
   begin
     insert into company_touched (organization_id, domain, pixel_id, first_seen_at, last_seen_at)
     with changed as (
       select n.organization_id, n.pixel_id, n.started_at, n.ended_at,
         ${companyOf("o", "vo")} as before, ${companyOf("n", "vn")} as after,
         (o.visitor_id is null) <> (n.visitor_id is null)
           or ${companyOf("o", "vo")} is distinct from ${companyOf("n", "vn")} as is_moved
       from replaced o
       join written n on n.organization_id = o.organization_id and n.id = o.id
       ${visitorOf("o", "vo")} ${visitorOf("n", "vn")}
       where o.started_at <> n.started_at or o.ended_at <> n.ended_at
         or o.visitor_id is distinct from n.visitor_id
         or o.network_domain is distinct from n.network_domain
     )
     select organization_id, after, pixel_id, min(started_at), max(ended_at)
     from changed where not is_moved and after is not null
     group by 1, 2, 3
     union all
     select distinct organization_id, domain, null::uuid, null::timestamptz, null::timestamptz
     from changed cross join lateral (values (before), (after)) as of (domain)
     where is_moved and domain is not null;
     return null;
   end $$`,
  `create function note_sessions_gone() returns trigger language plpgsql as $$
   begin
     insert into company_touched (organization_id, domain)
     select distinct o.organization_id, ${companyOf("o", "v")}
     from replaced o ${visitorOf("o", "v")}
     where ${companyOf("o", "v")} is not null;
     return null;
   end $$`,
  `create function note_company_of_visitors() returns trigger language plpgsql as $$
   begin
     insert into company_touched (organization_id, domain)
     select distinct o.organization_id, domain
     from replaced o
     join written n on n.organization_id = o.organization_id and n.id = o.id
     cross join lateral (values (o.company_key), (n.company_key)) as of (domain)
     where domain is not null and (
       (o.company_key, o.company_name, o.industry, o.company_employee_count,
         o.company_total_revenue, o.company_linkedin_url)
       is distinct from
       (n.company_key, n.company_name, n.industry, n.company_employee_count,
         n.company_total_revenue, n.company_linkedin_url)
     );
     return null;
   end $$`,
  `create function note_visitors_gone() returns trigger language plpgsql as $$
   begin
     insert into company_touched (organization_id, domain)
     select distinct organization_id, company_key from replaced where company_key is not null;
     return null;
   end $$`,
  `create trigger session_company_insert after insert on session
    referencing new table as written
    for each statement execute function note_sessions_begun()`,
  `create trigger session_company_update after update on session
    referencing old table as replaced new table as written
    for each statement execute function note_sessions_changed()`,
  `create trigger session_company_delete after delete on session
    referencing old table as replaced
    for each statement execute function note_sessions_gone()`,
  `create trigger visitor_company_update after update on visitor
    referencing old table as replaced new table as written
    for each statement execute function note_company_of_visitors()`,
  `create trigger visitor_company_delete after delete on visitor
    referencing old table as replaced
    for each statement execute function note_visitors_gone()`,
  ...["insert", "update", "delete"].map(
    (event) => `
      create trigger company_${event}_noted after ${event} on company
      referencing ${event === "delete" ? "old" : "new"} table as changed
      for each statement execute function note_list_write()`,
  ),
]
