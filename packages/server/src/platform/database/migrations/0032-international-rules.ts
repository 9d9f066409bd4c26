// A rule about a non-ASCII domain has two keys: one for the ASCII form, which identifies the rule, and one for the
// other spelling, in which people were imported, hashed and recorded (spec 1.5). Existing rules and visitors get the
// same keys, and their marks are updated.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { hash } from "node:crypto"
import { domainToASCII, domainToUnicode } from "node:url"

const statements: ReadonlyArray<string> = [
  `alter table suppression_rule add column also_key text collate "C"`,
  `create index suppression_rule_also on suppression_rule (organization_id, type, also_key)
    where also_key is not null`,
  `create view suppression_rule_key as
    select organization_id, type, match_key, id, value, created_at, takes_part_at, removed_at
    from suppression_rule
    union all
    select organization_id, type, also_key, id, value, created_at, takes_part_at, removed_at
    from suppression_rule
    where also_key is not null`,
]

interface Stored {
  readonly organization: string
  readonly id: string
  readonly type: string
  readonly value: string
  readonly isRemoved: boolean
}

const keysOf = ({ type, value }: Stored) => {
  const at = value.lastIndexOf("@") + 1
  const ascii = domainToASCII(value.slice(at)) || value.slice(at)
  const unicode = domainToUnicode(ascii) || ascii
  const key = (domain: string) =>
    type === "email" ? hash("sha256", value.slice(0, at) + domain) : domain
  return { matchKey: key(ascii), alsoKey: ascii === unicode ? null : key(unicode) }
}

const markFollowing = (key: string, holder: string) => `
  update visitor as v set suppressed = true
  from suppression_rule as rule
  join suppression_list as list on list.organization_id = rule.organization_id
  ${holder}
  where rule.also_key is not null and v.organization_id = rule.organization_id
    and ${key}
    and not v.suppressed and rule.takes_part_at < list.cycle_at
    and (rule.removed_at is null or rule.removed_at >= list.cycle_at)`

export const internationalRules = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })

  const rules = yield* sql<Stored>`
    select organization_id as organization, id, type, value, removed_at is not null as "isRemoved"
    from suppression_rule
    where type <> 'industry'
      and (position('xn--' in value) > 0 or octet_length(value) <> char_length(value))
    order by removed_at is not null, takes_part_at, id`
  // Of two spellings of one address, the one in force stays, otherwise the older one.
  const kept = new Map<string, Stored & ReturnType<typeof keysOf>>()
  const gone: Array<Stored> = []
  for (const rule of rules) {
    const keyed = { ...rule, ...keysOf(rule) }
    const name = `${rule.organization} ${rule.type} ${keyed.matchKey}`
    if (kept.has(name)) gone.push(rule)
    else kept.set(name, keyed)
  }
  yield* sql`
    with gone as (
      delete from suppression_rule as rule
      using json_to_recordset(${JSON.stringify(gone)}::text::json) as named
        (organization uuid, id uuid, type text)
      where rule.organization_id = named.organization and rule.id = named.id
        and rule.type = named.type
      returning rule.organization_id, rule.removed_at
    )
    update suppression_list as list set email = list.email - counted.rules
    from (
      select organization_id, count(*)::int as rules from gone
      where removed_at is null
      group by organization_id
    ) as counted
    where list.organization_id = counted.organization_id`
  yield* sql`
    update suppression_rule as rule set match_key = named."matchKey", also_key = named."alsoKey"
    from json_to_recordset(${JSON.stringify([...kept.values()])}::text::json) as named
      (organization uuid, id uuid, type text, "matchKey" text, "alsoKey" text)
    where rule.organization_id = named.organization and rule.id = named.id
      and rule.type = named.type`

  const found = yield* sql<{ readonly domain: string }>`
    select distinct email_domain as domain from visitor
    where octet_length(email_domain) <> char_length(email_domain)`
  const domains = found.map(({ domain }) => ({ domain, ascii: domainToASCII(domain) || domain }))
  yield* sql`
    update visitor set email_domain = named.ascii
    from json_to_recordset(${JSON.stringify(domains)}::text::json) as named
      (domain text, ascii text)
    where visitor.email_domain = named.domain`
  const byAddress = "join visitor_address as own on own.organization_id = rule.organization_id"
  const isAddress = "own.visitor_id = v.id and own.email_hash in (rule.match_key, rule.also_key)"
  yield* sql.unsafe(markFollowing(`rule.type = 'email' and ${isAddress}`, byAddress))
  yield* sql.unsafe(markFollowing("rule.type = 'domain' and v.email_domain = rule.match_key", ""))
})
