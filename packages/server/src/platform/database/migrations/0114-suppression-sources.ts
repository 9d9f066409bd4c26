// Suppression sources (spec 5.21): lists elsewhere that are mirrored into rules. `suppression_sync` is the queue of their
// syncs (platform/jobs), one row per source; `suppression_source_rule` is what a source had at its last sync.

export const statements: ReadonlyArray<string> = [
  // `validators`: how the last file can be asked for only if it has changed. `list_version`: of the last sync.
  `create table suppression_source (
    organization_id uuid not null references organization (id),
    id uuid not null,
    name text not null,
    kind text not null,
    types text[] not null,
    schedule text not null check (schedule in ('hourly', 'daily')),
    status text not null default 'active' check (status in ('active', 'paused', 'needs_attention')),
    list_id uuid references list (id),
    connected_account_id uuid,
    url text,
    column_name text,
    header_names text[],
    headers bytea,
    validators jsonb,
    list_version bigint,
    rules integer not null default 0,
    -- What needs attention, and how many removals a member has approved.
    attention jsonb,
    approved_removals integer,
    last_sync jsonb,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    primary key (organization_id, id)
  )`,
  `create index suppression_source_list on suppression_source (list_id) where list_id is not null`,
  `create table suppression_sync (
    organization_id uuid not null,
    id uuid not null,
    status text not null default 'waiting' check (status in ('waiting', 'working')),
    claim bigint not null default 0,
    attempts integer not null default 0,
    -- Asked for while it runs.
    is_asked boolean not null default false,
    next_attempt_at timestamptz,
    leased_until timestamptz,
    started_at timestamptz,
    error_code text,
    error_message text,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    primary key (organization_id, id),
    foreign key (organization_id, id) references suppression_source on delete cascade
  )`,
  `create index suppression_sync_due on suppression_sync (next_attempt_at) where status = 'waiting'`,
  `create table suppression_source_rule (
    organization_id uuid not null,
    source_id uuid not null,
    type text collate "C" not null,
    match_key text collate "C" not null,
    value text collate "C" not null,
    also_key text collate "C",
    primary key (source_id, type, match_key)
  )`,
  // Whether another source has a rule too.
  `create index suppression_source_rule_key on suppression_source_rule
    (organization_id, type, match_key)`,
]
