// Saved segments, and the session columns that the qualification query reads (spec 2.7, 3).
import { createFoldCase } from "../case-folding.ts"

const foldedColumns: ReadonlyArray<readonly [name: string, text: string]> = [
  ...[
    "company_name",
    "company_domain",
    "industry",
    "company_zip_code",
    "company_total_revenue",
    "job_title",
    "seniority",
    "department",
    "city",
    "state",
    "country",
  ].map((name) => [name, name] as const),
  ["email_domain", "split_part(email, '@', -1)"],
]

export const statements = (): ReadonlyArray<string> => [
  `create table segment (
    organization_id uuid not null references organization (id),
    id uuid not null,
    name text not null,
    description text,
    rule_ast jsonb not null,
    created_by uuid,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    primary key (organization_id, id)
  )`,
  `create index segment_newest on segment (organization_id, created_at desc, id desc)`,

  createFoldCase(),

  // Paths and names of custom events, one per line, case-folded (visitors/query/lines.ts).
  `alter table session
    add column form_submissions integer not null default 0,
    add column custom_events text not null default '',
    add column paths text not null default ''`,
  `update session set paths = E'\\n' || (
      select string_agg(distinct lower(path collate "C"), E'\\n')
      from unnest(page_urls) as url
      cross join lateral (select left(substr(url, 8 + strpos(substr(url, 9), '/')), 512)) as p (path)
    ) || E'\\n'
    where cardinality(page_urls) > 0`,
  `update session set form_submissions = said.forms, custom_events = coalesce(said.names, '')
    from (
      select
        organization_id, session_id, count(*) filter (where type = 'capture') as forms,
        E'\\n' || string_agg(distinct line, E'\\n') || E'\\n' as names
      from event
      cross join lateral (
        select fold_case(regexp_replace(payload ->> 'n', E'[\\x01-\\x1f\\x7f]', ' ', 'g'))
      ) as n (line)
      where type in ('capture', 'track') and session_id is not null
      group by organization_id, session_id
    ) as said
    where said.organization_id = session.organization_id and said.session_id = session.id`,

  // The sessions of a visitor in order. Rules are counted from the index alone. A session outside the window is skipped
  // there, which requires its end in the key.
  `drop index session_visitor`,
  `create index session_visitor on session
    (organization_id, visitor_id, started_at desc, pixel_id desc, id desc, ended_at)
    include (pageviews, pricing_page_views, demo_page_views, active_seconds, form_submissions)
    where visitor_id is not null`,

  // Case-folded columns for conditions on text. Postgres chooses between walking the list in order and searching the
  // table by how often a text occurs, so these columns need statistics: without them, a condition that few people match
  // reads far too much. For sessions, where statistics matter less, an expression has them.
  `alter table visitor ${foldedColumns
    .map(
      ([name, text]) =>
        `add column ${name}_folded text generated always as (fold_case(${text})) stored`,
    )
    .join(", ")}`,
  ...["utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content"].map(
    (name) => `create statistics session_${name} on (fold_case(${name})) from session`,
  ),
]
