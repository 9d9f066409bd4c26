// Connectors of many services (spec 2.15, 2.17): accounts of any of them, what a configuration says about people who
// leave, and what a destination learned about each person at its service.

export const statements: ReadonlyArray<string> = [
  // Which services there are, the code says: adding one needs no migration.
  `alter table connected_account drop constraint connected_account_app_slug_check`,
  `alter table connected_account
    add constraint connected_account_app_slug_check check (app_slug ~ '^[a-z]{1,40}$')`,
  `update destination
    set config = jsonb_set(config, '{config}',
      '{"onLeave": "keep", "eraseAtProvider": false}' || (config -> 'config'))
    where destination_type = 'automation'`,
  // `is_added`: this destination put them on the list. `removed_status`: theirs when it removed them again.
  `alter table destination_contact
    add column is_added boolean not null default false,
    add column remote_id text,
    add column removed_status text`,
]
