// The network addresses a user has logged in from, as keyed hashes: other people's failed log-ins don't lock the user
// out there. Keeps the newest for 90 days.

export const statements: ReadonlyArray<string> = [
  `create table known_address (
    user_id uuid not null references user_account (id) on delete cascade,
    address_hash text not null,
    seen_at timestamptz not null default now(),
    primary key (user_id, address_hash)
  )`,
]
