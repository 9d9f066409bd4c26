// Suppression rules on a terminal: a page of them, and how many there are of each type.

import type { SuppressionListMeta, SuppressionRule } from "@footfall/sdk"
import { Box } from "ink"
import type { ReactNode } from "react"
import { ruleTypes } from "../suppression/rule-types.ts"
import { Prose } from "./Prose.tsx"
import { EmptyState, type Empty } from "./EmptyState.tsx"
import { counted, countText } from "./figures.ts"
import { Table, type Column } from "./Table.tsx"
import { timeAgo } from "./time.ts"

/** One page of rules. */
export interface SuppressionTableProps {
  readonly rules: ReadonlyArray<SuppressionRule>
  readonly meta: SuppressionListMeta
  readonly now: Date
  readonly screenColumns: number
}

/** The id is never cut, so that it can be copied. */
export const SuppressionTable = (props: SuppressionTableProps): ReactNode => {
  const { rules, meta, now, screenColumns } = props
  if (rules.length === 0) return <EmptyState {...emptyOf(meta)} />
  return (
    <Box flexDirection="column" rowGap={1}>
      <Table columns={ruleColumns(now)} rows={rules} screenColumns={screenColumns} />
      <Prose dimColor>{footer(rules.length, meta)}</Prose>
    </Box>
  )
}

/** Columns of any table of rules. */
export const ruleColumns = (now: Date): ReadonlyArray<Column<SuppressionRule>> => [
  { title: "Type", cell: ({ type }) => type },
  { title: "Value", cell: ({ value }) => value, widthMin: 16, widthKept: 30 },
  { title: "Added", cell: ({ createdAt }) => timeAgo(createdAt, now), align: "right", dropRank: 1 },
  { title: "Id", cell: ({ id }) => id, dropRank: 2 },
]

const emptyOf = ({ total, filteredTotal }: SuppressionListMeta): Empty => {
  if (filteredTotal > 0) return { says: "There are no rules behind these." }
  return total === 0
    ? {
        says: "There are no suppression rules yet.",
        next: "Run: footfall suppression add <type> <value>",
      }
    : {
        says: `None of the ${counted(total, "rule")} matches.`,
        next: "Try: other values, or without --types and --search",
      }
}

const footer = (shown: number, meta: SuppressionListMeta): string => {
  const { filteredTotal, total, counts, hasMore } = meta
  const found = counted(filteredTotal, "rule")
  const isFiltered = filteredTotal < total
  return [
    shown < filteredTotal ? `${countText(shown)} of ${found}` : found,
    isFiltered ? `${countText(total)} in all` : null,
    ...ruleTypes.map((type) => (counts[type] === 0 ? null : `${type} ${countText(counts[type])}`)),
    hasMore ? "more: --limit, or --all" : null,
  ]
    .filter((part) => part !== null)
    .join(" · ")
}
