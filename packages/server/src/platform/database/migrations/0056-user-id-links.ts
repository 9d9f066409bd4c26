// Records what kind of key linked a user id to a person (spec 15.2.9): a key that anyone can read from a page must not
// replace a link made by a server.

export const statements: ReadonlyArray<string> = [
  `alter table identity_link add column is_of_browser_key boolean not null default false`,
]
