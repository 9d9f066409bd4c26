// What a delivery keeps so that it goes on after a crash exactly where it was (spec 2.16, 4.4).

export const statements: ReadonlyArray<string> = [
  // `acknowledgements`: writes of settled contacts so far, so that one whose outcome was lost with its
  // connection is not done twice. `acknowledged_claim`: the last claim that got any further. `batch_count`:
  // null until the contacts were selected. `event_at`: time of the events of the present batch.
  // `is_followed`: a run completed meanwhile, and its automatic delivery comes next. `streak`: contacts in a
  // row that failed for good with `streak_code`.
  `alter table delivery
    add column requested_mode text,
    add column is_followed boolean not null default false,
    add column acknowledgements integer not null default 0,
    add column acknowledged_claim bigint,
    add column batch_count integer,
    add column event_at timestamptz,
    add column settled_at timestamptz,
    add column started_attempts integer not null default 0,
    add column completed_attempts integer not null default 0,
    add column streak integer not null default 0,
    add column streak_code text`,
  `create index delivery_key on delivery (organization_id, destination_id, idempotency_key)
    where idempotency_key is not null`,
  `create index delivery_of_destination
    on delivery (organization_id, audience_id, destination_id, created_at desc, id desc)`,

  // The selected contacts, a batch a row: places in the source run's results, in the order of sending, and
  // of each its change: a(dded), u(pdated), n (unchanged). `sequence`: of the first. `attempts`: null before
  // the batch was begun and put off; then of each contact those made, or -1 when it is settled.
  `create table delivery_batch (
    organization_id uuid not null,
    delivery_id uuid not null,
    batch_index integer not null,
    sequence integer not null,
    positions integer[] not null,
    changes text not null,
    attempts smallint[],
    primary key (organization_id, delivery_id, batch_index)
  )`,

  // No row: never sent, or skipped since. No hash: what was sent last did not arrive.
  `alter table destination_contact
    alter column content_hash drop not null,
    drop column delivery_id`,
]
