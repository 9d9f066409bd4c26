// Suppression rules, industries, plans and imports on a terminal.

import type {
  AppliedFileImport,
  FileImportPlan,
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
import { reasonText, ruleTypes } from "./rule-types.ts"
import type { ServerPlan } from "./server-plan.ts"
import { sourceName } from "./source.ts"

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

/** The file or the source, or else the member. */
const originText = ({ origin }: SuppressionRule): string =>
  plainText(origin?.name ?? origin?.member ?? "")

/** Columns of any table of rules. */
const ruleColumns = (now: Date): ReadonlyArray<Column<SuppressionRule>> => [
  { title: "Type", cell: ({ type }) => type },
  { title: "Value", cell: ({ value }) => value, widthMin: 16, widthKept: 30 },
  { title: "From", cell: originText, dropRank: 3 },
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

/** The plan of an import, and where it would be applied. */
interface SuppressionPlanViewProps extends ServerPlan {
  readonly server: string
  readonly organization: string
  readonly screenColumns: number
}

/** The most important part is last, right above the question. */
export const SuppressionPlanView = (props: SuppressionPlanViewProps): ReactNode => {
  const { server, organization, plan, screenColumns } = props
  return (
    <Box flexDirection="column" rowGap={1}>
      <Text>
        <Text bold>{counted(plan.rules, "rule")}</Text>
        {` for ${plainText(organization)} at ${server}`}
      </Text>
      <Facts facts={[...readingFacts(props), ...effectFacts(plan)]} />
      <Table columns={typeColumns(plan)} rows={typeRows(plan)} screenColumns={screenColumns} />
      <Rejections {...props} />
    </Box>
  )
}

/** Rejected rows by reason, and the file that lists them. */
export const Rejections = (props: ServerPlan & { readonly screenColumns: number }): ReactNode => {
  const { files, plan, screenColumns } = props
  if (plan.rejected === 0) return null
  return (
    <Box flexDirection="column">
      <Table
        columns={reasonColumns}
        rows={plan.rejectedByReason.toSorted((one, other) => other.rows - one.rows)}
        screenColumns={screenColumns}
      />
      {plan.rejectedRows
        .filter(({ message }) => message !== undefined)
        .slice(0, NAMED_MAX)
        .map(({ file, line, message = "", value }) => (
          <Text key={`${file} ${line}`}>
            {`${plainText(sourceName(files[file]!.file))}, line ${line}: "${plainText(value)}": ${message}`}
          </Text>
        ))}
      {files.map(({ rejectedFile }, index) =>
        rejectedFile === null ? null : (
          <Text key={rejectedFile} dimColor>
            {`${listed(plan.files[index]!.rejected)} with line numbers: ${plainText(rejectedFile)}`}
          </Text>
        ),
      )}
    </Box>
  )
}

/** Rows with an invisible problem are listed, up to this number. */
const NAMED_MAX = 5

/** The server keeps this many rejected rows of a file. */ // spec 5.16
const REJECTED_MAX = 100_000

const listed = (rejected: number): string =>
  rejected > REJECTED_MAX ? `The first ${countText(REJECTED_MAX)}` : "Full list"

export const readingFacts = ({ files, plan }: ServerPlan): ReadonlyArray<Fact> => [
  ...plan.files.map(({ reading, rows }, index): Fact => [
    sourceName(files[index]!.file),
    `${counted(rows, "row")}: ${reading}`,
  ]),
  ["Total rows", plan.files.length > 1 ? countText(plan.rows) : null],
  ["Repeated", plan.repeated === 0 ? null : `${counted(plan.repeated, "row")}, counted once`],
]

const effectFacts = ({ affected, rules }: FileImportPlan): ReadonlyArray<Fact> => {
  if (rules === 0) return []
  if (affected === null) return [["Not counted", "affected people, because the files are large"]]
  const count = counted(affected.visitors, "visitor")
  return [["Suppresses", `${count} from the last 30 days who are not suppressed yet`]]
}

interface TypeRow {
  readonly type: string
  readonly rules: number
  readonly isNew: number
  readonly rejected: number
  readonly affected: number
}

const typeRows = ({ affected, byType, rejected }: FileImportPlan): ReadonlyArray<TypeRow> => {
  const known = ruleTypes.map((type) => ({
    type,
    rules: byType.rules[type],
    isNew: byType.new[type],
    rejected: byType.rejected[type],
    affected: affected?.byType[type] ?? 0,
  }))
  const other = rejected - known.reduce((sum, row) => sum + row.rejected, 0)
  return [
    ...known.filter((row) => row.rules > 0 || row.rejected > 0),
    ...(other === 0
      ? []
      : [{ type: "(no type)", rules: 0, isNew: 0, rejected: other, affected: 0 }]),
  ]
}

const typeColumns = ({ affected }: FileImportPlan): ReadonlyArray<Column<TypeRow>> => [
  { title: "Type", cell: ({ type }) => type },
  { title: "Rules", cell: ({ rules }) => countText(rules), align: "right" },
  { title: "New", cell: ({ isNew }) => countText(isNew), align: "right" },
  {
    title: "Already exist",
    cell: ({ rules, isNew }) => countText(rules - isNew),
    align: "right",
    dropRank: 1,
  },
  ...(affected === null ? [] : [visitorsColumn]),
  { title: "Rejected", cell: ({ rejected }) => countText(rejected), align: "right" },
]

const visitorsColumn: Column<TypeRow> = {
  title: "Visitors",
  cell: ({ affected }) => countText(affected),
  align: "right",
  dropRank: 2,
}

const reasonColumns: ReadonlyArray<Column<{ readonly reason: string; readonly rows: number }>> = [
  { title: "Rejected", cell: ({ rows }) => countText(rows), align: "right" },
  { title: "Why", cell: ({ reason }) => reasonText(reason), widthMin: 12 },
]

/** The plan of a list, and whether it was applied. */
interface SuppressionChangesViewProps extends ServerPlan {
  readonly server: string
  readonly organization: string
  readonly isApplied: boolean
  readonly screenColumns: number
}

/** `+` and `-` show additions and removals without color. */
export const SuppressionChangesView = (props: SuppressionChangesViewProps): ReactNode => {
  const { isApplied, organization, plan, screenColumns, server } = props
  const hasChanges = plan.new + plan.removed > 0
  return (
    <Box flexDirection="column" rowGap={1}>
      <Text>
        <Text bold>{isApplied && hasChanges ? "Applied: " : ""}</Text>
        <Text bold>
          {hasChanges
            ? `${countText(plan.new)} to add, ${countText(plan.removed)} to remove`
            : "No changes"}
        </Text>
        {` · ${counted(plan.rules, "rule")} in the file for ${plainText(organization)} at ${server}`}
      </Text>
      <Table
        columns={changeColumns(plan)}
        rows={ruleTypes.filter((type) => plan.types === null || plan.types.includes(type))}
        screenColumns={screenColumns}
      />
      <Box flexDirection="column">
        <SomeRules sign="+" color="green" rules={plan.sample.new} total={plan.new} />
        <SomeRules sign="-" color="red" rules={plan.sample.removed} total={plan.removed} />
      </Box>
      <Rejections {...props} />
    </Box>
  )
}

const changeColumns = ({
  byType,
}: FileImportPlan): ReadonlyArray<Column<(typeof ruleTypes)[number]>> => [
  { title: "Type", cell: (type) => type },
  { title: "Now", cell: (type) => countText(byType.stored[type]), align: "right" },
  { title: "In the file", cell: (type) => countText(byType.rules[type]), align: "right" },
  { title: "Add", cell: (type) => countText(byType.new[type]), align: "right" },
  { title: "Remove", cell: (type) => countText(byType.removed[type]), align: "right" },
]

const SomeRules = (props: {
  readonly sign: "+" | "-"
  readonly color: string
  readonly rules: ReadonlyArray<SuppressionRuleInput>
  readonly total: number
}): ReactNode => {
  const { sign, color, rules, total } = props
  return (
    <>
      {rules.map(({ type, value }) => (
        <Text key={`${type} ${value}`} color={color} wrap="truncate">
          {`${sign} ${type} ${plainText(value)}`}
        </Text>
      ))}
      {total > rules.length ? (
        <Text dimColor>{`${sign} ${countText(total - rules.length)} more`}</Text>
      ) : null}
    </>
  )
}

/** The result of an import. */
interface SuppressionImportViewProps extends ServerPlan {
  readonly applied: AppliedFileImport
  readonly screenColumns: number
}

/** Says the same without color. */
export const SuppressionImportView = (props: SuppressionImportViewProps): ReactNode => {
  const { applied, plan } = props
  const { present, rejected, repeated, rows } = plan
  return (
    <Box flexDirection="column" rowGap={1}>
      <Text>
        <Text bold>{counted(rows, "row")}</Text>
        <Text color={rejected === 0 ? "green" : "yellow"}>
          {rejected === 0 ? ": all imported" : `: ${countText(rejected)} rejected`}
        </Text>
      </Text>
      <Facts
        facts={[
          ["Added", countText(applied.added)],
          ["Already exist", countText(present)],
          ["Repeated", repeated === 0 ? null : countText(repeated)],
          ["Total rules", countText(applied.total)],
        ]}
      />
      <Rejections {...props} />
      {applied.added === 0 ? null : <Text dimColor>They take effect in the next sync cycle.</Text>}
    </Box>
  )
}
