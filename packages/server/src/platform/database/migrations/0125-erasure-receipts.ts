// What erasures did (spec 2.26), without anything about the person. `waiting`: the requests to a destination that are still
// to be answered; `reached`: the outcome of each answered one. `pending`: the destinations that wait.

export const statements: ReadonlyArray<string> = [
  `create table erasure (
    organization_id uuid not null references organization,
    id uuid not null,
    created_at timestamptz not null default clock_timestamp(),
    completed_at timestamptz,
    kinds jsonb not null,
    pending integer not null default 0,
    primary key (organization_id, id)
  )`,
  `create index erasure_list on erasure (organization_id, created_at desc, id desc)`,
  `create table erasure_destination (
    organization_id uuid not null,
    erasure_id uuid not null,
    destination_id uuid not null,
    name text not null,
    outcome text not null
      check (outcome in ('pending', 'deleted', 'removed', 'told', 'kept', 'failed')),
    at timestamptz not null default clock_timestamp(),
    waiting integer not null default 0,
    reached text[] not null default '{}',
    primary key (organization_id, erasure_id, destination_id),
    foreign key (organization_id, erasure_id) references erasure
  )`,
  // Null: it was queued before there were receipts.
  `alter table destination_erasure add column erasure_id uuid`,
]
