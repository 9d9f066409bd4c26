// Suppression rules, industries, plans and imports on a terminal.

import type {
  SuppressionIndustry,
  SuppressionIndustryMeta,
  SuppressionListMeta,
  SuppressionRule,
  SuppressionRuleInput,
} from "@footfall/sdk"
import { Box, Text } from "ink"
import type { ReactNode } from "react"
import { plainText } from "../terminal/terminal.ts"
import { type Fact, Facts } from "../ui/facts.tsx"
import { type Empty, EmptyState } from "../ui/list-screen.tsx"
import { Prose } from "../ui/prose.tsx"
import { type Column, Table } from "../ui/table.tsx"
import { counted, countText, timeAgo } from "../ui/text.ts"
import { sumOf } from "./changes.ts"
import type { ImportJournal } from "./import-journal.ts"
import type { Prepared } from "./prepared.ts"
import type { PlanPreview } from "./preview-rules.ts"
import { reasonText, ruleTypes } from "./rule-types.ts"
import type { ListPlan } from "./list-plan.ts"
import { sourceName } from "./source-file.ts"

/** One page of rules. */
interface SuppressionTableProps {
  readonly rules: ReadonlyArray<SuppressionRule>
  readonly meta: SuppressionListMeta
  readonly now: Date
  readonly screenColumns: number
}

/** Never cuts the id, so that people can copy it. */
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
const ruleColumns = (now: Date): ReadonlyArray<Column<SuppressionRule>> => [
  { title: "Type", cell: ({ type }) => type },
  { title: "Value", cell: ({ value }) => value, widthMin: 16, widthKept: 30 },
  { title: "Added", cell: ({ createdAt }) => timeAgo(createdAt, now), align: "right", dropRank: 1 },
  { title: "Id", cell: ({ id }) => id, dropRank: 2 },
]

const emptyOf = ({ total, filteredTotal }: SuppressionListMeta): Empty => {
  if (filteredTotal > 0) return { message: "There are no more rules." }
  return total === 0
    ? {
        message: "There are no suppression rules yet.",
        next: "Run: footfall suppression add <type> <value>",
      }
    : {
        message: `None of the ${counted(total, "rule")} matches.`,
        next: "Try other values, or leave out --type and --search",
      }
}

const footer = (shown: number, meta: SuppressionListMeta): string => {
  const { filteredTotal, total, counts, hasMore } = meta
  const found = counted(filteredTotal, "rule")
  const isFiltered = filteredTotal < total
  return [
    shown < filteredTotal ? `${countText(shown)} of ${found}` : found,
    isFiltered ? `${countText(total)} in total` : null,
    ...ruleTypes.map((type) => (counts[type] === 0 ? null : `${type} ${countText(counts[type])}`)),
    hasMore ? "more: --limit, or --all" : null,
  ]
    .filter((part) => part !== null)
    .join(" · ")
}

/** What is known about the person, and the rules that match now. */
interface SuppressionWhyViewProps {
  /** How the user identified the person. */
  readonly name: string
  /** Whether a visitor has this address; without one, only the rules are known. */
  readonly known: boolean
  readonly suppressed: boolean
  readonly rules: ReadonlyArray<SuppressionRule>
  readonly now: Date
  readonly screenColumns: number
}

/** The visitor's `suppressed` field is updated by the next sync cycle (spec 2.6). */
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
            ? "No visitor has this email address yet. These rules will apply when one does."
            : "No visitor has this email address, and no rule for an address or a domain matches it."}
        </Text>
      )}
      {isMatched && !suppressed ? (
        <Text>These rules match and take effect in the next sync cycle.</Text>
      ) : null}
      {suppressed && !isMatched ? (
        <Text>No rule matches anymore, so suppression ends with the next sync cycle.</Text>
      ) : null}
    </Box>
  )
}

/** The server's data about industries. */
interface IndustryTableProps {
  readonly industries: ReadonlyArray<SuppressionIndustry>
  readonly meta: SuppressionIndustryMeta
  readonly screenColumns: number
}

