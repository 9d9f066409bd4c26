// What a delivery stores so that it resumes exactly where it was after a crash (spec 2.16, 4.4).

export const statements: ReadonlyArray<string> = [
  // `acknowledgements`: writes of settled contacts so far, so that a write whose outcome was lost with its connection
  // is not repeated. `acknowledged_claim`: the last claim that made progress. `batch_count`: null until the contacts
  // are selected. `event_at`: time of the current batch's events. `is_followed`: another run completed in the meantime,
  // and its automatic delivery comes next. `streak`: consecutive contacts that failed permanently with `streak_code`.
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

  // The selected contacts, one row per batch: their positions in the source run's results, in sending order, and for
  // each its change: a(dded), u(pdated), n (unchanged). `sequence`: of the first contact. `attempts`: null before the
  // batch was started and postponed; then, per contact, the attempts so far, or -1 once settled.
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

  // No row: never sent, or skipped since. No hash: the last version sent did not arrive.
  `alter table destination_contact
    alter column content_hash drop not null,
    drop column delivery_id`,
]
