// Who named a user id with a person (spec 15.2.9): a key that anyone can read from a page replaces nothing that a
// server said.

export const statements: ReadonlyArray<string> = [
  `alter table identity_link add column is_of_browser_key boolean not null default false`,
]
