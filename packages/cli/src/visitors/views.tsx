// The list of visitors, one visitor, and sessions on a terminal.

import { readablePage } from "@footfall/normal-form/page"
import type {
  SessionSummary,
  Touch,
  Visitor,
  VisitorListMeta,
  VisitorQueryMeta,
  VisitorWithJourney,
} from "@footfall/sdk"
import { Box, Text } from "ink"
import type { OfKind } from "@footfall/normal-form/rule-fields"
import type { ReactNode } from "react"
import { scoreText } from "../score/explained.ts"
import { plainText } from "../terminal/terminal.ts"
import { shortId } from "./session.ts"
import { fieldTypeNames, ofKindOf, operatorsOf, ruleFields } from "../segments/rule.ts"
import { type Fact, Facts } from "../ui/facts.tsx"
import { EmptyState, shownOf } from "../ui/list-screen.tsx"
import { Prose } from "../ui/prose.tsx"
import { type Column, Table } from "../ui/table.tsx"
import { counted, dateAndTime, duration, timeAgo } from "../ui/text.ts"

/** For example `email · newsletter / spring-launch` or `referral · search.example`. */
const touchText = (
  touch: Pick<SessionSummary, "channel" | "utmSource" | "utmCampaign"> &
    Partial<Pick<Touch, "referrerDomain">>,
): string => {
  const campaign = [touch.utmSource, touch.utmCampaign].filter((part) => part !== null).join(" / ")
  const origin = campaign === "" ? (touch.referrerDomain ?? "") : campaign
  const channel = touch.channel.replaceAll("_", " ")
  return origin === "" ? channel : `${channel} · ${origin}`
}

/** The metadata of a page. A query may lack the count, and has no scope. */
type VisitorTableMeta = Omit<VisitorListMeta, "scope" | "total"> &
  Partial<Pick<VisitorListMeta, "scope">> &
  Pick<VisitorQueryMeta, "total"> & {
    /** Suggestions for the values of a rule that matches no one. */
    readonly meanings?: ReadonlyArray<string>
  }

/** One page of visitors. */
interface VisitorTableProps {
  readonly visitors: ReadonlyArray<Visitor>
  readonly meta: VisitorTableMeta
  /** The window in words, for example `in the last 7 days`. */
  readonly window: string
  /** With `score`, the table shows the scores. */
  readonly sort?: "last_seen" | "score"
  readonly now: Date
  readonly screenColumns: number
}

/** Says the same without color. */
export const VisitorTable = (props: VisitorTableProps): ReactNode => {
  const { visitors, meta, window, now, screenColumns, sort } = props
  if (visitors.length === 0) return <EmptyList meta={meta} window={window} now={now} />
  return (
    <Box flexDirection="column" rowGap={1}>
      <Table
        columns={visitorColumns(now, screenColumns, sort)}
        rows={visitors}
        screenColumns={screenColumns}
        isDim={(visitor) => visitor.suppressed}
      />
      <Footer meta={meta} window={window} count={visitors.length} />
    </Box>
  )
}

/** Other columns are cut before the address, because `visitors get` takes the address. */
const emailWidthKept = (screenColumns: number): number =>
  Math.max(20, Math.floor(screenColumns * 0.5))

const visitorColumns = (
  now: Date,
  screenColumns: number,
  sort: VisitorTableProps["sort"],
): ReadonlyArray<Column<Visitor>> => [
  { title: "Email", cell: emailCell, widthMin: 19, widthKept: emailWidthKept(screenColumns) },
  ...(sort === "score" ? [{ title: "Score", cell: scoreCell }] : []),
  { title: "Person", cell: personCell, widthMin: 10, widthKept: 12, dropRank: 5 },
  { title: "Company", cell: companyCell, widthMin: 8, widthKept: 12, dropRank: 1 },
  { title: "Job", cell: jobCell, widthMin: 8, widthKept: 14, dropRank: 2 },
  { title: "Sessions", cell: ({ sessions }) => `${sessions}`, align: "right", dropRank: 4 },
  { title: "Pages", cell: ({ pageviews }) => `${pageviews}`, align: "right", dropRank: 3 },
  { title: "Interest", cell: interestCell, color: "cyan", widthMin: 8, widthKept: 12 },
  { title: "Last seen", cell: ({ lastSeenAt }) => timeAgo(lastSeenAt, now), align: "right" },
]

