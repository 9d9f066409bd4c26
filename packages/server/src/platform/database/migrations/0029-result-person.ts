// The index of stored results by person, for look-ups by person. Statements that look up a position, or read a run in
// order, do not say `position > 0`, so Postgres can't choose this index for them and read the whole run to find one
// row. It did so when it had no statistics for a new run and both indexes seemed to cost the same.

export const statements: ReadonlyArray<string> = [
  `drop index run_result_person`,
  `create unique index run_result_person on run_result (organization_id, run_id, hashed_email)
    where position > 0`,
]
