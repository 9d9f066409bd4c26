// Visitor webhooks in formats for people, and digests (spec 14). A digest is one delivery with its people in a separate
// table. Its body is built when it is due, from the people who may be sent at that time.

export const statements: ReadonlyArray<string> = [
  `alter table webhook
    add column format text not null default 'standard'
      check (format in ('standard', 'slack', 'teams', 'discord')),
    add column digest text not null default 'immediate'
      check (digest in ('immediate', 'hourly', 'daily')),
    add column digest_hour smallint check (digest_hour between 0 and 23)`,
  `alter table webhook_delivery
    add column digest_until timestamptz,
    add column digest text check (digest in ('hourly', 'daily'))`,
  `create unique index webhook_delivery_digest
    on webhook_delivery (organization_id, webhook_id, digest_until) where digest_until is not null`,
  `create table webhook_digest_visitor (
    organization_id uuid not null,
    delivery_id uuid not null,
    visitor_id uuid not null,
    event text not null,
    told_at timestamptz not null default now(),
    primary key (organization_id, delivery_id, visitor_id),
    foreign key (organization_id, delivery_id)
      references webhook_delivery (organization_id, id) on delete cascade
  )`,
  `create index webhook_digest_visitor_of on webhook_digest_visitor (organization_id, visitor_id)`,
]