const scoreCell = ({ score }: Visitor): string => scoreText(score) ?? ""

const personCell = ({ fullName }: Visitor): string => fullName ?? ""

const companyCell = ({ companyName }: Visitor): string => companyName ?? ""

const jobCell = ({ jobTitle }: Visitor): string => jobTitle ?? ""

/** People known by hash only have no address; the start of the hash tells them apart. */
const emailCell = ({ email, emailHash }: Visitor): string => email ?? `#${emailHash.slice(0, 12)}`

/** Whether the visitor is suppressed, and what the visits were about. */
const interestCell = ({ pricingPageViews, demoPageViews, suppressed }: Visitor): string =>
  [suppressed && "suppressed", pricingPageViews > 0 && "pricing", demoPageViews > 0 && "demo"]
    .filter((word) => word !== false)
    .join(" ")

const Footer = ({
  meta,
  window,
  count,
}: {
  readonly meta: VisitorTableMeta
  readonly window: string
  readonly count: number
}): ReactNode => {
  const shown = shownOf(count, meta, ["visitor", "visitors"])
  return (
    <Box flexDirection="column">
      <Prose dimColor>
        {`${shown} ${window}${meta.hasMore ? ` · more: ${howToSeeMore(meta)}, or --all` : ""}`}
      </Prose>
      {meta.coverage?.partial ? (
        <Text color="yellow">Some data of this timeframe has not been processed yet.</Text>
      ) : null}
    </Box>
  )
}

/** A page that was cut has no next page. A higher limit shows the rest. */
const howToSeeMore = ({ nextCursor, page }: VisitorTableMeta): string =>
  nextCursor === null ? "a higher --limit" : `--page ${page + 1}`

const EmptyList = ({
  meta,
  window,
  now,
}: Pick<VisitorTableProps, "meta" | "window" | "now">): ReactNode => (
  <Box flexDirection="column">
    <EmptyState message={`No visitors ${window}.`} next={emptyReason(meta, now)} />
    {(meta.meanings ?? []).map((text) => (
      <Prose key={text}>{text}</Prose>
    ))}
  </Box>
)

const emptyReason = ({ scope, page }: VisitorTableMeta, now: Date): string => {
  if (page > 1) return "There are no visitors on this page. Try: --page 1"
  if (scope === undefined)
    return "No one matches the rule. Try a longer --window, or fewer conditions."
  if (scope.pixels === 0) return "No pixel matches. Run: footfall pixels list"
  if (scope.activePixels === 0) return "Every pixel here is paused. Run: footfall pixels list"
  if (scope.lastEventAt === null) return "No event has arrived yet. Is the pixel on the page?"
  return `The last event arrived ${timeAgo(scope.lastEventAt, now)}. Try: --timeframe all`
}

const ofText = (field: string): string => {
  const kind = ofKindOf(field)
  return kind === undefined ? "" : ofTexts[kind]
}

const ofTexts: Readonly<Record<OfKind, string>> = {
  event: " of EVENT",
  property: " of EVENT.PROPERTY",
  path: " of PATH",
  topic: " [of TOPIC_ID]",
}

/** The fields of rules, below the operators of their type. */
export const RuleFieldsView = ({
  screenColumns,
}: {
  readonly screenColumns: number
}): ReactNode => (
  <Box flexDirection="column" rowGap={1} width={screenColumns}>
    {fieldTypeNames.map((type) => (
      <Box key={type} flexDirection="column">
        <Text bold>{type}</Text>
        <Prose dimColor>{operatorsOf(type).join(", ")}</Prose>
        {ruleFields
          .filter((one) => one.type === type)
          .map(({ field }) => (
            <Text key={field}>{`  ${field}${ofText(field)}`}</Text>
          ))}
      </Box>
    ))}
    <Prose dimColor>
      {"texts: every value seen in the window. datetime: a date; with within, a span such as 14d. " +
        "property: a text or a number. numbers: ids of topics. " +
        "For example: footfall visitors query --where 'company.seniority in vp,director' " +
        "--where 'behavior.path_views of /pricing gte 2'"}
    </Prose>
  </Box>
)

