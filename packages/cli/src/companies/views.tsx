// One company on a terminal: its facts, people and sessions.

import type { CompanyWithJourney } from "@footfall/sdk"
import { Box, Text } from "ink"
import type { ReactNode } from "react"
import { plainText } from "../terminal/terminal.ts"
import { Facts } from "../ui/facts.tsx"
import { counted, dateAndTime } from "../ui/text.ts"
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
