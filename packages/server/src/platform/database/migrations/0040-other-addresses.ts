// Imported people whose record spells out an address other than their own. An erasure removes that address from their
// records, and has no time to read all records in its turn. Most people have no such address and cost nothing.

export const statements: ReadonlyArray<string> = [
  `create function other_addresses(
    email text, emails text[], business_email text, personal_email text
  ) returns bytea[] language sql immutable parallel safe as $$
    select array_agg(sha256(convert_to(other, 'UTF8')))
    from unnest(emails || array[business_email, personal_email]) as other
    where other is distinct from email and other is not null
  $$`,
  `create index person_other_addresses on person
    using gin (other_addresses(email, emails, business_email, personal_email))
    where email is null or emails <> '{}' and emails <> array[email]
      or business_email <> email or personal_email <> email`,
]
