// In which browsers and with which addresses a user id was used lately, as numbers that lead back to neither, and the
// user ids that turned out to be shared by strangers (spec 15.2.12).

export const statements: ReadonlyArray<string> = [
  `create table user_id_use (
    organization_id uuid not null,
    pixel_id uuid not null,
    user_id uuid not null,
    browsers jsonb not null,
    addresses jsonb not null,
    used_at timestamptz not null,
    shared_at timestamptz,
    text text,
    primary key (organization_id, user_id)
  )`,
  `create index user_id_use_age on user_id_use (used_at) where shared_at is null`,
  `create index user_id_use_shared on user_id_use (organization_id, pixel_id, shared_at desc)
    where shared_at is not null`,
]
