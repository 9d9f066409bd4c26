// Lists of companies and people (spec 2.22). A member's key is what visitors are compared by: a registrable domain, or
// the SHA-256 of an address.

export const statements: ReadonlyArray<string> = [
  `create table list (
    organization_id uuid not null,
    id uuid primary key,
    name text not null,
    subject text not null check (subject in ('companies', 'people')),
    size integer not null default 0,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now()
  )`,
  `create index list_organization on list (organization_id, created_at, id)`,
  `create table list_member (
    organization_id uuid not null,
    list_id uuid not null references list (id) on delete cascade,
    key text collate "C" not null,
    value text collate "C" not null,
    added_at timestamptz not null default now(),
    primary key (list_id, key)
  )`,
  // Pages of a list are in the order of its values.
  `create index list_member_value on list_member (list_id, value)`,
  // An erasure looks for someone in every list.
  `create index list_member_key on list_member (organization_id, key)`,
]
