// Credits, people held back for lack of them, and what erasure leaves behind (decisions.md 2.5, 5.1).

export const statements: ReadonlyArray<string> = [
  `alter table organization
    add column credit_limit integer check (credit_limit >= 0),
    add column intent_enabled boolean not null default true,
    add column intent_slots integer check (intent_slots >= 0),
    add column one_shot_eligible boolean not null default false`,

  // People held back are in no answer. The lists read these indexes alone, so they leave them out.
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
]
