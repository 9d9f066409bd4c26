// What retention finds the oldest sessions of an organization by (spec 1.8).

export const statements: ReadonlyArray<string> = [
  `create index session_ended on session (organization_id, ended_at, id)`,
]
