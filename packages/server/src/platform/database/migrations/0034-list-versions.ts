// Counts the writes to each list, so that every server process notices when a remembered page boundary belongs to a
// list that has changed since (spec 1.6).

export const statements: ReadonlyArray<string> = [
  // The version of a list is the sum of its rows, and grows when a write commits. A write takes a row that no other
  // transaction holds, or adds one, so writes never wait for each other here and cannot deadlock. There are as many
  // rows as there were concurrent writes.
  `create table list_version (
    organization_id uuid not null,
    list text not null,
    slot bigint not null generated always as identity,
    writes bigint not null default 1,
    primary key (organization_id, list, slot)
  ) with (fillfactor = 50)`,
  `create function note_list_write() returns trigger language plpgsql as $$
   declare
     organization uuid;
   begin
     for organization in select distinct organization_id from changed loop
       update list_version set writes = writes + 1
       where organization_id = organization and list = tg_table_name and slot = (
         select slot from list_version
         where organization_id = organization and list = tg_table_name
         limit 1 for update skip locked
       );
       if not found then
         insert into list_version (organization_id, list) values (organization, tg_table_name);
       end if;
     end loop;
     return null;
   end $$`,
  ...[
    ["segment", "insert update delete"],
    ["webhook_delivery", "insert update delete"],
    ["site_analysis", "insert update delete"],
    ["topic_list", "insert update delete"],
    ["audience", "insert update delete"],
    ["audience_run", "insert update delete"],
    ["run_export", "insert update delete"],
    ["delivery", "insert update delete"],
    ["delivery_failure", "insert update delete"],
    // Recording the use of a key updates its row, but changes no list.
    ["api_key", "insert delete"],
    ["member", "insert delete"],
    ["visitor", "insert update delete"],
    ["visitor_pixel", "insert update delete"],
    // Adding or changing a session also changes its visitor.
    ["session", "delete"],
  ].flatMap(([table = "", events = ""]) =>
    events.split(" ").map(
      (event) => `
        create trigger ${table}_${event}_noted after ${event} on ${table}
        referencing ${event === "delete" ? "old" : "new"} table as changed
        for each statement execute function note_list_write()`,
    ),
  ),
]