/** A visitor with their journey. */
interface VisitorViewProps {
  readonly visitor: VisitorWithJourney
  readonly now: Date
  readonly screenColumns: number
  /** Default: the time zone of the computer. */
  readonly timeZone?: string
}

/** Unknown facts are left out. */
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
  const name = visitor.fullName ?? visitor.email ?? "Known only by hash"
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
    ["Location", joined(visitor.city, visitor.state, visitor.country)],
    ["Score", scoreText(visitor.score)],
    ["Owner", visitor.owner && (visitor.owner.name ?? visitor.owner.email)],
    ["Tags", visitor.tags.join(", ")],
    ["Activity", activityText(visitor)],
    ["First seen", seen(visitor.firstSeenAt)],
    ["Last seen", seen(visitor.lastSeenAt)],
    ["First visit", firstTouch === null ? null : touchText(firstTouch)],
    ["Last visit", lastTouch === null ? null : touchText(lastTouch)],
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

/** A journey has at most 50 sessions. */
interface SessionTimelineProps {
  readonly sessions: ReadonlyArray<SessionSummary>
  /** Default: the time zone of the computer. */
  readonly timeZone?: string
}

/** The line on the left connects the sessions and ends with the last one. */
export const SessionTimeline = ({ sessions, timeZone }: SessionTimelineProps): ReactNode =>
  sessions.length === 0 ? (
    <Text dimColor>No sessions in this timeframe.</Text>
  ) : (
    <Box flexDirection="column">
      {sessions.map((session, index) => (
        <Box key={session.sessionId} flexDirection="column">
          <Text wrap="truncate">
            <Text color={session.converted ? "green" : "cyan"}>● </Text>
            <Text bold>{dateAndTime(session.startTime, timeZone)}</Text>
            <Text dimColor>{`  ${shortId(session)}  ${sessionFacts(session)}`}</Text>
          </Text>
          <Text wrap="truncate">
            <Text dimColor>{index === sessions.length - 1 ? "  " : "│ "}</Text>
            <Text>{plainText(pathText(session))}</Text>
            <Text dimColor>{`  ${plainText(touchText(session))}`}</Text>
          </Text>
        </Box>
      ))}
    </Box>
  )

const sessionFacts = (session: SessionSummary): string =>
  [
    session.pageviews === 1 ? "1 page" : `${session.pageviews} pages`,
    duration(session.durationSeconds),
    session.deviceType,
    session.pricingPageViews > 0 ? "pricing" : null,
    session.demoPageViews > 0 ? "demo" : null,
    session.converted ? "identified" : null,
  ]
    .filter((part) => part !== null)
    .join(" · ")

const pathText = ({ entryPage, exitPage, pageviews }: SessionSummary): string => {
  const entry = entryPage === null ? "(unknown page)" : readablePage(entryPage)
  return pageviews === 1 || exitPage === null || exitPage === entryPage
    ? entry
    : `${entry} → ${readablePage(exitPage)}`
}

/** One page of sessions. */
interface SessionListProps {
  readonly sessions: ReadonlyArray<SessionSummary>
  readonly hasMore: boolean
  /** The window in words, for example `in the last 30 days`. */
  readonly window: string
  /** Default: the time zone of the computer. */
  readonly timeZone?: string
}

/** The total number of sessions is unknown. */
export const SessionList = (props: SessionListProps): ReactNode => {
  const { sessions, hasMore, window } = props
  if (sessions.length === 0) {
    return <EmptyState message={`No sessions ${window}.`} next="Try: --timeframe all" />
  }
  const count = sessions.length === 1 ? "1 session" : `${sessions.length} sessions`
  return (
    <Box flexDirection="column" rowGap={1}>
      <SessionTimeline {...props} />
      <Text dimColor>
        {hasMore ? `${count} shown · more: --limit, or --all` : `${count} ${window}`}
      </Text>
    </Box>
  )
}
