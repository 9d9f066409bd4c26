// Which numbers of `signal_person` are one person (spec 2.8; docs/adr/0019): derived from
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

  // `bits`: one for each number, set where there is a row in `signal_alias`. Read as a whole by each
  // statement, so that the few numbers with a row are all it looks up. `beside`: when the shared ones were
  // made that an organization's own were compared with.
  `create table signal_alias_map (
    organization_id uuid primary key,
    bits bytea not null,
    beside timestamptz,
    made_at timestamptz not null
  )`,
  `alter table signal_alias_map alter column bits set storage external`,

  // Whose aliases are out of date: one row for each statement that changed addresses or numbers, so that
  // nobody waits for anybody, and what is committed late is seen late. Numbers are everybody's.
  `create table signal_alias_change (
    organization_id uuid not null,
    changed_at timestamptz not null default now()
  )`,
  `create index signal_alias_change_organization on signal_alias_change (organization_id)`,
  `create function note_address_change() returns trigger language plpgsql as $$
   begin
     insert into signal_alias_change (organization_id) select distinct organization_id from changed;
     return null;
   end $$`,
  `create function note_number_change() returns trigger language plpgsql as $$
   begin
     insert into signal_alias_change (organization_id)
     select '00000000-0000-0000-0000-000000000000' where exists (select from changed);
     return null;
   end $$`,
  ...[
    ["person_address", "insert", "new"],
    ["person_address", "update", "new"],
    ["person_address", "delete", "old"],
    ["signal_person", "insert", "new"],
    ["signal_person", "delete", "old"],
  ].map(
    ([table, event, rows]) => `
      create trigger ${table}_${event} after ${event} on ${table}
      referencing ${rows} table as changed
      for each statement execute function
        ${table === "signal_person" ? "note_number_change" : "note_address_change"}()`,
  ),
]
