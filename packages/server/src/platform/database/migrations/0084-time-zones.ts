// The time zone of an organization (spec 2.21).

export const statements: ReadonlyArray<string> = [
  `alter table organization add column time_zone text not null default 'UTC'`,
]
