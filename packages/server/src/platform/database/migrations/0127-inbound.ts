// Inbound sources (spec 15.3): where vendors send, and what became of the records. `vendor` of a visitor is what vendors
// said, by column of its profile: [value, id of the source, its name, epoch milliseconds].

export const statements: ReadonlyArray<string> = [
  `create table inbound_source (
    organization_id uuid not null references organization (id),
    id uuid not null,
    pixel_id uuid not null,
    name text not null,
    preset text not null,
    mapping jsonb,
    consent text not null check (consent in ('vouched', 'pixel')),
    status text not null check (status in ('active', 'paused')),
    token_digest bytea not null,
    token_last4 text not null,
    former_digest bytea,
    former_until timestamptz,
    secret bytea,
    former_secret bytea,
    former_secret_until timestamptz,
    last_request_at timestamptz,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    primary key (organization_id, id),
    foreign key (organization_id, pixel_id) references pixel (organization_id, id)
  )`,
  `create unique index inbound_source_token on inbound_source (token_digest)`,
  `create index inbound_source_former on inbound_source (former_digest) where former_digest is not null`,
  `create table inbound_request (
    organization_id uuid not null,
    source_id uuid not null,
    id uuid not null,
    received_at timestamptz not null,
    records integer not null,
    primary key (organization_id, source_id, id),
    foreign key (organization_id, source_id) references inbound_source on delete cascade
  )`,
  `create index inbound_request_age on inbound_request (received_at)`,
  `create index inbound_request_newest on inbound_request
    (organization_id, source_id, received_at desc, id desc)`,
  `create table inbound_record (
    organization_id uuid not null,
    source_id uuid not null,
    request_id uuid not null,
    place integer not null,
    outcome text not null
      check (outcome in ('person', 'company', 'repeated', 'rejected', 'dropped')),
    reason text,
    -- A keyed hash of the vendor's id, or of the record.
    key bytea not null,
    -- SHA-256 of every address in the body.
    address_hashes text[] not null,
    body bytea,
    primary key (organization_id, source_id, request_id, place),
    foreign key (organization_id, source_id, request_id)
      references inbound_request on delete cascade
  )`,
  `create unique index inbound_record_once on inbound_record (organization_id, source_id, key)
    where outcome in ('person', 'company', 'dropped')`,
  `create index inbound_record_address on inbound_record using gin (address_hashes)
    where address_hashes <> '{}'`,
  `alter table visitor add column vendor jsonb not null default '{}'`,
]
