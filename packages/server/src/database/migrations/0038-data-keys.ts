// The data keys: what values at rest are sealed and hashed under, each wrapped by FOOTFALL_SECRET (spec 1.2.6).
// Of the keys of one purpose number 0 is in use; the others only open and find what is older.

export const statements: ReadonlyArray<string> = [
  `create table data_key (
    purpose text not null,
    number smallint not null check (number >= 0),
    wrapped bytea not null,
    created_at timestamptz not null default now(),
    primary key (purpose, number)
  )`,
]
