// Browsers that a browser key's claim of a user id made someone's (spec 15.2.9). A server key's link of that id moves them
// to the right person.

export const statements: ReadonlyArray<string> = [
  `create table user_id_claim (
    organization_id uuid not null,
    anonymous_id uuid not null,
    user_id uuid not null,
    occurred_at timestamptz not null,
    claimed_at timestamptz not null default now(),
    primary key (organization_id, anonymous_id, user_id)
  )`,
  `create index user_id_claim_user on user_id_claim (organization_id, user_id)`,
  `create index user_id_claim_age on user_id_claim (claimed_at)`,
]
