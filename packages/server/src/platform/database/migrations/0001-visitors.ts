// The first schema: organizations and their credentials, pixels, events, sessions and visitors. The primary key and
// unique indexes of every tenant table start with organization_id. Three look-ups happen before the organization is
// known and have a global index: an API key by digest, a pixel by id, a user by address.

export const statements: ReadonlyArray<string> = [
  `create table organization (
    id uuid primary key,
    name text not null,
    slug text not null unique,
    status text not null default 'active'
      check (status in ('active', 'trial', 'suspended', 'expired')),
    is_operator boolean not null default false,
    excluded_ips text[] not null default '{}',
    retention_days integer check (retention_days between 30 and 3650),
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now()
  )`,
  `create unique index organization_operator on organization (is_operator) where is_operator`,

  `create table user_account (
    id uuid primary key,
    email text not null unique,
    name text,
    password_hash text,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now()
  )`,

  `create table member (
    organization_id uuid not null references organization (id),
    user_id uuid not null references user_account (id),
    role text not null check (role in ('owner', 'admin', 'member', 'viewer')),
    created_at timestamptz not null default now(),
    primary key (organization_id, user_id)
  )`,
  `create index member_user on member (user_id, created_at)`,

  `create table api_key (
    organization_id uuid not null references organization (id),
    id uuid not null,
    name text not null,
    prefix text not null,
    last4 text not null,
    digest bytea not null,
    created_at timestamptz not null default now(),
    last_used_at timestamptz,
    expires_at timestamptz,
    revoked_at timestamptz,
    primary key (organization_id, id)
  )`,
  `create unique index api_key_digest on api_key (digest)`,

  `create table pixel (
    organization_id uuid not null references organization (id),
    id uuid not null,
    domain text not null,
    name text not null,
    status text not null default 'active' check (status in ('active', 'paused')),
    paused_reason text check (paused_reason in ('manual', 'organization_inactive')),
    excluded_paths text[],
    included_paths text[],
    settings jsonb not null default '{}',
    verified_at timestamptz,
    last_event_at timestamptz,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    deleted_at timestamptz,
    primary key (organization_id, id),
    check (excluded_paths is null or included_paths is null),
    check ((status = 'paused') = (paused_reason is not null))
  )`,
  `create unique index pixel_id on pixel (id)`,
  `create unique index pixel_domain on pixel (organization_id, domain) where deleted_at is null`,

  // Counters of the rate limits (spec 10). Losing them in a crash only restarts the windows.
  `create unlogged table rate_limit (
    bucket text collate "C" primary key,
    window_ends_at timestamptz not null,
    used integer not null
  ) with (fillfactor = 70)`,
  `create index rate_limit_end on rate_limit (window_ends_at)`,

  // Events that the collect route has acknowledged and the identification pass has not processed. Kept small: the pass
  // moves rows to `event` in the transaction that counts them.
  `create table event_inbox (
    sequence bigint generated always as identity primary key,
    organization_id uuid not null,
    pixel_id uuid not null,
    id uuid not null,
    received_at timestamptz not null default now(),
    anonymous_id uuid,
    type text not null,
    occurred_at timestamptz not null,
    url text,
    payload jsonb not null
  )`,
  `create unique index event_inbox_id on event_inbox (organization_id, pixel_id, id)`,

  // Raw events, partitioned by the day of receipt. Old partitions are dropped.
  `create table event (
    organization_id uuid not null,
    received_on date not null,
    pixel_id uuid not null,
    id uuid not null,
    received_at timestamptz not null,
    anonymous_id uuid,
    session_id uuid,
    type text not null,
    occurred_at timestamptz not null,
    url text,
    payload jsonb not null,
    primary key (organization_id, received_on, pixel_id, id)
  ) partition by range (received_on)`,

  // A browser is a first-party id in which someone was identified. It belongs to the person identified in it last.
  // `identifications` holds [epoch milliseconds, visitor id] in order of time, because a late event belongs to the
  // person identified at its time.
  `create table browser (
    organization_id uuid not null,
    anonymous_id uuid not null,
    visitor_id uuid not null,
    identifications jsonb not null,
    primary key (organization_id, anonymous_id)
  )`,

  `create table session (
    organization_id uuid not null,
    id uuid not null,
    pixel_id uuid not null,
    anonymous_id uuid not null,
    visitor_id uuid,
    started_at timestamptz not null,
    ended_at timestamptz not null,
    active_seconds integer,
    pageviews integer not null,
    unique_pages integer not null,
    pricing_page_views integer not null,
    demo_page_views integer not null,
    page_urls text[] not null,
    page_times timestamptz[] not null,
    entry_url text,
    exit_url text,
    referrer text,
    referrer_domain text,
    channel text not null,
    utm_source text,
    utm_medium text,
    utm_campaign text,
    utm_term text,
    utm_content text,
    click_ids jsonb not null default '{}',
    device_type text not null,
    country text,
    converted boolean not null,
    state jsonb not null default '{}',
    primary key (organization_id, id)
  )`,
  `create index session_browser on session (organization_id, anonymous_id, pixel_id, ended_at desc)`,
  `create index session_visitor on session
    (organization_id, visitor_id, started_at desc, pixel_id desc, id desc)
    where visitor_id is not null`,

  // One row per person of an organization. The primary address is repeated here, because the list is ordered by its
  // hash.
  `create table visitor (
    organization_id uuid not null,
    id uuid not null,
    email text,
    email_hash text collate "C" not null,
    email_sha1 text,
    email_md5 text,
    suppressed boolean not null default false,
    first_seen_at timestamptz not null,
    last_seen_at timestamptz not null,
    first_name text,
    last_name text,
    linkedin_url text,
    phones text[] not null default '{}',
    phones_dnc boolean[],
    job_title text,
    seniority text,
    department text,
    company_name text,
    company_domain text,
    company_linkedin_url text,
    company_employee_count integer,
    company_total_revenue text,
    company_zip_code text,
    industry text,
    city text,
    state text,
    country text,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    primary key (organization_id, id)
  )`,
  `create unique index visitor_email_hash on visitor (organization_id, email_hash)`,
  `create index visitor_last_seen on visitor
    (organization_id, last_seen_at desc, email_hash) include (id, suppressed)`,

  // Every address of a person, as a hash and, if it was submitted in full, as text.
  `create table visitor_address (
    organization_id uuid not null,
    email_hash text collate "C" not null,
    visitor_id uuid not null,
    email text,
    kind text check (kind in ('business', 'personal')),
    first_seen_at timestamptz not null,
    primary key (organization_id, email_hash)
  )`,
  `create index visitor_address_visitor on visitor_address (organization_id, visitor_id)`,

  // When a person was on one pixel: for the order of lists with a pixel filter, and the values merged on that pixel.
  `create table visitor_pixel (
    organization_id uuid not null,
    visitor_id uuid not null,
    pixel_id uuid not null,
    email_hash text collate "C" not null,
    first_seen_at timestamptz not null,
    last_seen_at timestamptz not null,
    custom_attribution jsonb not null default '{}',
    primary key (organization_id, visitor_id, pixel_id)
  )`,
  `create index visitor_pixel_last_seen on visitor_pixel
    (organization_id, pixel_id, last_seen_at desc, email_hash) include (visitor_id)`,

  // Imported people: what is known about an address before, or without, a visit.
  `create table person (
    organization_id uuid not null,
    email_hash text collate "C" not null,
    email text,
    emails text[] not null default '{}',
    business_email text,
    personal_email text,
    first_name text,
    last_name text,
    linkedin_url text,
    phones text[] not null default '{}',
    phones_dnc boolean[],
    job_title text,
    seniority text,
    department text,
    company_name text,
    company_domain text,
    company_linkedin_url text,
    company_employee_count integer,
    company_total_revenue text,
    company_zip_code text,
    industry text,
    city text,
    state text,
    country text,
    updated_at timestamptz not null default now(),
    primary key (organization_id, email_hash)
  )`,

  // The hashes of an imported person's other addresses: finds the person by an alias.
  `create table person_address (
    organization_id uuid not null,
    email_hash text collate "C" not null,
    person_hash text collate "C" not null,
    primary key (organization_id, email_hash)
  )`,
]
