// Webhooks about companies (spec 13.3.5): what was sent about a company, what is queued about it, and the companies in
// a digest.

export const statements: ReadonlyArray<string> = [
  `alter table webhook drop constraint webhook_trigger_check,
    add constraint webhook_trigger_check
      check (trigger in ('first_match', 'every_update', 'company_seen'))`,
  // Read for 7 days; older rows are deleted.
  `create table webhook_company (
    organization_id uuid not null,
    webhook_id uuid not null,
    domain text not null,
    told_at timestamptz not null default now(),
    primary key (organization_id, webhook_id, domain)
  )`,
  `create index webhook_company_told on webhook_company (told_at)`,
  `create index webhook_company_of on webhook_company (organization_id, domain)`,
  `alter table webhook_delivery
    add column company_domain text,
    add column company_digest_until timestamptz`,
  `create index webhook_delivery_company on webhook_delivery (organization_id, company_domain)
    where company_domain is not null`,
  `create unique index webhook_delivery_company_digest
    on webhook_delivery (organization_id, webhook_id, company_digest_until)
    where company_digest_until is not null`,
  `create table webhook_digest_company (
    organization_id uuid not null,
    delivery_id uuid not null,
    domain text not null,
    told_at timestamptz not null default now(),
    primary key (organization_id, delivery_id, domain),
    foreign key (organization_id, delivery_id)
      references webhook_delivery (organization_id, id) on delete cascade
  )`,
  `create index webhook_digest_company_of on webhook_digest_company (organization_id, domain)`,
]
