// Browser ids that an alias made one (spec 15.2.6): events of the joined id are the other browser's.

export const statements: ReadonlyArray<string> = [
  `create table browser_join (
    organization_id uuid not null references organization (id),
    joined_id uuid not null,
    anonymous_id uuid not null,
    primary key (organization_id, joined_id)
  )`,
  `create index browser_join_of on browser_join (organization_id, anonymous_id)`,
]
