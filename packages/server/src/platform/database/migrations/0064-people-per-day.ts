// How many people of an organization, and of each of its pixels, were last seen on each day. The total of a list is the
// sum of these counts. Triggers update them in the transaction of each write, so the total is always exact.

/** A table of people, the columns its counts are grouped by, and whether they separate suppressed people. */
const counted = [
  { table: "visitor", place: "organization_id", suppressed: "suppressed" },
  // Only the visitor has the suppression mark, which may change in the same statement.
  { table: "visitor_pixel", place: "pixel_id", suppressed: "false" },
]

/** The people in a transition table, each counted as `people`. */
const peopleOf = (
  { place, suppressed }: (typeof counted)[number],
  rows: string,
  people: 1 | -1,
): string => `
  select organization_id, ${place} as place, (last_seen_at at time zone 'UTC')::date as day,
    ${suppressed} as suppressed, ${people} as people
  from ${rows} where not held_back`

export const statements: ReadonlyArray<string> = [
  // Counts are sums of rows. As in list_version, a write takes a row that no other transaction holds, or adds one, so
  // writes never wait for each other here and cannot deadlock. A single row may be negative; a sum never is.
  `create table people_per_day (
    organization_id uuid not null,
    -- The pixel, or the organization for all of its pixels.
    place uuid not null,
    -- In UTC.
    day date not null,
    suppressed boolean not null,
    slot bigint not null generated always as identity,
    people bigint not null,
    primary key (organization_id, place, day, suppressed, slot)
  ) with (fillfactor = 50)`,
  ...counted.flatMap((each) =>
    [
      { event: "insert", tables: "new table as added", changes: peopleOf(each, "added", 1) },
      { event: "delete", tables: "old table as removed", changes: peopleOf(each, "removed", -1) },
      {
        event: "update",
        tables: "old table as removed new table as added",
        changes: `${peopleOf(each, "added", 1)} union all ${peopleOf(each, "removed", -1)}`,
      },
    ].flatMap(({ changes, event, tables }) => [
      `create function count_${each.table}_${event}() returns trigger language plpgsql as $$
       begin
         with change as materialized (
           select organization_id, place, day, suppressed, sum(people) as people
           from (${changes}) as row_change
           group by organization_id, place, day, suppressed
           having sum(people) <> 0
         ), slotted as materialized (
           select change.*, (
             select slot from people_per_day as free
             where free.organization_id = change.organization_id and free.place = change.place
               and free.day = change.day and free.suppressed = change.suppressed
             limit 1 for update skip locked
           ) as slot
           from change
         ), kept as (
           update people_per_day as each set people = each.people + slotted.people
           from slotted
           where each.organization_id = slotted.organization_id and each.place = slotted.place
             and each.day = slotted.day and each.suppressed = slotted.suppressed
             and each.slot = slotted.slot
         )
         insert into people_per_day (organization_id, place, day, suppressed, people)
         select organization_id, place, day, suppressed, people from slotted where slot is null;
         return null;
       end $$`,
      `create trigger ${each.table}_${event}_counted after ${event} on ${each.table}
       referencing ${tables} for each statement execute function count_${each.table}_${event}()`,
    ]),
  ),
  // After the triggers, whose creation waits for every write in progress.
  ...counted.map(
    (each) => `
      insert into people_per_day (organization_id, place, day, suppressed, people)
      select organization_id, place, day, suppressed, sum(people)
      from (${peopleOf(each, each.table, 1)}) as person
      group by organization_id, place, day, suppressed`,
  ),
]
