// Where suppression rules and members of lists come from (spec 2.6): what a member wrote, a file, or a source. A file's
// changes can be undone for 7 days (spec 5.16), so what it removed is kept that long.

export const statements: ReadonlyArray<string> = [
  // `name`: of the file or the source. `kind` other than `import`: the columns from `target` on are null.
  `create table data_origin (
    organization_id uuid not null,
    id uuid not null,
    kind text not null check (kind in ('member', 'import', 'source')),
    name text,
    note text,
    actor_type text,
    actor_id uuid,
    created_at timestamptz not null default now(),
    target text,
    list_id uuid,
    mode text,
    added integer,
    removed integer,
    -- What it removed is kept.
    is_undoable boolean not null default false,
    undone_at timestamptz,
    primary key (organization_id, id)
  )`,
  `create index data_origin_import on data_origin (organization_id, created_at, id) where kind = 'import'`,
  `create index data_origin_undoable on data_origin (created_at) where is_undoable`,
  // What a member writes with one note has one origin.
  `create unique index data_origin_member on data_origin (organization_id, actor_type, actor_id, md5(note))
    nulls not distinct where kind = 'member'`,
  // Null: from before origins were kept. A rule that is held stays when its import is undone or its source drops it.
  `alter table suppression_rule
    add column origin_id uuid,
    add column is_held boolean not null default true`,
  // The import that added it; null for a member, or if someone has added it again.
  `alter table list_member add column origin_id uuid`,
  `alter table list add column version bigint not null default 0`,
  `alter table staged_import
    add column list_id uuid,
    add column note text`,
  `create table import_removal (
    organization_id uuid not null,
    import_id uuid not null,
    type text collate "C" not null,
    value text collate "C" not null,
    match_key text collate "C" not null,
    also_key text collate "C",
    origin_id uuid,
    is_held boolean not null,
    primary key (import_id, type, match_key)
  )`,
  // An erasure looks for someone in what imports removed from lists.
  `create index import_removal_key on import_removal (organization_id, match_key)`,
]
