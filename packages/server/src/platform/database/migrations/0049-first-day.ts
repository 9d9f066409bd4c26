// The first day of an installation: more words by which pages and searches find a topic, and days of own intent that
// are counted again after topic rules change.

export const statements: ReadonlyArray<string> = [
  `alter table topic add column words text[] not null default '{}'`,

  // A task is given up 7 days after it was created, whatever day it counts.
  `alter table own_intent_task add column noted_at timestamptz not null default now()`,

  // Inserted by every change of topic rules, which never waits for a count.
  `create table own_intent_request (
    organization_id uuid not null references organization (id),
    id bigint generated always as identity,
    primary key (organization_id, id)
  )`,
]
