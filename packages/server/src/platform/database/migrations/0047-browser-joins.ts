// Browser ids that an alias joined (spec 15.2.6): events of the joined id belong to the other browser.

export const statements: ReadonlyArray<string> = [
  `create table browser_join (
    organization_id uuid not null references organization (id),
    joined_id uuid not null,
    anonymous_id uuid not null,
    primary key (organization_id, joined_id)
  )`,
  `create index browser_join_of on browser_join (organization_id, anonymous_id)`,
]
