// What an import of rules would do: how the files were read, how many rules of each type are new, what is
// rejected and why, and how many visitors it concerns.

import { Box, Text } from "ink"
import type { ReactNode } from "react"
import type { Prepared } from "../suppression/prepared.ts"
import type { PlanPreview } from "../suppression/preview-rules.ts"
import { reasonText } from "../suppression/reasons.ts"
import { ruleTypes } from "../suppression/rule-types.ts"
import { sourceName } from "../suppression/source-file.ts"
import { plainText } from "../terminal/plain-text.ts"
import { Facts, type Fact } from "./Facts.tsx"
import { counted, countText } from "./figures.ts"
import { Table, type Column } from "./Table.tsx"

/** The plan and the width there is. */
export interface SuppressionPlanViewProps {
  readonly server: string
  readonly organization: string
  readonly prepared: Prepared
  readonly preview: PlanPreview | null
  readonly screenColumns: number
}

/** The most important last, where the question is asked. */
export const SuppressionPlanView = (props: SuppressionPlanViewProps): ReactNode => {
  const { server, organization, prepared, preview, screenColumns } = props
  return (
    <Box flexDirection="column" rowGap={1}>
      <Text>
        <Text bold>{counted(prepared.rules, "rule")}</Text>
        {` for ${plainText(organization)} at ${server}`}
      </Text>
      <Facts facts={[...readingFacts(prepared), ...effectFacts(prepared, preview)]} />
      <Table
        columns={typeColumns(preview !== null)}
        rows={typeRows(prepared, preview)}
        screenColumns={screenColumns}
      />
      <Rejections prepared={prepared} screenColumns={screenColumns} />
    </Box>
  )
}

/** Rows that are no rules, by reason, and where they are. */
export const Rejections = (props: {
  readonly prepared: Prepared
  readonly screenColumns: number
}): ReactNode => {
  const { prepared, screenColumns } = props
  const { rejected, rejectedByReason, rejectedCount, files } = prepared
  if (rejectedCount === 0) return null
  const reasons = Object.entries(rejectedByReason).map(([reason, rows = 0]) => ({ reason, rows }))
  const places = files.flatMap(({ rejectedFile }) => rejectedFile ?? [])
  return (
    <Box flexDirection="column">
      <Table
        columns={reasonColumns}
        rows={reasons.toSorted((one, other) => other.rows - one.rows)}
        screenColumns={screenColumns}
      />
      {rejected
        .filter(({ message }) => message !== undefined)
        .slice(0, NAMED_MAX)
        .map(({ file, line, message = "", value }) => (
          <Text key={`${file} ${line}`}>
            {`${plainText(sourceName(file))}, line ${line}: "${plainText(value)}": ${message}`}
          </Text>
        ))}
      {places.map((place) => (
        <Text key={place} dimColor>{`All of them, with their lines: ${plainText(place)}`}</Text>
      ))}
    </Box>
  )
}

/** Rows whose fault nobody can see are shown one by one, up to this count. */
const NAMED_MAX = 5

const readingFacts = ({ files, rows, repeated }: Prepared): ReadonlyArray<Fact> => [
  ...files.map((file): Fact => [
    sourceName(file.file),
    `${counted(file.rows, "row")}: ${file.reading}`,
  ]),
  ["Rows in all", files.length > 1 ? countText(rows) : null],
  ["Repeated", repeated === 0 ? null : `${counted(repeated, "row")}, sent once`],
]

const effectFacts = ({ rules }: Prepared, preview: PlanPreview | null): ReadonlyArray<Fact> => {
  if (rules === 0) return []
  if (preview === null) {
    return [["Not asked", "what is new and whom it concerns: it takes too many requests"]]
  }
  const { affectedVisitors, isExact } = preview
  const atMost = isExact || affectedVisitors === 0 ? "" : "at most "
  const count = counted(affectedVisitors, "visitor")
  return [["Suppresses", `${atMost}${count} of the last 30 days, not suppressed so far`]]
}

interface TypeRow {
  readonly type: string
  readonly rules: number
  readonly isNew: number | null
  readonly rejected: number
  readonly affected: number | null
}

const typeRows = (prepared: Prepared, preview: PlanPreview | null): ReadonlyArray<TypeRow> => {
  const { rulesByType, rejectedByType } = prepared
  const known = ruleTypes.map((type) => ({
    type,
    rules: rulesByType[type],
    isNew: preview?.newByType[type] ?? null,
    rejected: rejectedByType[type] ?? 0,
    affected: preview?.affectedByType[type] ?? null,
  }))
  const knownRejected = known.reduce((sum, { rejected }) => sum + rejected, 0)
  const other = prepared.rejectedCount - knownRejected
  return [
    ...known.filter(({ rules, rejected }) => rules > 0 || rejected > 0),
    ...(other === 0
      ? []
      : [{ type: "(no type)", rules: 0, isNew: null, rejected: other, affected: null }]),
  ]
}

const typeColumns = (isPreviewed: boolean): ReadonlyArray<Column<TypeRow>> => [
  { title: "Type", cell: ({ type }) => type },
  { title: "Rules", cell: ({ rules }) => countText(rules), align: "right" },
  ...(isPreviewed ? previewColumns : []),
  { title: "Rejected", cell: ({ rejected }) => countText(rejected), align: "right" },
]

const previewColumns: ReadonlyArray<Column<TypeRow>> = [
  { title: "New", cell: ({ isNew }) => (isNew === null ? "" : countText(isNew)), align: "right" },
  {
    title: "There already",
    cell: ({ rules, isNew }) => (isNew === null ? "" : countText(rules - isNew)),
    align: "right",
    dropRank: 1,
  },
  {
    title: "Visitors",
    cell: ({ affected }) => (affected === null ? "" : countText(affected)),
    align: "right",
    dropRank: 2,
  },
]

const reasonColumns: ReadonlyArray<Column<{ readonly reason: string; readonly rows: number }>> = [
  { title: "Rejected", cell: ({ rows }) => countText(rows), align: "right" },
  { title: "Why", cell: ({ reason }) => reasonText(reason), widthMin: 12 },
]
