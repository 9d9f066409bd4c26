// One visitor on a terminal: who they are, what they did, where they came from, and their sessions
// as a timeline, newest first.

import type { VisitorWithJourney } from "@footfall/sdk"
import { Box, Text } from "ink"
import type { ReactNode } from "react"
import { plainText } from "../terminal/plain-text.ts"
import { SessionTimeline } from "./SessionTimeline.tsx"
import { dateAndTime, timeAgo } from "./time.ts"
import { touchText } from "./touch-text.ts"

/** A visitor with their journey. */
export interface VisitorViewProps {
  readonly visitor: VisitorWithJourney
  readonly now: Date
  readonly screenColumns: number
  /** Default: the time zone of the computer. */
  readonly timeZone?: string
}

/** Facts that are not known have no line. */
export const VisitorView = (props: VisitorViewProps): ReactNode => {
  const { visitor, screenColumns } = props
  return (
    <Box flexDirection="column" rowGap={1} width={screenColumns}>
      <Heading visitor={visitor} />
      <Box flexDirection="column">
        {facts(props).map(([label, value]) => (
          <Fact key={label} label={label} value={value} />
        ))}
      </Box>
      <SessionTimeline {...props} sessions={visitor.journey.sessions} />
    </Box>
  )
}

const Heading = ({ visitor }: Pick<VisitorViewProps, "visitor">): ReactNode => {
  const name = visitor.fullName ?? visitor.email ?? "Known by hash alone"
  const role = [visitor.jobTitle, visitor.companyName].filter((part) => part !== null).join(", ")
  return (
    <Box flexDirection="column">
      <Text bold>
        {plainText(name)}
        {visitor.suppressed ? <Text color="yellow"> (suppressed)</Text> : null}
      </Text>
      {role === "" ? null : <Text>{plainText(role)}</Text>}
    </Box>
  )
}

/** Width of the labels, so that the values stand in one column. */
const LABEL_WIDTH = 13

const Fact = ({ label, value }: { readonly label: string; readonly value: string }): ReactNode => (
  <Box>
    <Box width={LABEL_WIDTH} flexShrink={0}>
      <Text dimColor>{label}</Text>
    </Box>
    <Text>{plainText(value)}</Text>
  </Box>
)

/** Label and value of each line; a label is used once. */
const facts = (props: VisitorViewProps): ReadonlyArray<readonly [string, string]> => {
  const { visitor, now, timeZone } = props
  const { firstTouch, lastTouch } = visitor.journey
  const seen = (at: string): string => {
    const ago = timeAgo(at, now)
    return at.startsWith(ago) ? dateAndTime(at, timeZone) : `${dateAndTime(at, timeZone)} (${ago})`
  }
  const lines: ReadonlyArray<readonly [string, string | null]> = [
    ["Email", visitor.emails.join(", ")],
    ["Phone", phoneText(visitor)],
    ["LinkedIn", visitor.linkedinUrl],
    ["Role", joined(visitor.seniority, visitor.department)],
    ["Company", companyText(visitor)],
    ["Place", joined(visitor.city, visitor.state, visitor.country)],
    ["Activity", activityText(visitor)],
    ["First seen", seen(visitor.firstSeenAt)],
    ["Last seen", seen(visitor.lastSeenAt)],
    ["Came by", firstTouch === null ? null : touchText(firstTouch)],
    ["Last by", lastTouch === null ? null : touchText(lastTouch)],
    ["Attribution", attributionText(visitor)],
    ["Hash", visitor.emailHash],
  ]
  return lines.flatMap(([label, value]) => (value ? [[label, value] as const] : []))
}

const joined = (...parts: ReadonlyArray<string | null>): string =>
  parts.filter((part) => part !== null).join(", ")

const phoneText = ({ phones, phonesDnc }: VisitorWithJourney): string =>
  phones.length > 0 && phonesDnc ? `${phones.join(", ")} (do not call)` : phones.join(", ")

const companyText = (visitor: VisitorWithJourney): string => {
  const { companyDomain, industry, companyEmployeeCount, companyTotalRevenue } = visitor
  const people = companyEmployeeCount === null ? null : `${companyEmployeeCount} employees`
  return [companyDomain, industry, people, companyTotalRevenue]
    .filter((part) => part !== null)
    .join(" · ")
}

const activityText = (visitor: VisitorWithJourney): string =>
  [
    count(visitor.sessions, "session"),
    count(visitor.pageviews, "page"),
    visitor.pricingPageViews > 0 ? `${visitor.pricingPageViews} × pricing` : null,
    visitor.demoPageViews > 0 ? `${visitor.demoPageViews} × demo` : null,
  ]
    .filter((part) => part !== null)
    .join(" · ")

const attributionText = ({ customAttribution }: VisitorWithJourney): string =>
  Object.entries(customAttribution)
    .map(([name, value]) => `${name}=${value}`)
    .join(", ")

const count = (number: number, noun: string): string =>
  `${number} ${noun}${number === 1 ? "" : "s"}`
