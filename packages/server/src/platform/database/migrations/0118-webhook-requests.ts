// What a webhook destination sends (spec 2.15.9): the values of its own headers, sealed. Its body and template are in
// `config`. And what became of each contact of a delivery (spec 5.10.18).

export const statements: ReadonlyArray<string> = [
  `alter table destination add column headers bytea`,

  // What became of each contact of a batch: s for sent, f for failed, k for skipped, - for open; null before the first.
  `alter table delivery_batch add column outcomes text`,
  `create index delivery_batch_sent on delivery_batch (organization_id, delivery_id, batch_index)
    where outcomes like '%s%'`,
  `create index delivery_batch_skipped on delivery_batch (organization_id, delivery_id, batch_index)
    where outcomes like '%k%'`,
  // Attempts that failed since the last success, and the last one's error: who is being retried.
  `alter table webhook add column failed_attempts integer not null default 0`,
  `alter table destination
    add column failed_attempts integer not null default 0,
    add column attempt_error_code text,
    add column attempt_error_message text,
    add column attempt_error_at timestamptz`,
  `update webhook set failed_attempts = greatest(consecutive_failures, 1)
    where last_error_at > coalesce(last_delivered_at, '-infinity')`,
  `update destination set failed_attempts = greatest(consecutive_errors, 1),
      attempt_error_code = last_error_code, attempt_error_message = last_error_message,
      attempt_error_at = last_error_at
    where last_error_at > coalesce(last_delivered_at, '-infinity')`,
  `create index audience_run_removed on audience_run (results_removed_at)
    where results_removed_at is not null`,
]
