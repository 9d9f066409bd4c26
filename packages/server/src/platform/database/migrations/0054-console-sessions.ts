// A session belongs to the console or to another client for its whole life (spec 17.1.5): a refresh token can't be
// exchanged for the other kind.

export const statements: ReadonlyArray<string> = [
  `alter table refresh_chain add column is_console boolean not null default false`,
]