/** Suppressed ones are dim, and say so in text. */
export const IndustryTable = ({ industries, meta, screenColumns }: IndustryTableProps): ReactNode =>
  industries.length === 0 ? (
    <EmptyState
      message="There are no industries yet: none of the identified visitors has one."
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

/** The plan and the available width. */
interface SuppressionPlanViewProps {
  readonly server: string
  readonly organization: string
  readonly prepared: Prepared
  readonly preview: PlanPreview | null
  readonly screenColumns: number
}

/** The most important part is last, right above the question. */
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

/** Rejected rows by reason, and the file that lists them. */
const Rejections = (props: {
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
        <Text key={place} dimColor>{`Full list with line numbers: ${plainText(place)}`}</Text>
      ))}
    </Box>
  )
}

/** Rows with an invisible problem are listed, up to this number. */
const NAMED_MAX = 5

const readingFacts = ({ files, rows, repeated }: Prepared): ReadonlyArray<Fact> => [
  ...files.map((file): Fact => [
    sourceName(file.file),
    `${counted(file.rows, "row")}: ${file.reading}`,
  ]),
  ["Total rows", files.length > 1 ? countText(rows) : null],
  ["Repeated", repeated === 0 ? null : `${counted(repeated, "row")}, sent once`],
]

const effectFacts = ({ rules }: Prepared, preview: PlanPreview | null): ReadonlyArray<Fact> => {
  if (rules === 0) return []
  if (preview === null) {
    return [["Not checked", "new rules and affected people: that would take too many requests"]]
  }
  const { affectedVisitors, isExact } = preview
  const atMost = isExact || affectedVisitors === 0 ? "" : "at most "
  const count = counted(affectedVisitors, "visitor")
  return [["Suppresses", `${atMost}${count} from the last 30 days who are not suppressed yet`]]
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
    title: "Already exist",
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

/** The plan, and whether it was applied. */
interface SuppressionChangesViewProps {
  readonly plan: ListPlan
  readonly isApplied: boolean
  readonly screenColumns: number
}

/** Rules shown of each kind. */
const SHOWN_MAX = 10

/** `+` and `-` show additions and removals without color. */
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
        {` · ${counted(prepared.rules, "rule")} in the file for ${plainText(organization)} at ${server}`}
      </Text>
      <Table
        columns={changeColumns(plan)}
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
  replace: "The list is replaced in one step.",
  add_and_remove:
    "More than 25,000 rules cannot be replaced in one step. Rules are added, then removed, in several requests. If it stops, run it again.",
} as const

const changeColumns = ({
  prepared,
  changes,
}: ListPlan): ReadonlyArray<Column<(typeof ruleTypes)[number]>> => [
  { title: "Type", cell: (type) => type },
  { title: "Now", cell: (type) => countText(changes.present[type]), align: "right" },
  { title: "In the file", cell: (type) => countText(prepared.rulesByType[type]), align: "right" },
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

/** The last state of the import. */
interface SuppressionImportViewProps {
  readonly prepared: Prepared
  readonly sent: ImportJournal
  readonly rulesResumedFrom: number
  readonly screenColumns: number
}

/** Says the same without color. */
export const SuppressionImportView = (props: SuppressionImportViewProps): ReactNode => {
  const { prepared, sent, rulesResumedFrom, screenColumns } = props
  const rejected = prepared.rejectedCount + sent.refusedCount
  return (
    <Box flexDirection="column" rowGap={1}>
      <Text>
        <Text bold>{counted(prepared.rows, "row")}</Text>
        <Text color={rejected === 0 ? "green" : "yellow"}>
          {rejected === 0 ? ": all imported" : `: ${countText(rejected)} rejected`}
        </Text>
      </Text>
      <Facts
        facts={[
          ["Added", countText(sent.added)],
          ["Already exist", countText(sent.duplicates)],
          ["Repeated", prepared.repeated === 0 ? null : countText(prepared.repeated)],
          ["Total rules", sent.total === null ? null : countText(sent.total)],
          ["Resumed", rulesResumedFrom === 0 ? null : `after ${countText(rulesResumedFrom)} rules`],
          [
            "Refused",
            sent.refusedCount === 0 ? null : `${countText(sent.refusedCount)} by the server only`,
          ],
        ]}
      />
      <Rejections prepared={prepared} screenColumns={screenColumns} />
      {sent.added === 0 ? null : <Text dimColor>They take effect in the next sync cycle.</Text>}
    </Box>
  )
}
