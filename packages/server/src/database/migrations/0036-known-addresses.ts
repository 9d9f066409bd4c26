// From where a user has logged in, as keyed hashes: failed log-ins of strangers keep nobody out there. The newest
// ones for 90 days.

export const statements: ReadonlyArray<string> = [
  `create table known_address (
    user_id uuid not null references user_account (id) on delete cascade,
    address_hash text not null,
    seen_at timestamptz not null default now(),
    primary key (user_id, address_hash)
  )`,
]
