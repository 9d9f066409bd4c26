// The id of a suppression rule now begins with its creation time in milliseconds (RFC 9562, version 7), so one index
// lists the rules of a type newest first and finds one by id. Two indexes did this before. One of them was in random
// order and took more than half of the time to store a list of a million rules.

/** For rules that an older server stores in the meantime. */
const newId = `(
  lpad(to_hex((extract(epoch from clock_timestamp()) * 1000)::bigint), 12, '0')
  || '7' || substr(md5(random()::text), 1, 3) || '8' || substr(md5(random()::text), 1, 15)
)::uuid`

export const statements: ReadonlyArray<string> = [
  `alter table suppression_rule drop constraint suppression_rule_pkey`,
  `drop index suppression_rule_newest`,
  `update suppression_rule as rule set id = ordered.id
    from (
      select organization_id, type, match_key, (
        lpad(to_hex((extract(epoch from created_at) * 1000)::bigint), 12, '0') || '70008000'
        || lpad(to_hex(row_number() over (partition by organization_id order by created_at, id)), 12, '0')
      )::uuid as id
      from suppression_rule
    ) as ordered
    where rule.organization_id = ordered.organization_id and rule.type = ordered.type
      and rule.match_key = ordered.match_key`,
  `alter table suppression_rule
    alter column id set default ${newId},
    add primary key (organization_id, type, id)`,
]
