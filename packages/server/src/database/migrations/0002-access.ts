// Refresh tokens, invitations, and the audit log of every state change (decisions.md 5.12, 5.13, 7).

export const statements: ReadonlyArray<string> = [
  // Every change of state, by whom and of what: ids, never values. Kept when its organization's data goes.
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
