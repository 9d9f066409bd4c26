// Responses to create requests that a client may repeat (spec 1.7). They are sealed, because they may contain a secret
// that is shown once.

export const statements: ReadonlyArray<string> = [
  `create table repeatable_request (
    organization_id uuid not null,
    operation text not null,
    key text not null,
    request_hash bytea not null,
    status smallint not null,
    answer bytea not null,
    created_at timestamptz not null default now(),
    primary key (organization_id, operation, key)
  )`,
  `create index repeatable_request_age on repeatable_request (created_at)`,
]
