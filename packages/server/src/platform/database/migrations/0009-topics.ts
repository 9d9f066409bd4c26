// The topic catalog, the topic lists of organizations, and the versions that validate caches of imported data (spec
// 2.18, 2.19).

export const statements: ReadonlyArray<string> = [
  // The server's public catalog; it belongs to no organization. `import_id`: the import that last wrote the row.
  `create table topic (
    topic_id integer primary key check (topic_id >= 1),
    topic_name text not null,
    type text collate "C" not null check (type in ('b2b', 'b2c', 'both')),
    industry text not null,
    category text not null,
    import_id uuid,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now()
  )`,

  `create table topic_list (
    organization_id uuid not null references organization (id),
    id uuid not null,
    name text not null,
    topic_ids integer[] not null,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    primary key (organization_id, id)
  )`,
  `create index topic_list_newest on topic_list (organization_id, created_at desc, id desc)`,

  // Incremented in the transaction of every import that changes something: a process may use cached topics, signals or
  // people as long as the version is the same.
  `create table data_version (
    kind text collate "C" primary key check (kind in ('topics', 'signals', 'people')),
    version bigint not null default 0
  ) with (fillfactor = 50)`,
  `insert into data_version (kind) values ('topics'), ('signals'), ('people')`,
]
