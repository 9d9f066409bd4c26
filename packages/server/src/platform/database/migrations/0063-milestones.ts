// Milestones of an organization: writes after which no response may come from a read replica that lacks them (spec
// 18.5.4). They are counted like the writes of a list; finished runs already are.

export const statements: ReadonlyArray<string> = [
  // Like note_list_write, for statements where only some rows count.
  `create function note_milestone(organization uuid, milestone text) returns void
   language plpgsql as $$
   begin
     update list_version set writes = writes + 1
     where organization_id = organization and list = milestone and slot = (
       select slot from list_version
       where organization_id = organization and list = milestone
       limit 1 for update skip locked
     );
     if not found then
       insert into list_version (organization_id, list) values (organization, milestone);
     end if;
   end $$`,
  ...[
    // A person was erased.
    ["tombstone", "insert"],
    // A sync cycle started, or rules changed.
    ["suppression_list", "insert"],
    ["suppression_list", "update"],
    // Numbers were assigned to other people.
    ["signal_alias_map", "insert"],
    ["signal_alias_map", "update"],
  ].map(
    ([table, event]) => `
      create trigger ${table}_${event}_milestone after ${event} on ${table}
      referencing new table as changed
      for each statement execute function note_list_write()`,
  ),
]
