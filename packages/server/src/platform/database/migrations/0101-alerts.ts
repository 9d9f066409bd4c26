// Alerts (spec 8.6): webhooks about page views, which of their sessions were told, and the page views in a digest.

export const statements: ReadonlyArray<string> = [
  // `watched_from`: earlier page views are not sent, because the alert was made, changed or switched on later.
  `alter table webhook drop constraint webhook_trigger_check,
    add constraint webhook_trigger_check
      check (trigger in ('first_match', 'every_update', 'company_seen', 'page_viewed')),
    add column path text,
    add column min_seconds integer,
    add column list_id uuid references list (id),
    add column identified text check (identified in ('any', 'identified', 'anonymous')),
    add column again text check (again in ('every_session', '1h', '24h', '7d', 'once')),
    add column watched_from timestamptz not null default now()`,
  `update webhook set again = '7d' where trigger = 'company_seen'`,
  `create index webhook_list on webhook (list_id) where list_id is not null`,

  // A row stays as long as late events may extend the session, so that it is told once.
  `create table webhook_told_session (
    organization_id uuid not null,
    webhook_id uuid not null,
    session_id uuid not null,
    told_at timestamptz not null default now(),
    primary key (organization_id, webhook_id, session_id)
  )`,
  `create index webhook_told_session_told on webhook_told_session (told_at)`,

  // When a page view was last sent about them. What other triggers sent is in the other columns.
  `alter table webhook_visitor add column viewed_at timestamptz`,
  `alter table webhook_company add column viewed_at timestamptz`,

  `alter table webhook_delivery
    add column page jsonb,
    add column list jsonb,
    add column page_digest_until timestamptz`,
  `create unique index webhook_delivery_page_digest
    on webhook_delivery (organization_id, webhook_id, page_digest_until)
    where page_digest_until is not null`,
  `create table webhook_digest_page (
    organization_id uuid not null,
    delivery_id uuid not null,
    session_id uuid not null,
    visitor_id uuid,
    company_domain text,
    page jsonb not null,
    told_at timestamptz not null default now(),
    primary key (organization_id, delivery_id, session_id),
    foreign key (organization_id, delivery_id)
      references webhook_delivery (organization_id, id) on delete cascade
  )`,
  `create index webhook_digest_page_visitor on webhook_digest_page (organization_id, visitor_id)
    where visitor_id is not null`,
  `create index webhook_digest_page_company on webhook_digest_page (organization_id, company_domain)
    where company_domain is not null`,

  // A page view whose person could not be compared with the segment in time.
  `alter table webhook_question add column view jsonb`,
]
