// SQL that matches rules with people. A person has a few keys (addresses, the primary address's domain, company domain,
// industry), each looked up in one index of the rules, so the cost does not grow with the number of rules (spec 2.6).
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import { isoTime } from "../../../platform/database/iso-time.ts"
import { noteOf, originOf } from "../origin-store.ts"
import type { RuleRow } from "../store.ts"
import type { KeyedRule } from "../submission.ts"
import { visitorKeys } from "./visitor-keys-store.ts"

/** People that a list of rules would newly suppress. */ // spec 5.5
export interface Affected {
  readonly wouldAdd: number
  readonly affectedVisitors: number
  readonly email: number
  readonly domain: number
  readonly company_domain: number
  readonly industry: number
  readonly sample: ReadonlyArray<AffectedPerson>
}

export interface AffectedPerson {
  readonly emailHash: string
  readonly email: string | null
  readonly fullName: string | null
}

export interface PersonRules {
  readonly suppressed: boolean
  readonly rules: ReadonlyArray<RuleRow>
}

export interface Industry {
  readonly value: string
  readonly visitors: number
  readonly suppressed: boolean
}

/** Maximum rules in a response about one person. spec 5.5. */
const personRulesMax = 100
/** A preview counts people seen within this many days. spec 5.5. */
const previewDays = 30
/** Maximum people whom a preview names. spec 5.5. */
const sampleMax = 10

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const createdAt = sql.literal(isoTime("rule.created_at"))

  const keys = visitorKeys(sql)

  /** For each submitted rule, the people it matches, and by which types. */
  const affected = (organizationId: string, submitted: Fragment) => sql<Affected>`
      with submitted as materialized (${submitted}), submitted_key as materialized (
        select type, match_key from submitted
        union all
        select type, also_key from submitted where also_key is not null
      ), matched as (
        ${keys.having(organizationId, sql.literal("submitted_key"))}
      ), person as (
        select matched.id, array_agg(distinct matched.type) as types
        from matched
        group by matched.id
      ), added_again as (
        select person.types, v.email_hash, v.email, v.first_name, v.last_name, v.last_seen_at
        from person join visitor as v on v.organization_id = ${organizationId} and v.id = person.id
        where not v.held_back
          and v.last_seen_at >= now() - make_interval(days => ${sql.literal(String(previewDays))})
          and not exists (
            select from ${keys.own} as own join suppression_rule_key as rule on ${keys.isRule}
            where rule.removed_at is null
          )
      )
      select
        (select count(*)::int from submitted
         where not exists (
           select from suppression_rule as rule
           where rule.organization_id = ${organizationId} and rule.type = submitted.type
             and rule.match_key = submitted.match_key and rule.removed_at is null
         )) as "wouldAdd",
        count(*)::int as "affectedVisitors",
        count(*) filter (where 'email' = any (types))::int as email,
        count(*) filter (where 'domain' = any (types))::int as domain,
        count(*) filter (where 'company_domain' = any (types))::int as company_domain,
        count(*) filter (where 'industry' = any (types))::int as industry,
        (select coalesce(jsonb_agg(jsonb_build_object(
           'emailHash', email_hash, 'email', email,
           'fullName', nullif(concat_ws(' ', first_name, last_name), '')
         ) order by last_seen_at desc, email_hash), '[]')
         from (
           select * from added_again order by last_seen_at desc, email_hash
           limit ${sql.literal(String(sampleMax))}
         ) as latest) as sample
      from added_again`

  return {
    /** The effect of a list of distinct rules. */
    affected: (organizationId: string, rules: ReadonlyArray<KeyedRule>): Effect.Effect<Affected> =>
      Effect.suspend(() => {
        const json = JSON.stringify(
          rules.map(({ alsoKey, matchKey, type }) => [type, matchKey, alsoKey]),
        )
        const submitted = sql`
          select row ->> 0 as type, row ->> 1 as match_key, row ->> 2 as also_key
          from json_array_elements(${json}::text::json) as row`
        return Effect.orDie(Effect.map(affected(organizationId, submitted), (rows) => rows[0]!))
      }),

    /** The people whom the rules that an import has staged would affect. Postgres computes nothing else. */
    affectedByStaged: (organizationId: string, importId: string) =>
      Effect.map(
        sql<Omit<Affected, "wouldAdd">>`
          select "affectedVisitors", email, domain, company_domain, industry, sample
          from (${affected(
            organizationId,
            sql`select type, match_key, also_key from staged_rule where import_id = ${importId}`,
          )}) as counted`,
        (rows) => rows[0]!,
      ),

    /** The stored rules that match the person with this address, newest first; empty for an unknown person. */
    rulesOfPerson: (
      organizationId: string,
      emailHash: string,
    ): Effect.Effect<PersonRules | undefined> =>
      sql<PersonRules>`
        select v.suppressed, coalesce((
          select json_agg(json_build_object(
            'id', found.id, 'type', found.type, 'value', found.value, 'createdAt', found.at,
            'origin', ${sql.literal(originOf("found"))}, 'note', ${sql.literal(noteOf("found"))}
          ) order by found.created_at desc, found.id desc)
          from (
            select distinct rule.id, rule.type, rule.value, rule.created_at, ${createdAt} as at,
              v.organization_id, (
                select origin_id from suppression_rule as own_rule
                where own_rule.organization_id = v.organization_id and own_rule.type = rule.type
                  and own_rule.id = rule.id
              ) as origin_id
            from ${keys.own} as own join suppression_rule_key as rule on ${keys.isRule}
            where rule.removed_at is null
            order by rule.created_at desc, rule.id desc
            limit ${sql.literal(String(personRulesMax))}
          ) as found
        ), '[]') as rules
        from visitor_address as known
        join visitor as v on v.organization_id = known.organization_id and v.id = known.visitor_id
        where known.organization_id = ${organizationId} and known.email_hash = ${emailHash}
          and not v.held_back`.pipe(
        Effect.map((rows) => rows[0]),
        Effect.orDie,
      ),

    /** Industries of identified visitors, most visitors first. */
    industries: (organizationId: string, limit: number): Effect.Effect<ReadonlyArray<Industry>> =>
      sql<Industry>`
        select industry as value, visitors, exists (
          select from suppression_rule as rule
          where rule.organization_id = ${organizationId} and rule.type = 'industry'
            and rule.match_key = counted.industry and rule.removed_at is null
        ) as suppressed
        from (
          select industry, count(*)::int as visitors
          from visitor
          where organization_id = ${organizationId} and not held_back and industry is not null
          group by industry
          order by visitors desc, industry collate "C"
          limit ${limit}
        ) as counted
        order by visitors desc, industry collate "C"`.pipe(Effect.orDie),

    visitorsWithoutIndustry: (organizationId: string): Effect.Effect<number> =>
      sql<{ readonly visitors: number }>`
        select count(*)::int as visitors from visitor
        where organization_id = ${organizationId} and not held_back and industry is null`.pipe(
        Effect.map((rows) => rows[0]!.visitors),
        Effect.orDie,
      ),
  }
})

export class MatchingStore extends Context.Service<MatchingStore, Effect.Success<typeof make>>()(
  "@footfall/server/suppression/MatchingStore",
) {
  static readonly layer = Layer.effect(MatchingStore, make)
}
