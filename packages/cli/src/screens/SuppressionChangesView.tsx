// What has to change for the list to be the wanted one: by type, with the first of the rules, and how it
// is done.

import type { SuppressionRuleInput } from "@footfall/sdk"
import { Box, Text } from "ink"
import type { ReactNode } from "react"
import { sumOf } from "../suppression/changes.ts"
import { ruleTypes } from "../suppression/rule-types.ts"
import type { ListPlan } from "../suppression/run-plan.ts"
import { plainText } from "../terminal/plain-text.ts"
import { counted, countText } from "./figures.ts"
import { Rejections } from "./SuppressionPlanView.tsx"
import { Table, type Column } from "./Table.tsx"

/** The plan, and whether it was carried out. */
export interface SuppressionChangesViewProps {
  readonly plan: ListPlan
  readonly isApplied: boolean
  readonly screenColumns: number
}

/** Rules of each kind that are shown. */
const SHOWN_MAX = 10

/** `+` and `-` say without colour what comes and what goes. */
export const SuppressionChangesView = (props: SuppressionChangesViewProps): ReactNode => {
  const { plan, isApplied, screenColumns } = props
  const { prepared, changes, method, server, organization, types } = plan
  const [additions, removals] = [sumOf(changes.additions), sumOf(changes.removals)]
  const headline =
    method === "none"
      ? "No changes"
      : `${countText(additions)} to add, ${countText(removals)} to remove`
  return (
    <Box flexDirection="column" rowGap={1}>
      <Text>
        <Text bold>{isApplied && method !== "none" ? "Applied: " : ""}</Text>
        <Text bold>{headline}</Text>
        {` · ${counted(prepared.rules, "rule")} wanted for ${plainText(organization)} at ${server}`}
      </Text>
      <Table
        columns={typeColumns(plan)}
        rows={ruleTypes.filter((type) => types === null || types.includes(type))}
        screenColumns={screenColumns}
      />
      <Box flexDirection="column">
        <SomeRules sign="+" color="green" rules={changes.firstAdditions} total={additions} />
        <SomeRules sign="-" color="red" rules={changes.firstRemovals} total={removals} />
      </Box>
      <Rejections prepared={prepared} screenColumns={screenColumns} />
      {method === "none" || isApplied ? null : <Text dimColor>{methodText[method]}</Text>}
    </Box>
  )
}

const methodText = {
  replace: "The list is replaced at once: nobody ever sees half of it.",
  add_and_remove:
    "More than 25,000 rules cannot be replaced at once: rules are added, then removed, request by request. Until it has ended the list is between the two; if it stops, run it again.",
} as const

const typeColumns = ({
  prepared,
  changes,
}: ListPlan): ReadonlyArray<Column<(typeof ruleTypes)[number]>> => [
  { title: "Type", cell: (type) => type },
  { title: "There now", cell: (type) => countText(changes.present[type]), align: "right" },
  { title: "Wanted", cell: (type) => countText(prepared.rulesByType[type]), align: "right" },
  { title: "Add", cell: (type) => countText(changes.additions[type]), align: "right" },
  { title: "Remove", cell: (type) => countText(changes.removals[type]), align: "right" },
]

const SomeRules = (props: {
  readonly sign: "+" | "-"
  readonly color: string
  readonly rules: ReadonlyArray<SuppressionRuleInput>
  readonly total: number
}): ReactNode => {
  const { sign, color, rules, total } = props
  const shown = rules.slice(0, SHOWN_MAX)
  return (
    <>
      {shown.map(({ type, value }) => (
        <Text key={`${type} ${value}`} color={color} wrap="truncate">
          {`${sign} ${type} ${plainText(value)}`}
        </Text>
      ))}
      {total > shown.length ? (
        <Text dimColor>{`${sign} ${countText(total - shown.length)} more`}</Text>
      ) : null}
    </>
  )
}
