// One visitor on a terminal: who they are, what they did, where they came from, and their sessions
// as a timeline, newest first.

import type { VisitorWithJourney } from "@footfall/sdk"
import { Box, Text } from "ink"
import type { ReactNode } from "react"
import { plainText } from "../terminal/plain-text.ts"
import { Facts, type Fact } from "./Facts.tsx"
import { counted } from "./figures.ts"
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
      <Facts facts={visitorFacts(props)} />
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

const visitorFacts = (props: VisitorViewProps): ReadonlyArray<Fact> => {
  const { visitor, now, timeZone } = props
  const { firstTouch, lastTouch } = visitor.journey
  const seen = (at: string): string => {
    const ago = timeAgo(at, now)
    return at.startsWith(ago) ? dateAndTime(at, timeZone) : `${dateAndTime(at, timeZone)} (${ago})`
  }
  return [
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
}

const joined = (...parts: ReadonlyArray<string | null>): string =>
  parts.filter((part) => part !== null).join(", ")

const phoneText = ({ phones, phonesDnc }: VisitorWithJourney): string =>
  phones.length > 0 && phonesDnc ? `${phones.join(", ")} (do not call)` : phones.join(", ")

const companyText = (visitor: VisitorWithJourney): string => {
  const { companyDomain, industry, companyEmployeeCount, companyTotalRevenue } = visitor
  const people = companyEmployeeCount === null ? null : counted(companyEmployeeCount, "employee")
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
