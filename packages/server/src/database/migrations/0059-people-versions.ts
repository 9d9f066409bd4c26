// The version of the people of one owner, an organization or all of them: what is remembered of one owner's people
// stays good when another one's change. Without a row nothing was changed yet since this was made.

export const statements: ReadonlyArray<string> = [
  `create table people_version (
    organization_id uuid primary key,
    version bigint not null
  ) with (fillfactor = 50)`,
]
