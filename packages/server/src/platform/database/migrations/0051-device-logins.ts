// Log-ins from terminals that wait for approval in the console (spec 17.2): digests of their codes, kept for ten
// minutes.

export const statements: ReadonlyArray<string> = [
  `create table device_login (
    device_digest bytea primary key,
    -- Keyed, because the code that people type is short.
    user_digest bytea not null unique,
    client_name text,
    client_address text not null,
    state text not null default 'pending' check (state in ('pending', 'approved', 'denied')),
    user_id uuid references user_account (id) on delete cascade,
    organization_id uuid references organization (id) on delete cascade,
    created_at timestamptz not null default now(),
    asked_at timestamptz,
    expires_at timestamptz not null
  )`,
  `create index device_login_expiry on device_login (expires_at)`,
  `create index device_login_user on device_login (user_id)`,
]
