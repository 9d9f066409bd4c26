// The index by which retention finds an organization's oldest sessions (spec 1.8).

export const statements: ReadonlyArray<string> = [
  `create index session_ended on session (organization_id, ended_at, id)`,
]
