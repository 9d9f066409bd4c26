// Credits, people held back for lack of credits, and what remains after an erasure (spec 2.5, 5.1).

export const statements: ReadonlyArray<string> = [
  `alter table organization
    add column credit_limit integer check (credit_limit >= 0),
    add column intent_enabled boolean not null default true,
    add column intent_slots integer check (intent_slots >= 0),
    add column one_shot_eligible boolean not null default false`,

  // No response contains people who are held back. The lists read only these indexes, so the indexes leave them out.
  `alter table visitor add column held_back boolean not null default false`,
  `alter table visitor_pixel add column held_back boolean not null default false`,
  `drop index visitor_last_seen`,
  `create index visitor_last_seen on visitor
    (organization_id, last_seen_at desc, email_hash) include (id, suppressed)
    where not held_back`,
  `drop index visitor_pixel_last_seen`,
  `create index visitor_pixel_last_seen on visitor_pixel
    (organization_id, pixel_id, last_seen_at desc, email_hash) include (visitor_id)
    where not held_back`,

  // The queue of people held back: each gets the next place when held back.
  `create sequence held_back_place`,
  `alter table visitor add column held_back_place bigint`,
  `create index visitor_held_back on visitor
    (organization_id, suppressed, held_back_place, id) where held_back`,

  // People an organization has used a credit for, once and permanently, and in which month.
  `create table credit (
    organization_id uuid not null,
    visitor_id uuid not null,
    month date not null,
    primary key (organization_id, visitor_id)
  )`,

  // Credits used in a calendar month (UTC), keyed by its first day. Kept when people are erased or merged: nothing is
  // refunded.
  `create table credit_month (
    organization_id uuid not null references organization (id),
    month date not null,
    used integer not null check (used >= 0),
    primary key (organization_id, month)
  )`,

  // Before the limit existed, everyone was released. Each person has used a credit in the month of first
  // identification, so no one is charged again on return.
  `insert into credit (organization_id, visitor_id, month)
    select organization_id, id, date_trunc('month', created_at at time zone 'utc')::date
    from visitor
    where not suppressed`,
  `insert into credit_month (organization_id, month, used)
    select organization_id, month, count(*) from credit group by organization_id, month`,

  // A keyed hash for each address of an erased person (people/tombstones).
  `create table tombstone (
    organization_id uuid not null,
    digest bytea not null,
    primary key (organization_id, digest)
  )`,

  // An erasure finds the events of the person's sessions, and those that a pass has set aside.
  `create index event_session on event (organization_id, session_id) where session_id is not null`,
  `create index event_set_aside on event (organization_id, anonymous_id)
    where session_id is null and anonymous_id is not null`,

  // Null once the person identified in it last is erased.
  `alter table browser alter column visitor_id drop not null`,
]
