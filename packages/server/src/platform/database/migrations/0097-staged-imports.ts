// Files of suppression rules that wait for a decision. What they contain is unlogged: a database that crashes forgets it, and
// the import counts as dropped (suppression/imports/). `ended_at`: applied or dropped.

export const statements: ReadonlyArray<string> = [
  `create table staged_import (
    id uuid primary key,
    organization_id uuid not null references organization,
    kind text not null,
    mode text not null,
    types text[],
    files jsonb not null,
    plan jsonb,
    created_at timestamptz not null default now(),
    expires_at timestamptz not null,
    ended_at timestamptz
  )`,
  `create index staged_import_organization on staged_import (organization_id, created_at)`,
  `create unlogged table staged_rule (
    import_id uuid not null,
    file integer not null,
    line integer not null,
    type text collate "C" not null,
    value text collate "C" not null,
    match_key text collate "C" not null,
    also_key text collate "C"
  )`,
  `create index staged_rule_import on staged_rule (import_id)`,
  `create unlogged table staged_rejection (
    import_id uuid not null,
    file integer not null,
    line integer not null,
    type text not null,
    value text not null,
    reason text not null,
    message text
  )`,
  `create index staged_rejection_import on staged_rejection (import_id, file, line)`,
]
