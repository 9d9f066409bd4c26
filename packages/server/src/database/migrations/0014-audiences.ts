// Which numbers of `signal_person` are one person (decisions.md 2.8; docs/adr/0019): derived from
// `person_address` and `visitor_address`, made anew when these have changed. Rows of the id of no
// organization hold for everybody, unless an organization has one of its own for the number.

export const statements: ReadonlyArray<string> = [
  // Only numbers that another one stands for, or that the organization parts from the one that stands for
  // them in what is shared.
  `create table signal_alias (
    organization_id uuid not null,
    person integer not null,
    leads_to integer not null,
    primary key (organization_id, person)
  )`,

  // `bits`: one for each number, set where there is a row in \`signal_alias\`. Read as a whole by each
  // statement, so that the few numbers with a row are all it looks up. \`basis\`: what it was made of.
  `create table signal_alias_map (
    organization_id uuid primary key,
    bits bytea not null,
    basis text not null,
    made_at timestamptz not null
  )`,
  `alter table signal_alias_map alter column bits set storage external`,
]
