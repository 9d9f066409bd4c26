// SQL condition for a company that a rule in force suppresses (spec 13.1.5), used by several rooms. `company.suppressed` is
// its stored form, which the sync cycle sets a moment later.

/** The arguments are SQL: columns or parameters. */
export const isCompanySuppressed = (company: {
  readonly organizationId: string
  readonly domain: string
  readonly industry: string
}): string => `exists (
  select from suppression_list as list
  cross join lateral (
    values ('company_domain', ${company.domain}), ('industry', ${company.industry})
  ) as own (type, match_key)
  join suppression_rule_key as rule on rule.organization_id = list.organization_id
    and rule.type = own.type and rule.match_key = own.match_key
  where list.organization_id = ${company.organizationId}
    and rule.takes_part_at < list.cycle_at
    and (rule.removed_at is null or rule.removed_at >= list.cycle_at)
)`
