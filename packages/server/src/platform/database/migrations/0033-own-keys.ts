// Keys that the server creates for runs get their own namespace, so that no client can use one of them (spec 1.7.5).
// Existing runs keep theirs. A destination that was paused while it needed attention must be approved like one that
// needs attention (spec 4.3).

export const statements: ReadonlyArray<string> = [
  `alter table audience_run add column is_server_key boolean not null generated always as (
    run_type = 'daily' or idempotency_key = 'manual:' || id::text
  ) stored`,
  `drop index audience_run_key`,
  `create unique index audience_run_key
    on audience_run (organization_id, audience_id, is_server_key, idempotency_key)`,
  `alter table destination add column must_be_approved boolean not null default false`,
]
