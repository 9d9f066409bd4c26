// Every spelling of an international address becomes the same person (spec 1.5): stored addresses get the form in which
// new ones are stored, and lead to it by the hashes of their other spellings. Two visitors who turn out to be one person
// are left to a worker of the server, in `spelling_join`, because it has to move their sessions and credits.
// Installations without such addresses only have their addresses read.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { hash } from "node:crypto"
import { domainToASCII, domainToUnicode } from "node:url"

const table = `create table spelling_join (
  organization_id uuid not null,
  email_hash text collate "C" not null,
  primary key (organization_id, email_hash)
)`

const isInternational = (text: string) => `octet_length(${text}) <> char_length(${text})`

/** The stored addresses that are not in the new form, or that have another spelling. */
const foundStatements: ReadonlyArray<string> = [
  `create temporary table international_address on commit drop as
    select organization_id, visitor_id, email, kind, first_seen_at from visitor_address
    where ${isInternational("email")} or position('xn--' in email) > 0`,
  `create temporary table international_person on commit drop as
    select organization_id, email_hash, emails || array[email, business_email, personal_email] as emails
    from person
    where ${isInternational("concat(email, business_email, personal_email, array_to_string(emails, ''))")}`,
  `create temporary table address_form (
    email text primary key, canonical text, hash text, key text, sha1 text, md5 text, other text
  ) on commit drop`,
]

const formOf = (email: string) => {
  const at = email.lastIndexOf("@") + 1
  const local = email.slice(0, at).normalize("NFC")
  const ascii = domainToASCII(email.slice(at)) || email.slice(at)
  const canonical = local + ascii
  return {
    email,
    canonical,
    hash: hash("sha256", email),
    key: hash("sha256", canonical),
    sha1: hash("sha1", canonical),
    md5: hash("md5", canonical),
    other: hash("sha256", local + (domainToUnicode(ascii) || ascii)),
  }
}

const peopleStatements: ReadonlyArray<string> = [
  `update person as p set
    email = coalesce((select canonical from address_form f where f.email = p.email), p.email),
    business_email = coalesce(
      (select canonical from address_form f where f.email = p.business_email), p.business_email),
    personal_email = coalesce(
      (select canonical from address_form f where f.email = p.personal_email), p.personal_email),
    emails = array(
      select coalesce(f.canonical, e.email) as one
      from unnest(p.emails) with ordinality as e (email, place)
      left join address_form f on f.email = e.email
      group by one
      order by min(place)
    )
  from international_person i
  where p.organization_id = i.organization_id and p.email_hash = i.email_hash`,
  // Where both spellings were imported, both records stay, as records of one person.
  `update person as p set email_hash = renamed.key
  from (
    select distinct on (i.organization_id, f.key) i.organization_id, f.hash, f.key
    from international_person i
    join address_form f on f.hash = i.email_hash and f.hash <> f.key
    where not exists (
      select from person as o where o.organization_id = i.organization_id and o.email_hash = f.key
    )
    order by i.organization_id, f.key, f.hash
  ) as renamed
  where p.organization_id = renamed.organization_id and p.email_hash = renamed.hash`,
  `insert into person_address (organization_id, email_hash, person_hash, is_link, import_id)
  select a.organization_id, f.key, a.person_hash, a.is_link, a.import_id
  from (select distinct organization_id from organization_of_address) as o
  cross join address_form f
  join person_address a on a.organization_id = o.organization_id and a.email_hash = f.hash
  where f.hash <> f.key and a.person_hash <> f.key
  on conflict (organization_id, email_hash) do nothing`,
  `update person_address as a set person_hash = f.key
  from (select distinct organization_id from organization_of_address) as o
  cross join address_form f
  where a.organization_id = o.organization_id and a.person_hash = f.hash
    and f.hash <> f.key and a.email_hash <> f.key`,
  `insert into person_address (organization_id, email_hash, person_hash, is_link)
  select i.organization_id, f.hash, f.key, true
  from international_person i
  join address_form f on f.hash = i.email_hash and f.hash <> f.key
  on conflict (organization_id, email_hash) do nothing`,
]

