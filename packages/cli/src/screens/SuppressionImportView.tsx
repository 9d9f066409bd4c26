// What became of an import of rules.

import { Box, Text } from "ink"
import type { ReactNode } from "react"
import type { ImportJournal } from "../suppression/import-journal.ts"
import type { Prepared } from "../suppression/prepared.ts"
import { Facts } from "./Facts.tsx"
import { counted, countText } from "./figures.ts"
import { Rejections } from "./SuppressionPlanView.tsx"

/** The last state of it. */
export interface SuppressionImportViewProps {
  readonly prepared: Prepared
  readonly sent: ImportJournal
  readonly rulesResumedFrom: number
  readonly screenColumns: number
}

/** Without colour it says the same. */
export const SuppressionImportView = (props: SuppressionImportViewProps): ReactNode => {
  const { prepared, sent, rulesResumedFrom, screenColumns } = props
  const rejected = prepared.rejectedCount + sent.refusedCount
  return (
    <Box flexDirection="column" rowGap={1}>
      <Text>
        <Text bold>{counted(prepared.rows, "row")}</Text>
        <Text color={rejected === 0 ? "green" : "yellow"}>
          {rejected === 0 ? ": all taken" : `: ${countText(rejected)} rejected`}
        </Text>
      </Text>
      <Facts
        facts={[
          ["Added", countText(sent.added)],
          ["There already", countText(sent.duplicates)],
          ["Repeated", prepared.repeated === 0 ? null : countText(prepared.repeated)],
          ["Rules in all", sent.total === null ? null : countText(sent.total)],
          ["Resumed", rulesResumedFrom === 0 ? null : `after ${countText(rulesResumedFrom)} rules`],
          [
            "Refused",
            sent.refusedCount === 0 ? null : `${countText(sent.refusedCount)} by the server alone`,
          ],
        ]}
      />
      <Rejections prepared={prepared} screenColumns={screenColumns} />
      {sent.added === 0 ? null : <Text dimColor>They act from the next sync cycle on.</Text>}
    </Box>
  )
}
