// Destinations, the accounts they send through, and deliveries with what was sent about each person (spec 2.15 to 2.17,
// 4.3 to 4.5).

export const statements: ReadonlyArray<string> = [
  // `credentials`: encrypted, deleted with the account, whose row stays for the destinations that refer to it.
  // `base_url`: null for the server's default. `refusals`: consecutive probes that were refused.
  `create table connected_account (
    organization_id uuid not null references organization (id),
    id uuid not null,
    app_slug text not null check (app_slug in ('mailer')),
    automation_account_id text not null,
    account_name text,
    base_url text,
    credentials bytea,
    status text not null check (status in ('healthy', 'unhealthy', 'disconnected')),
    refusals integer not null default 0,
    last_synced_at timestamptz not null default now(),
    probe_due_at timestamptz not null default now() + interval '15 minutes',
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    deleted_at timestamptz,
    primary key (organization_id, id)
  )`,
  `create index connected_account_due on connected_account (probe_due_at)
    where deleted_at is null and status <> 'disconnected'`,

  // `config`: {url, eventTypes, timeoutMs} or {appSlug, connectedAccountId, config}. `secret`: encrypted; until
  // `former_secret_until` the former one signs too.
  `create table destination (
    organization_id uuid not null,
    id uuid not null,
    audience_id uuid not null,
    name text not null,
    destination_type text not null check (destination_type in ('webhook', 'automation')),
    status text not null default 'draft'
      check (status in ('draft', 'active', 'paused', 'needs_attention')),
    validation_policy text not null check (validation_policy in ('none', 'valid_or_catchall')),
    config jsonb not null,
    config_revision integer not null default 1,
    approved_config_hash text,
    connected_account_id uuid,
    secret bytea,
    former_secret bytea,
    former_secret_until timestamptz,
    last_successful_run_id uuid,
    initial_sync_completed_at timestamptz,
    total_synced bigint not null default 0,
    total_skipped bigint not null default 0,
    total_failed bigint not null default 0,
    consecutive_errors integer not null default 0,
    last_delivered_at timestamptz,
    last_error_code text,
    last_error_message text,
    last_error_at timestamptz,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    deleted_at timestamptz,
    primary key (organization_id, id),
    foreign key (organization_id, audience_id) references audience (organization_id, id),
    foreign key (organization_id, connected_account_id)
      references connected_account (organization_id, id)
  )`,
  `create index destination_newest on destination (organization_id, audience_id, created_at desc)
    where deleted_at is null`,
  `create index destination_account on destination (organization_id, connected_account_id)
    where deleted_at is null`,

  // A queue for jobs/.
  `create table delivery (
    organization_id uuid not null,
    id uuid not null,
    audience_id uuid not null,
    destination_id uuid not null,
    destination_config_revision integer not null,
    source_run_id uuid not null,
    baseline_run_id uuid,
    mode text not null check (mode in ('initial', 'incremental', 'full_resync')),
    status text not null default 'queued'
      check (status in ('queued', 'processing', 'completed', 'failed', 'cancelled')),
    source_count integer not null default 0,
    sent_count integer not null default 0,
    skipped_count integer not null default 0,
    failed_count integer not null default 0,
    removed_since_baseline integer not null default 0,
    batch_index integer not null default 0,
    retry_of_delivery_id uuid,
    idempotency_key text,
    started_sent_at timestamptz,
    completed_sent_at timestamptz,
    attempts integer not null default 0,
    claim bigint not null default 0,
    next_attempt_at timestamptz,
    leased_until timestamptz,
    error_code text,
    error_message text,
    started_at timestamptz,
    completed_at timestamptz,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    primary key (organization_id, id),
    foreign key (organization_id, destination_id) references destination (organization_id, id)
  )`,
  `create unique index delivery_live on delivery (organization_id, destination_id)
    where status in ('queued', 'processing')`,
  `create index delivery_newest on delivery (organization_id, audience_id, created_at desc, id desc)`,
  `create index delivery_due on delivery (next_attempt_at nulls first, created_at)
    where status = 'queued'`,
  `create index delivery_leased on delivery (leased_until) where status = 'processing'`,

  // What was last sent to a destination about each person: the baseline for the next delivery.
  `create table destination_contact (
    organization_id uuid not null,
    destination_id uuid not null,
    hashed_email bytea not null,
    content_hash bytea not null,
    delivery_id uuid not null,
    primary key (organization_id, destination_id, hashed_email)
  )`,

  `create table delivery_failure (
    organization_id uuid not null,
    delivery_id uuid not null,
    hashed_email bytea not null,
    error_code text not null,
    error_message text,
    status_code integer,
    attempts integer not null,
    last_attempt_at timestamptz not null,
    primary key (organization_id, delivery_id, hashed_email)
  )`,
  `create index delivery_failure_latest
    on delivery_failure (organization_id, delivery_id, last_attempt_at desc, hashed_email)`,
]
