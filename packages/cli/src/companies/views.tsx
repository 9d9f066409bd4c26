// One company on a terminal: its facts, people and sessions, and who read how much.

import type { CompanyActivity, CompanyActivityDay, CompanyWithJourney } from "@footfall/sdk"
import { Box, Text } from "ink"
import type { ReactNode } from "react"
import { scoreText } from "../score/explained.ts"
import { plainText } from "../terminal/terminal.ts"
import { Facts } from "../ui/facts.tsx"
import { type Column, Table } from "../ui/table.tsx"
import { counted, countText, dateAndTime } from "../ui/text.ts"
import { SessionTimeline } from "../visitors/views.tsx"

interface CompanyViewProps {
  readonly company: CompanyWithJourney
  readonly now: Date
  readonly screenColumns: number
  /** Default: the time zone of the computer. */
  readonly timeZone?: string
}

/** Unknown facts are left out. */
export const CompanyView = ({ company, screenColumns, timeZone }: CompanyViewProps): ReactNode => (
  <Box flexDirection="column" rowGap={1} width={screenColumns}>
    <Text bold>
      {plainText(company.name ?? company.domain)}
      {company.suppressed ? <Text color="yellow"> (suppressed)</Text> : null}
    </Text>
    <Facts
      facts={[
        ["Domain", company.domain],
        ["Industry", company.industry],
        [
          "Employees",
          company.employeeCount === null ? null : company.employeeCount.toLocaleString("en-US"),
        ],
        ["Revenue", company.totalRevenue],
        ["LinkedIn", company.linkedinUrl],
        ["Location", [company.city, company.state, company.country].filter(Boolean).join(", ")],
        ["Score", scoreText(company.score)],
        ["Owner", company.owner && (company.owner.name ?? company.owner.email)],
        ["Tags", company.tags.join(", ")],
        ["Activity", activityText(company)],
        ["First seen", dateAndTime(company.firstSeenAt, timeZone)],
        ["Last seen", dateAndTime(company.lastSeenAt, timeZone)],
        ["People", peopleText(company)],
      ]}
    />
    <SessionTimeline
      sessions={company.journey.sessions}
      {...(timeZone === undefined ? {} : { timeZone })}
    />
  </Box>
)

const peopleText = ({ people, peopleCount, suppressedPeopleCount }: CompanyWithJourney): string => {
  if (peopleCount === 0 && suppressedPeopleCount > 0) {
    return `${counted(suppressedPeopleCount, "person", "people")}, all suppressed`
  }
  return [
    ...people.map(({ email, fullName }) => fullName ?? email),
    suppressedPeopleCount > 0 && `${suppressedPeopleCount} suppressed`,
  ]
    .filter(Boolean)
    .join(", ")
}

const activityText = (company: CompanyWithJourney): string =>
  [
    `${counted(company.sessions, "session")}, ${company.anonymousSessions} anonymous`,
    counted(company.pageviews, "page"),
    company.pricingPageViews > 0 ? `${company.pricingPageViews} × pricing` : null,
    company.demoPageViews > 0 ? `${company.demoPageViews} × demo` : null,
  ]
    .filter((part) => part !== null)
    .join(" · ")

interface ActivityViewProps {
  readonly activity: CompanyActivity
  readonly screenColumns: number
}

interface Walk {
  readonly who: string
  readonly days: ReadonlyArray<CompanyActivityDay>
}

/** One line for each person, and one for the anonymous visitors of each country. */
export const ActivityView = ({ activity, screenColumns }: ActivityViewProps): ReactNode => {
  const { anonymous, others, people } = activity
  const walks: ReadonlyArray<Walk> = [
    ...people.map(({ days, emailHash, name }) => ({ who: name ?? emailHash.slice(0, 12), days })),
    ...(others.people === 0
      ? []
      : [{ who: `${counted(others.people, "other person", "other people")}`, days: others.days }]),
    ...anonymous.map(({ country, days }) => ({
      who: country === null ? "Anonymous" : `Anonymous, ${country}`,
      days,
    })),
  ]
  if (walks.length === 0) return <Text>No visits in this period.</Text>
  const sum =
    (value: (day: CompanyActivityDay) => number) =>
    ({ days }: Walk) =>
      countText(days.reduce((total, day) => total + value(day), 0))
  const columns: ReadonlyArray<Column<Walk>> = [
    { title: "Who", cell: ({ who }) => who, widthMin: 12 },
    { title: "Days", align: "right", cell: ({ days }) => countText(days.length) },
    { title: "Sessions", align: "right", cell: sum(({ sessions }) => sessions), dropRank: 1 },
    { title: "Pages", align: "right", cell: sum(({ pageviews }) => pageviews) },
    { title: "Pricing", align: "right", cell: sum((day) => day.pricingPageViews) },
    { title: "Demo", align: "right", cell: sum((day) => day.demoPageViews), dropRank: 2 },
    {
      title: "Key pages",
      cell: ({ days }) => [...new Set(days.flatMap(({ keyPages }) => keyPages))].sort().join(", "),
      widthMin: 8,
      widthKept: 20,
      dropRank: 3,
    },
    { title: "Last day", cell: ({ days }) => days.at(-1)?.date ?? "" },
  ]
  return <Table columns={columns} rows={walks} screenColumns={screenColumns} />
}
