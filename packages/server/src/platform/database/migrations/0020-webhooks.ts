// Visitor webhooks, the visitors they reported, and their deliveries (spec 2.20, 4.6, 8.5).

export const statements: ReadonlyArray<string> = [
  // `secret`: encrypted; until `former_secret_until` the former one signs too. `failing_since`: start of the current
  // failure, with no success since. `consecutive_failures`: events given up since then. A deleted webhook is visible to
  // no one; its row is deleted once everything that belongs to it is.
  `create table webhook (
    organization_id uuid not null references organization (id),
    id uuid not null,
    name text not null,
    url text not null,
    trigger text not null check (trigger in ('first_match', 'every_update')),
    segment_id uuid,
    pixel_id uuid,
    status text not null check (status in ('active', 'inactive', 'auto_disabled')),
    timeout_ms integer not null,
    secret bytea not null,
    former_secret bytea,
    former_secret_until timestamptz,
    succeeded bigint not null default 0,
    failed bigint not null default 0,
    consecutive_failures integer not null default 0,
    failing_since timestamptz,
    last_delivered_at timestamptz,
    last_error_at timestamptz,
    last_error_message text,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    deleted_at timestamptz,
    primary key (organization_id, id),
    foreign key (organization_id, segment_id) references segment (organization_id, id)
  )`,
  `create index webhook_active on webhook (organization_id)
    where status = 'active' and deleted_at is null`,
  `create index webhook_segment on webhook (organization_id, segment_id)
    where segment_id is not null`,
  `create index webhook_deleted on webhook (deleted_at) where deleted_at is not null`,

  // What a webhook has sent about a person. `identified_at`: when it was sent as identified, once and permanently.
  // `told_at`: due time of the last event, in the future while the event is delayed by a minute.
  `create table webhook_visitor (
    organization_id uuid not null,
    webhook_id uuid not null,
    visitor_id uuid not null,
    identified_at timestamptz,
    told_at timestamptz not null,
    primary key (organization_id, webhook_id, visitor_id)
  )`,
  `create index webhook_visitor_visitor on webhook_visitor (organization_id, visitor_id)`,

  // Sessions whose end some webhook subscribes to. A row stays as long as late events may extend the session, so that
  // its end is sent once.
  `create table webhook_session (
    organization_id uuid not null,
    session_id uuid not null,
    ends_at timestamptz not null,
    told_at timestamptz,
    primary key (organization_id, session_id)
  )`,
  `create index webhook_session_ends on webhook_session (ends_at) where told_at is null`,
  `create index webhook_session_told on webhook_session (told_at) where told_at is not null`,

  // A queue for jobs/: `queued` means waiting or claimed, and has `next_attempt_at`. `failures` counts recorded
  // failures; `attempts` also counts attempts lost in a crash.
  `create table webhook_delivery (
    organization_id uuid not null,
    id uuid not null,
    webhook_id uuid not null,
    event text not null,
    trigger text not null,
    segment jsonb,
    pixel_id uuid not null,
    visitor_id uuid,
    visitor_hash text collate "C",
    status text not null default 'queued'
      check (status in ('queued', 'succeeded', 'failed', 'skipped')),
    payload text,
    payload_at timestamptz,
    status_code integer,
    error_message text,
    response_snippet text,
    is_redelivery boolean not null default false,
    failures integer not null default 0,
    attempts integer not null default 0,
    claim bigint not null default 0,
    next_attempt_at timestamptz,
    leased_until timestamptz,
    started_at timestamptz,
    completed_at timestamptz,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    primary key (organization_id, id),
    check (status <> 'queued' or next_attempt_at is not null)
  )`,
  `create index webhook_delivery_newest
    on webhook_delivery (organization_id, webhook_id, created_at desc, id desc)`,
  `create index webhook_delivery_due
    on webhook_delivery (organization_id, webhook_id, next_attempt_at, created_at)
    where status = 'queued' and leased_until is null and not is_redelivery`,
  `create index webhook_delivery_again on webhook_delivery (next_attempt_at)
    where status = 'queued' and leased_until is null and is_redelivery`,
  `create index webhook_delivery_leased on webhook_delivery (leased_until)
    where status = 'queued' and leased_until is not null`,
  `create index webhook_delivery_visitor on webhook_delivery (organization_id, visitor_id)
    where visitor_id is not null`,
  `create index webhook_delivery_settled on webhook_delivery (completed_at)
    where completed_at is not null`,
  `create index webhook_delivery_payload on webhook_delivery (payload_at)
    where payload_at is not null`,
]
