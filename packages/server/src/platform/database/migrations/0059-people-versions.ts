// A version of the people of each owner, one organization or all of them: a cache of one owner's people stays valid
// when another owner's change. No row: nothing has changed since this table was created.

export const statements: ReadonlyArray<string> = [
  `create table people_version (
    organization_id uuid primary key,
    version bigint not null
  ) with (fillfactor = 50)`,
]
