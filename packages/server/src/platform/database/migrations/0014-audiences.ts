// Which numbers in `signal_person` are the same person (spec 2.8; docs/adr/0019). Derived from `person_address` and
// `visitor_address`, and recomputed when these change. Rows with the zero organization id apply to every organization,
// unless it has its own row for the number.

export const statements: ReadonlyArray<string> = [
  // Only numbers that another number represents, or that the organization separates from the number that represents
  // them in shared data.
  `create table signal_alias (
    organization_id uuid not null,
    person integer not null,
    leads_to integer not null,
    primary key (organization_id, person)
  )`,

  // `bits`: one per number, set if `signal_alias` has a row. Each statement reads it in full, so it only looks up the
  // few numbers with a row. `beside`: when the shared aliases were computed that an organization's own were compared
  // with.
  `create table signal_alias_map (
    organization_id uuid primary key,
    bits bytea not null,
    beside timestamptz,
    made_at timestamptz not null
  )`,
  `alter table signal_alias_map alter column bits set storage external`,

  // Organizations whose aliases are out of date: one row for each statement that changed addresses or numbers, so that
  // writers never wait for each other, and late commits are seen. Numbers belong to all organizations.
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
