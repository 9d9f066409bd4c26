// Visitor webhooks that people read, and digests of them (spec 14). A digest is one delivery with the people it is about
// beside it: it is made up when it is due, of those who may be told then.

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
