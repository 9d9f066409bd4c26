// The industries of identified visitors, and which of them are suppressed.

import type { SuppressionIndustry, SuppressionIndustryMeta } from "@footfall/sdk"
import { Box, Text } from "ink"
import type { ReactNode } from "react"
import { EmptyState } from "./EmptyState.tsx"
import { counted, countText } from "./figures.ts"
import { Table, type Column } from "./Table.tsx"

/** What the server knows of them. */
export interface IndustryTableProps {
  readonly industries: ReadonlyArray<SuppressionIndustry>
  readonly meta: SuppressionIndustryMeta
  readonly screenColumns: number
}

/** Suppressed ones are dim, and say so. */
export const IndustryTable = ({ industries, meta, screenColumns }: IndustryTableProps): ReactNode =>
  industries.length === 0 ? (
    <EmptyState
      says="There are no industries yet: no identified visitor has one."
      next="See who is identified: footfall visitors list"
    />
  ) : (
    <Box flexDirection="column" rowGap={1}>
      <Table
        columns={industryColumns}
        rows={industries}
        screenColumns={screenColumns}
        isDim={({ suppressed }) => suppressed}
      />
      <Text dimColor>
        {[
          industries.length < meta.limit
            ? counted(industries.length, "industry", "industries")
            : `the ${counted(industries.length, "largest industry", "largest industries")}; more: --limit, or --all`,
          `${counted(meta.visitorsWithoutIndustry, "visitor")} without one`,
          counted(meta.suppressedIndustryRules, "rule"),
        ].join(" · ")}
      </Text>
    </Box>
  )

const industryColumns: ReadonlyArray<Column<SuppressionIndustry>> = [
  { title: "Industry", cell: ({ value }) => value, widthMin: 16, widthKept: 30 },
  { title: "Visitors", cell: ({ visitors }) => countText(visitors), align: "right" },
  { title: "Rule", cell: ({ suppressed }) => (suppressed ? "suppressed" : "") },
]
