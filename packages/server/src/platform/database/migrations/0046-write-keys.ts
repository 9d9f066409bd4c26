// Write keys, with which a backend or a site sends events to a pixel (spec 15.1). A key is found by its digest before
// its organization is known, so the digest has a global index.

export const statements: ReadonlyArray<string> = [
  `create table write_key (
    organization_id uuid not null references organization (id),
    pixel_id uuid not null,
    id uuid not null,
    name text not null,
    kind text not null check (kind in ('server', 'browser')),
    last4 text not null,
    digest bytea not null,
    created_at timestamptz not null default now(),
    last_used_at timestamptz,
    expires_at timestamptz,
    revoked_at timestamptz,
    primary key (organization_id, pixel_id, id),
    foreign key (organization_id, pixel_id) references pixel (organization_id, id)
  )`,
  `create unique index write_key_digest on write_key (digest)`,
]
