// Whether a person is suppressed, by which rules, and why the two may disagree for a moment.

import type { SuppressionRule } from "@footfall/sdk"
import { Box, Text } from "ink"
import type { ReactNode } from "react"
import { plainText } from "../terminal/plain-text.ts"
import { ruleColumns } from "./SuppressionTable.tsx"
import { Table } from "./Table.tsx"

/** What is known of the person, and the rules that match now. */
export interface SuppressionWhyViewProps {
  /** How the person was named. */
  readonly name: string
  /** Whether some visitor has this address; else the rules alone are told. */
  readonly known: boolean
  readonly suppressed: boolean
  readonly rules: ReadonlyArray<SuppressionRule>
  readonly now: Date
  readonly screenColumns: number
}

/** The mark follows the rules with the next sync cycle (spec 2.6). */
export const SuppressionWhyView = (props: SuppressionWhyViewProps): ReactNode => {
  const { name, known, suppressed, rules, now, screenColumns } = props
  const isMatched = rules.length > 0
  return (
    <Box flexDirection="column" rowGap={1}>
      <Text>
        <Text bold>{plainText(name)}</Text>
        <Text color={suppressed ? "yellow" : "green"}>
          {suppressed ? " is suppressed." : " is not suppressed."}
        </Text>
      </Text>
      {isMatched ? (
        <Table columns={ruleColumns(now)} rows={rules} screenColumns={screenColumns} />
      ) : null}
      {known ? null : (
        <Text>
          {isMatched
            ? "No visitor has this address so far. The rules apply as soon as one has."
            : "No visitor has this address so far, and no rule for an address or a domain matches it."}
        </Text>
      )}
      {isMatched && !suppressed ? (
        <Text>These rules match, and act from the next sync cycle on.</Text>
      ) : null}
      {suppressed && !isMatched ? (
        <Text>No rule matches any more: this ends with the next sync cycle.</Text>
      ) : null}
    </Box>
  )
}
