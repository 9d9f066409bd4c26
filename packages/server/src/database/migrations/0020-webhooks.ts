// Visitor webhooks, whom they were told of, and what was sent of it (decisions.md 2.20, 4.6, 8.5).

export const statements: ReadonlyArray<string> = [
  // `secret`: encrypted; the former one signs too until `former_secret_until`. `failing_since`: start of
  // the present failure without a success between, `failed_in_a_row` the events since.
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
    primary key (organization_id, id)
  )`,
  `create index webhook_newest on webhook (organization_id, created_at desc, id desc)`,

  // A queue as jobs/ wants it: `queued` is waiting or claimed.
  `create table webhook_delivery (
    organization_id uuid not null,
    id uuid not null,
    webhook_id uuid not null,
    message_id text not null,
    event text not null,
    visitor_id uuid,
    visitor_hash text,
    status text not null default 'queued'
      check (status in ('queued', 'succeeded', 'failed', 'skipped')),
    payload text,
    status_code integer,
    error_message text,
    error_code text,
    response_snippet text,
    is_redelivery boolean not null default false,
    attempts integer not null default 0,
    claim bigint not null default 0,
    next_attempt_at timestamptz,
    leased_until timestamptz,
    started_at timestamptz,
    completed_at timestamptz,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    primary key (organization_id, id)
  )`,
  `create index webhook_delivery_newest
    on webhook_delivery (organization_id, webhook_id, created_at desc, id desc)`,
  `create index webhook_delivery_due on webhook_delivery (next_attempt_at nulls first, created_at)
    where status = 'queued' and leased_until is null`,
  `create index webhook_delivery_leased on webhook_delivery (leased_until)
    where status = 'queued' and leased_until is not null`,
]
