// Saved segments, and what the qualification query reads of sessions (decisions.md 2.7, 3).

export const statements: ReadonlyArray<string> = [
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
]
