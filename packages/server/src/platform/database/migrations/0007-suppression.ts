// Suppression rules (spec 2.6). An organization's row in `suppression_list` is the lock for all writes to its rules,
// and holds their counts and the time up to which rules are in force. A removed rule stays until the sync cycle that
// takes it out of force.

export const statements: ReadonlyArray<string> = [
  `create table suppression_list (
    organization_id uuid primary key references organization (id),
    -- Start of the current sync cycle: rules that took part before it are in force.
    cycle_at timestamptz not null,
    changed_at timestamptz not null,
    email integer not null default 0,
    domain integer not null default 0,
    company_domain integer not null default 0,
    industry integer not null default 0
  ) with (fillfactor = 50)`,

  // `match_key`: the value compared with people, the SHA-256 of an email, otherwise the value itself. `takes_part_at`
  // stays when the same rule replaces this one; `created_at` and `id` do not.
  `create table suppression_rule (
    organization_id uuid not null,
    id uuid not null default gen_random_uuid(),
    type text collate "C" not null
      check (type in ('email', 'domain', 'company_domain', 'industry')),
    value text collate "C" not null,
    match_key text collate "C" not null,
    created_at timestamptz not null,
    takes_part_at timestamptz not null,
    removed_at timestamptz,
    primary key (organization_id, id)
  )`,
  `create unique index suppression_rule_match on suppression_rule
    (organization_id, type, match_key)`,
  `create index suppression_rule_newest on suppression_rule
    (organization_id, type, created_at desc, id desc) where removed_at is null`,
  `create index suppression_rule_removed on suppression_rule
    (organization_id, removed_at) where removed_at is not null`,

  // The value a domain rule is compared with: the domain of the normalized primary address.
  `alter table visitor add column email_domain text`,
  `update visitor set email_domain = split_part(email, '@', 2) where email is not null`,
]
