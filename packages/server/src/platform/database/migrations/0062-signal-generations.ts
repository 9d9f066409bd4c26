// ClickHouse may hold the imported signals of a date (spec 18.2): Postgres says which of the sets written there is the
// date's.

export const statements: ReadonlyArray<string> = [
  // Null: the signals are in `signal`.
  `alter table signal_date add column generation uuid check (generation is null or origin = 'import')`,

  // Erased people whose signals ClickHouse must still delete: numbers without a person. No response counts them.
  `create table signal_gone (
    generation uuid not null,
    person integer not null,
    primary key (generation, person)
  )`,
]
