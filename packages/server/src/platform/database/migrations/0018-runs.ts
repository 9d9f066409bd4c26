// Saved audiences, their runs with the people each run found, and export files (spec 2.8, 2.11 to 2.14, 4.1, 4.2).

export const statements: ReadonlyArray<string> = [
  // The first non-null value of rows in order. Strict, so that Postgres keeps the first one without a call: an ordered
  // aggregate costs thirty times as much for each of a person's fields.
  `create function keep_first (kept anyelement, next anyelement) returns anyelement
    language sql immutable strict parallel safe as 'select kept'`,
  `create aggregate first_known (anyelement) (
    sfunc = keep_first, stype = anyelement, parallel = safe
  )`,

  `create table audience (
    organization_id uuid not null references organization (id),
    id uuid not null,
    name text not null,
    status text not null check (status in ('draft', 'active', 'paused')),
    config jsonb not null,
    source_url text,
    access_type text not null default 'paid' check (access_type in ('paid', 'one_shot')),
    daily_refresh_enabled boolean not null default false,
    audience_size integer not null default 0,
    created_by uuid,
    last_refreshed_at timestamptz,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    activated_at timestamptz,
    activated_data_date date,
    paused_at timestamptz,
    deleted_at timestamptz,
    primary key (organization_id, id)
  )`,
  `create index audience_newest on audience (organization_id, created_at desc, id desc)
    where deleted_at is null`,
  `create index audience_active on audience (organization_id) where status = 'active' and deleted_at is null`,

  // A queue for jobs/: `status`, `attempts`, `claim`, `next_attempt_at`, `leased_until`. `config` and `topics` are
  // copied at creation and never change. `tallies`: the inputs of the statistics, so that an erased person can be
  // subtracted.
  `create table audience_run (
    organization_id uuid not null,
    id uuid not null,
    audience_id uuid not null,
    status text not null default 'queued'
      check (status in ('queued', 'running', 'completed', 'failed', 'cancelled')),
    run_type text not null check (run_type in ('manual', 'daily')),
    config jsonb not null,
    config_hash text not null,
    topics jsonb not null,
    data_date date not null,
    has_signals boolean not null,
    candidate_count integer not null default 0,
    result_count integer not null default 0,
    tallies jsonb,
    idempotency_key text not null,
    attempts integer not null default 0,
    claim bigint not null default 0,
    next_attempt_at timestamptz,
    leased_until timestamptz,
    error_code text,
    error_message text,
    started_at timestamptz,
    completed_at timestamptz,
    cancelled_at timestamptz,
    ready_email_sent_at timestamptz,
    ready_email_export_id uuid,
    ready_email_error text,
    results_removed_at timestamptz,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    primary key (organization_id, id),
    foreign key (organization_id, audience_id) references audience (organization_id, id)
  )`,
  `create unique index audience_run_key on audience_run (organization_id, audience_id, idempotency_key)`,
  `create unique index audience_run_live on audience_run (organization_id, audience_id)
    where status in ('queued', 'running')`,
  `create index audience_run_newest on audience_run (organization_id, audience_id, created_at desc, id desc)`,
  `create index audience_run_completed
    on audience_run (organization_id, audience_id, completed_at desc) where status = 'completed'`,
  `create index audience_run_due on audience_run (next_attempt_at nulls first, created_at)
    where status = 'queued'`,
  `create index audience_run_leased on audience_run (leased_until) where status = 'running'`,

  // The people a run found, in the order of the results, with their data at that time (spec 2.13). Derived values are
  // not stored: full name, primary contact. `matched_topics`: highest score first, then lowest id; the run has their
  // names. An erased person's row is deleted.
  `create table run_result (
    organization_id uuid not null,
    run_id uuid not null,
    position integer not null,
    hashed_email bytea not null,
    first_name text,
    last_name text,
    email text,
    business_email text,
    personal_email text,
    email_status text,
    phone text,
    linkedin_url text,
    headline text,
    job_title text,
    seniority text,
    department text,
    company_name text,
    company_domain text,
    company_industry text,
    company_industry_group text,
    company_revenue_range text,
    company_size text,
    company_linkedin_url text,
    city text,
    state text,
    country text,
    age_range text,
    gender text,
    is_b2b text,
    score smallint not null,
    topic_overlap smallint not null,
    matched_topics integer[] not null,
    primary key (organization_id, run_id, position)
  )`,
  `create unique index run_result_person on run_result (organization_id, run_id, hashed_email)`,

  // Also a queue: `processing` means queued or claimed.
  `create table run_export (
    organization_id uuid not null,
    id uuid not null,
    audience_id uuid not null,
    run_id uuid not null,
    status text not null default 'processing'
      check (status in ('processing', 'completed', 'failed', 'expired')),
    file_name text not null,
    byte_size bigint,
    row_count integer,
    content_sha256 text,
    requested_by uuid,
    attempts integer not null default 0,
    claim bigint not null default 0,
    next_attempt_at timestamptz,
    leased_until timestamptz,
    error_code text,
    error_message text,
    started_at timestamptz,
    completed_at timestamptz,
    expires_at timestamptz,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    primary key (organization_id, id),
    foreign key (organization_id, run_id) references audience_run (organization_id, id)
  )`,
  // A download link contains only the id of the export.
  `create index run_export_id on run_export (id)`,
  `create index run_export_newest on run_export (organization_id, run_id, created_at desc, id desc)`,
  `create index run_export_due on run_export (next_attempt_at nulls first, created_at)
    where status = 'processing'`,
  `create index run_export_expiring on run_export (expires_at) where status = 'completed'`,
]
