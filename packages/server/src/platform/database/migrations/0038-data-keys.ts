// The data keys that seal and hash values at rest, each wrapped with FOOTFALL_SECRET (spec 1.2.6). For each purpose,
// key number 0 is in use; the others only open and find older values.

export const statements: ReadonlyArray<string> = [
  `create table data_key (
    purpose text not null,
    number smallint not null check (number >= 0),
    wrapped bytea not null,
    created_at timestamptz not null default now(),
    primary key (purpose, number)
  )`,
]
