// Counts the rules of every list again, because migration 0032 subtracted every deleted rule from the count of emails.

export const statements: ReadonlyArray<string> = [
  // Every change to a list locks its row, so after this statement nothing else is changing one.
  `select from suppression_list order by organization_id for update`,
  `update suppression_list as list
  set email = counted.email, domain = counted.domain, company_domain = counted.company_domain,
    industry = counted.industry
  from (
    select list.organization_id,
      count(*) filter (where rule.type = 'email')::int as email,
      count(*) filter (where rule.type = 'domain')::int as domain,
      count(*) filter (where rule.type = 'company_domain')::int as company_domain,
      count(*) filter (where rule.type = 'industry')::int as industry
    from suppression_list as list
    left join suppression_rule as rule
      on rule.organization_id = list.organization_id and rule.removed_at is null
    group by list.organization_id
  ) as counted
  where counted.organization_id = list.organization_id
    and (list.email, list.domain, list.company_domain, list.industry)
      is distinct from
      (counted.email, counted.domain, counted.company_domain, counted.industry)`,
]
