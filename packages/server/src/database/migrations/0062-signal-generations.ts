// Imported signals of a date may be kept in ClickHouse (spec 18.2): Postgres says which of the sets that were
// written there is the date's.

export const statements: ReadonlyArray<string> = [
  // Null: they are in `signal`.
  `alter table signal_date add column generation uuid check (generation is null or origin = 'import')`,

  // Erased people whose signals ClickHouse still has to delete: numbers that lead to no one. No answer counts them.
  `create table signal_gone (
    generation uuid not null,
    person integer not null,
    primary key (generation, person)
  )`,
]
