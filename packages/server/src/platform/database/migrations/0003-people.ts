// Imported people with all fields of spec 2.19, people shared by every organization, and identity links. Shared rows
// have the organization id zero, which belongs to no organization.

export const statements: ReadonlyArray<string> = [
  // `import_id`: the import that last wrote the row, so that a key repeated in the import counts once.
  `alter table person
    add column email_status text,
    add column headline text,
    add column company_industry_group text,
    add column age_range text,
    add column gender text,
    add column is_b2b text,
    add column import_id uuid`,

  // The person an address belongs to: the one of the record that named it last, or of a link, which takes precedence.
  // Addresses that lead to one another are one person (docs/adr/0014).
  `alter table person_address add column is_link boolean not null default false`,
  `alter table person_address add column import_id uuid`,
  `create index person_address_person on person_address (organization_id, person_hash)`,

  // Links for ids that are not addresses: a browser id, or the organization's own id.
  `create table identity_link (
    organization_id uuid not null,
    kind text not null check (kind in ('anonymous_id', 'external_id')),
    value text collate "C" not null,
    email_hash text collate "C" not null,
    import_id uuid,
    primary key (organization_id, kind, value)
  )`,
  `create index identity_link_person on identity_link (organization_id, email_hash)`,

  // The person a link gave the browser to, so that each link does this only once.
  `alter table browser add column linked_hash text collate "C"`,
  `create index browser_visitor on browser (organization_id, visitor_id)`,

  // An address named only by an import, not by an event, was never seen. Shared people are looked up in every
  // organization at once, by hash alone.
  `alter table visitor_address alter column first_seen_at drop not null`,
  `create index visitor_address_hash on visitor_address using hash (email_hash)`,

  // What visits and resolvers reported about a person, kept apart from imports: it fills empty fields, also after an
  // import clears one. For existing people the source was not recorded, so all of their data counts as reported.
  `alter table visitor
    add column traits jsonb not null default '{}',
    add column resolved jsonb not null default '{}'`,
  `update visitor set traits = jsonb_strip_nulls(jsonb_build_object(
    'first_name', first_name,
    'last_name', last_name,
    'linkedin_url', linkedin_url,
    'phones', case when phones <> '{}' then to_jsonb(phones) end,
    'phones_dnc', to_jsonb(phones_dnc),
    'job_title', job_title,
    'seniority', seniority,
    'department', department,
    'company_name', company_name,
    'company_domain', company_domain,
    'company_linkedin_url', company_linkedin_url,
    'company_employee_count', company_employee_count,
    'company_total_revenue', company_total_revenue,
    'company_zip_code', company_zip_code,
    'industry', industry,
    'city', city,
    'state', state,
    'country', country
  ))`,

  // Finds the people identified with an own id that is linked later.
  `create index visitor_pixel_external_id on visitor_pixel
    (organization_id, (custom_attribution #>> '{external_id,0}'))
    where custom_attribution ? 'external_id'`,
]
