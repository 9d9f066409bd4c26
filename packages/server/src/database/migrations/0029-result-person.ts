// The index by person of kept results is for whoever asks for a person: statements that look a place up, or read
// a run in order, do not say `position > 0`, so that Postgres cannot take it for them and read the whole run to
// find one row. It did, where its statistics knew nothing of a run just written and both indexes seemed to cost
// the same.

export const statements: ReadonlyArray<string> = [
  `drop index run_result_person`,
  `create unique index run_result_person on run_result (organization_id, run_id, hashed_email)
    where position > 0`,
]
