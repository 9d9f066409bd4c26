// What API keys are limited to (spec 7.1), and where a key was used last. Existing keys keep all rights.

export const statements: ReadonlyArray<string> = [
  `alter table api_key
    add column scopes text[] not null default '{all}' check (cardinality(scopes) > 0),
    add column pixel_ids uuid[] check (cardinality(pixel_ids) > 0),
    add column allowed_networks text[] check (cardinality(allowed_networks) > 0),
    add column last_used_from text`,
]