const visitorStatements: ReadonlyArray<string> = [
  `insert into spelling_join (organization_id, email_hash)
  select distinct i.organization_id, f.key
  from international_address i
  join address_form f on f.email = i.email
  join visitor_address o
    on o.organization_id = i.organization_id and o.email_hash in (f.hash, f.key, f.other)
  where o.visitor_id <> i.visitor_id`,
  // A spelling that no rule leads back to, such as decomposed letters.
  `insert into person_address (organization_id, email_hash, person_hash, is_link)
  select i.organization_id, f.hash, f.key, true
  from international_address i
  join address_form f on f.email = i.email and f.hash not in (f.key, f.other)
  join spelling_join j on j.organization_id = i.organization_id and j.email_hash = f.key
  on conflict (organization_id, email_hash) do nothing`,
  `insert into visitor_address (organization_id, email_hash, visitor_id, email, kind, first_seen_at)
  select distinct on (i.organization_id, f.key)
    i.organization_id, f.key, i.visitor_id, f.canonical, i.kind, i.first_seen_at
  from international_address i
  join address_form f on f.email = i.email
  order by i.organization_id, f.key, i.first_seen_at, i.visitor_id
  on conflict (organization_id, email_hash) do update set
    email = excluded.email, kind = excluded.kind
  where visitor_address.email is null`,
  `insert into visitor_address (organization_id, email_hash, visitor_id)
  select distinct on (i.organization_id, f.other) i.organization_id, f.other, i.visitor_id
  from international_address i
  join address_form f on f.email = i.email and f.other <> f.key
  order by i.organization_id, f.other, i.first_seen_at, i.visitor_id
  on conflict (organization_id, email_hash) do nothing`,
  `update visitor_address as a set email = null, kind = null
  from international_address i
  join address_form f on f.email = i.email and f.hash <> f.key
  where a.organization_id = i.organization_id and a.email_hash = f.hash`,
  `update visitor as v set
    email = f.canonical, email_hash = f.key, email_sha1 = f.sha1, email_md5 = f.md5
  from international_address i
  join address_form f on f.email = i.email and f.hash <> f.key
  join visitor_address a
    on a.organization_id = i.organization_id and a.email_hash = f.key
    and a.visitor_id = i.visitor_id
  where v.organization_id = i.organization_id and v.id = i.visitor_id and v.email = i.email`,
  `update visitor_pixel as p set email_hash = v.email_hash
  from international_address i
  join visitor v on v.organization_id = i.organization_id and v.id = i.visitor_id
  where p.organization_id = v.organization_id and p.visitor_id = v.id
    and p.email_hash <> v.email_hash`,
]

interface StoredRule {
  readonly organization: string
  readonly id: string
  readonly value: string
  readonly matchKey: string
}

/** Rules that become the same one: the one in force stays, otherwise the older one. */
const rewriteRules = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rules = yield* sql<StoredRule>`
    select organization_id as organization, id, value, match_key as "matchKey"
    from suppression_rule
    where type = 'email' and octet_length(value) <> char_length(value)`
  if (rules.length === 0) return
  const forms = rules.map((rule) => ({ ...rule, ...formOf(rule.value) }))
  const given = sql`json_to_recordset(${JSON.stringify(forms)}::text::json) as f
    (organization uuid, id uuid, canonical text, "matchKey" text, key text, other text)`
  yield* sql`
    with ranked as (
      select r.organization_id, r.id, row_number() over (
        partition by r.organization_id, r.match_key_now
        order by r.removed_at is not null, r.created_at, r.id
      ) as place
      from (
        select r.organization_id, r.id, r.removed_at, r.created_at, f.key as match_key_now
        from ${given}
        join suppression_rule r
          on r.organization_id = f.organization and r.type = 'email' and r.id = f.id
        union
        select r.organization_id, r.id, r.removed_at, r.created_at, r.match_key
        from ${given}
        join suppression_rule r
          on r.organization_id = f.organization and r.type = 'email' and r.match_key = f.key
      ) as r
    )
    delete from suppression_rule as r
    using ranked
    where r.organization_id = ranked.organization_id and r.type = 'email' and r.id = ranked.id
      and ranked.place > 1`
  yield* sql`
    update suppression_rule as r set
      value = f.canonical, match_key = f.key, also_key = nullif(f.other, f.key)
    from ${given}
    where r.organization_id = f.organization and r.type = 'email' and r.id = f.id`
  yield* sql`
    update suppression_list as list set email = (
      select count(*) from suppression_rule as r
      where r.organization_id = list.organization_id and r.type = 'email' and r.removed_at is null
    )
    where organization_id in (select organization from ${given})`
})

/** Of two users with spellings of one address, both keep theirs: neither may sign in as the other. */
const rewriteUsers = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const users = yield* sql<{ readonly email: string }>`
    select email from user_account where octet_length(email) <> char_length(email)`
  for (const { email } of users) {
    yield* sql`
      update user_account set email = ${formOf(email).canonical}
      where email = ${email}
        and not exists (select from user_account where email = ${formOf(email).canonical})`
  }
})

export const oneSpelling = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const run = (statements: ReadonlyArray<string>) =>
    Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
  yield* sql.unsafe(table)
  yield* rewriteRules
  yield* rewriteUsers
  yield* run(foundStatements)
  const found = yield* sql<{ readonly email: string }>`
    select email from international_address
    union
    select email from international_person cross join unnest(emails) as email
    where octet_length(email) <> char_length(email)`
  yield* sql`
    update event_inbox set payload = jsonb_set(payload, '{e}', to_jsonb(form.canonical))
    from json_to_recordset(${JSON.stringify(yield* waitingForms)}::text::json)
      as form (email text, canonical text)
    where payload ->> 'e' = form.email`
  if (found.length === 0) return
  yield* sql`
    insert into address_form
    select * from json_to_recordset(${JSON.stringify(found.map(({ email }) => formOf(email)))}::text::json)
      as form (email text, canonical text, hash text, key text, sha1 text, md5 text, other text)`
  yield* sql.unsafe(`create temporary table organization_of_address on commit drop as
    select organization_id from international_address
    union
    select organization_id from international_person`)
  yield* run(["analyze address_form", ...peopleStatements, ...visitorStatements])
})

/** The addresses of events that wait for identification. */
const waitingForms = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const waiting = yield* sql<{ readonly email: string }>`
    select distinct payload ->> 'e' as email from event_inbox
    where octet_length(payload ->> 'e') <> char_length(payload ->> 'e')`
  return waiting.map(({ email }) => formOf(email))
})
