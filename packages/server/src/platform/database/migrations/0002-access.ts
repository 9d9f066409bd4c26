// Refresh tokens, invitations, and the audit log of every state change (spec 5.12, 5.13, 7).

export const statements: ReadonlyArray<string> = [
  // One row for all refresh tokens from one log-in. Only the latest token is valid. Two requests with the same token
  // wait for each other on this row. Belongs to a user, not to an organization.
  `create table refresh_chain (
    id uuid primary key,
    user_id uuid not null references user_account (id),
    digest bytea not null,
    created_at timestamptz not null default now(),
    expires_at timestamptz not null
  )`,
  `create index refresh_chain_user on refresh_chain (user_id)`,

  // The open invitation of a user without a password. Found by its digest, before anything else is known.
  `create table invitation (
    organization_id uuid not null references organization (id),
    user_id uuid not null references user_account (id),
    digest bytea not null,
    created_at timestamptz not null default now(),
    expires_at timestamptz not null,
    primary key (organization_id, user_id)
  )`,
  `create unique index invitation_user on invitation (user_id)`,
  `create unique index invitation_digest on invitation (digest)`,

  // Indexes for the order of the lists (spec 1.6).
  `create index member_newest on member (organization_id, created_at desc, user_id desc)`,
  `create index api_key_newest on api_key (organization_id, created_at desc, id desc)`,

  // Every change of state: the actor and the object, as ids, never values. Kept when the organization's data is
  // deleted.
  `create table audit_entry (
    organization_id uuid not null,
    id bigint generated always as identity,
    at timestamptz not null default now(),
    actor_type text not null check (actor_type in ('api_key', 'user', 'operator', 'system')),
    actor_id uuid,
    action text not null,
    target_id text,
    request_id text,
    primary key (organization_id, id)
  )`,
]
