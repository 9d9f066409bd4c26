// Site analyses requested with credentials (spec 2.18, Stored analysis).

export const statements: ReadonlyArray<string> = [
  `create table site_analysis (
    organization_id uuid not null references organization (id),
    id uuid not null,
    url text not null,
    company text,
    summary text,
    keywords text[] not null,
    topics jsonb not null,
    content_hash text,
    created_at timestamptz not null default now(),
    primary key (organization_id, id)
  )`,
  `create index site_analysis_newest on site_analysis
    (organization_id, created_at desc, id desc)`,
]
