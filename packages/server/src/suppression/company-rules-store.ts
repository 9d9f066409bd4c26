// SQL condition for a company hidden by a rule in force (spec 13.1.5), used by several rooms.

/** The arguments are SQL: columns or parameters. */
export const isCompanySuppressed = (company: {
  readonly organizationId: string
  readonly domain: string
  readonly industry: string
}): string => `exists (
  select from suppression_list as list
  join suppression_rule_key as rule on rule.organization_id = list.organization_id
  where list.organization_id = ${company.organizationId}
    and (
      (rule.type = 'company_domain' and rule.match_key = ${company.domain})
      or (rule.type = 'industry' and rule.match_key = ${company.industry})
    )
    and rule.takes_part_at < list.cycle_at
    and (rule.removed_at is null or rule.removed_at >= list.cycle_at)
)`
