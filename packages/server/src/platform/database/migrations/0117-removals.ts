// Deliveries that also remove who left the audience (spec 2.16), and erasures that are carried out at destinations.

export const statements: ReadonlyArray<string> = [
  // `is_added` is also set before the request that adds them, because an answer may be lost. `is_sent`: false before they
  // were sent, since they were skipped, and since they left. `has_left`: their leaving is settled. `email` and `list_id`:
  // as a service knows them. `removed_status` is also set before the request that removes them.
  `alter table destination_contact
    add column is_sent boolean not null default true,
    add column has_left boolean not null default false,
    add column email text,
    add column list_id text`,
  `update destination_contact as known set list_id = destination.config #>> '{config,listId}'
    from destination
    where destination.organization_id = known.organization_id
      and destination.id = known.destination_id
      and destination.destination_type = 'automation'`,

  // People whose leaving a delivery settles. Who was removed keeps a row with `removed_at`; any other that is settled has
  // none. `place`: in the delivery, from 1.
  `create table delivery_removal (
    organization_id uuid not null,
    delivery_id uuid not null,
    hashed_email bytea not null,
    place integer not null,
    reason text not null check (reason in ('left', 'suppressed')),
    attempts smallint not null default 0,
    removed_at timestamptz,
    primary key (organization_id, delivery_id, hashed_email)
  )`,
  `create index delivery_removal_place on delivery_removal (organization_id, delivery_id, place)
    where removed_at is null`,
  `create index delivery_removal_removed
    on delivery_removal (organization_id, delivery_id, hashed_email)
    where removed_at is not null`,

  // `removing_at`: the time of the events about removals. `awaits_approval`: it would remove too many.
  `alter table delivery
    add column removed_count integer not null default 0,
    add column removing_at timestamptz,
    add column awaits_approval boolean not null default false`,
  `alter table destination add column total_removed bigint not null default 0`,

  // A queue for jobs/: people erased here who are still to be erased, or told about, at a destination. `person`: by what
  // it knows them, sealed. The row goes as soon as it is done.
  `create table destination_erasure (
    organization_id uuid not null,
    id uuid not null,
    destination_id uuid not null,
    person bytea not null,
    status text not null default 'waiting' check (status in ('waiting', 'working')),
    attempts integer not null default 0,
    claim bigint not null default 0,
    next_attempt_at timestamptz,
    leased_until timestamptz,
    error_code text,
    error_message text,
    started_at timestamptz,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    primary key (organization_id, id),
    foreign key (organization_id, destination_id) references destination (organization_id, id)
  )`,
  `create index destination_erasure_due
    on destination_erasure (next_attempt_at nulls first, created_at)`,
]
