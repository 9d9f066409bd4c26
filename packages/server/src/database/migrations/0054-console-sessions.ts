// A session is of the console or of another client for as long as it lasts (spec 17.1.5): what a refresh token was not
// made for, it can't be exchanged for.

export const statements: ReadonlyArray<string> = [
  `alter table refresh_chain add column is_console boolean not null default false`,
]
