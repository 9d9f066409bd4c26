// The reason with most points of each score, and how far the interest of a company is above what its total shows (spec
// 2.23.10, 1.6.14). The next round computes them.

export const statements: ReadonlyArray<string> = [
  `alter table visitor_score add column top jsonb`,
  `alter table company_score
    add column top jsonb,
    add column surplus smallint not null default 0`,
  `create index company_score_surplus on company_score
    (organization_id, rank, surplus desc, seen_at desc, domain) where surplus > 0`,
  `update score_state set next_round_at = now(), whole_round_at = null`,
]
