// Suppression sources of services (spec 2.25): whom an account there has. `settings_version` rises with each change by a
// member, which cancels a sync in progress.

export const statements: ReadonlyArray<string> = [
  `alter table suppression_source
    add column service_list_id text,
    add column people text check (people in ('all', 'refused')),
    add column settings_version integer not null default 0,
    add foreign key (organization_id, connected_account_id) references connected_account`,
  `create index suppression_source_account on suppression_source
    (organization_id, connected_account_id) where connected_account_id is not null`,
]
