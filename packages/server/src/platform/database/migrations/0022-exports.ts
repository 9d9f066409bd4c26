// Mails about finished runs that are due: a queue with at most one mail per run (spec 2.11).

export const statements: ReadonlyArray<string> = [
  // A queue for jobs/. `id`: the run's. `handed_at`: the mail server was asked to accept the mail. Until the row ends
  // it is unknown whether it did, and such a mail is not sent again.
  `create table ready_mail (
    organization_id uuid not null,
    id uuid not null,
    export_id uuid not null,
    user_id uuid not null,
    status text not null default 'queued' check (status in ('queued', 'sending', 'sent', 'failed')),
    attempts integer not null default 0,
    claim bigint not null default 0,
    next_attempt_at timestamptz,
    leased_until timestamptz,
    handed_at timestamptz,
    error_code text,
    error_message text,
    started_at timestamptz,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    primary key (organization_id, id),
    foreign key (organization_id, id) references audience_run (organization_id, id),
    foreign key (organization_id, export_id) references run_export (organization_id, id)
  )`,
  `create index ready_mail_due on ready_mail (next_attempt_at nulls first, created_at)
    where status = 'queued'`,
  `create index ready_mail_leased on ready_mail (leased_until) where status = 'sending'`,
]
