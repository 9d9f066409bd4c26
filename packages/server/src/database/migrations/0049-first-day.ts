// The first day of an installation: words by which pages and searches find a topic beside its name, and days of own
// intent that are counted again after topic rules changed.

export const statements: ReadonlyArray<string> = [
  `alter table topic add column words text[] not null default '{}'`,

  // A task is given up 7 days after it was noted, whatever day it counts.
  `alter table own_intent_task add column noted_at timestamptz not null default now()`,

  // Written by whoever changes topic rules, who never waits for those who count.
  `create table own_intent_request (
    organization_id uuid not null references organization (id),
    id bigint generated always as identity,
    primary key (organization_id, id)
  )`,
]
