// The overview: totals of the period beside those of another one, a daily chart, what needs attention, and the latest
// visitors. It polls while it's open.
import type {
  Overview as Answer,
  OverviewComparison,
  OverviewFigures,
  OverviewParams,
} from "@footfall/sdk"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { daysBefore } from "../frame/period.ts"
import {
  type Compare,
  ForSite,
  pixelsQuery,
  SuppressedSwitch,
  useChangeScope,
  useScope,
} from "../frame/scope.tsx"
import { Plot } from "../plots/plot.tsx"
import { accountQuery } from "../queries.ts"
import { footfall } from "../session/session.ts"
import { useMe } from "../session/use-session.ts"
import { Empty } from "../ui/empty.tsx"
import { type Choice, ChoiceField } from "../ui/field.tsx"
import { Read } from "../ui/read.tsx"
import { Screen } from "../ui/screen.tsx"
import { count, dayRange, knownZone, plural } from "../ui/time.tsx"
import { Attention } from "./attention.tsx"
import { Latest } from "./latest.tsx"
import "./overview.css"

/** The server recomputes the figures every few seconds. */
const pollMs = 30_000

const Overview = () => {
  const { data: pixels } = useQuery(pixelsQuery)
  const hasEvents = pixels?.some(({ lastEventAt }) => lastEventAt !== null) ?? true
  return (
    <Screen
      title="Overview"
      actions={
        <>
          {hasEvents && <CompareChoice />}
          <SuppressedSwitch />
        </>
      }
    >
      <Attention />
      {hasEvents ? (
        <ForSite>
          <Content />
        </ForSite>
      ) : (
        <NoVisits />
      )}
    </Screen>
  )
}

const compareChoices: ReadonlyArray<Choice<Compare | "">> = [
  { value: "", text: "Compare…" },
  { value: "previous", text: "Period before" },
  { value: "year", text: "Year before" },
]

const CompareChoice = () => {
  const { compare = "" } = useScope()
  const change = useChangeScope()
  return (
    <ChoiceField
      label="Compare"
      isCompact
      choices={compareChoices}
      value={compare}
      onValue={(value) => void change({ compare: value === "" ? undefined : value })}
    />
  )
}

/** Today and the days before it that have figures. */
const figureDays = 365

interface Figured {
  readonly period: Pick<OverviewParams, "timeframe" | "from" | "to">
  /** The period in words. */
  readonly text: string | undefined
}

/** The part of the period that has figures; undefined if none has, such as for days to come. */
const useFigured = (): Figured | undefined => {
  const { period, periodText: text, today } = useScope()
  if ("timeframe" in period) {
    return period.timeframe === "all"
      ? { period: { timeframe: "90d" }, text: "90 days, the longest window that has figures" }
      : { period: { timeframe: period.timeframe }, text }
  }
  const first = daysBefore(today, figureDays)
  const { from, to = today } = period
  if (to < first || from > today) return undefined
  return from < first
    ? {
        period: { ...period, from: first },
        text: `${dayRange({ from: first, to })}, no earlier day has figures`,
      }
    : { period, text }
}

/** The figures, and what they are compared with. These are still shown while others load. */
interface Figures extends Answer {
  readonly compare: Compare | undefined
}

const compareWords: Readonly<Record<Compare, string>> = {
  previous: "in the period before",
  year: "a year before",
}

const Content = () => {
  const { compare, site, suppressed } = useScope()
  const figured = useFigured()
  const query = useQuery({
    queryKey: ["overview", { period: figured?.period, compare, site, suppressed }],
    queryFn: async ({ signal }): Promise<Figures> => {
      const params = { ...figured?.period, compare, domain: site, suppressed }
      return { ...(await footfall.overview.get(params, { signal })), compare }
    },
    enabled: figured !== undefined,
    refetchInterval: pollMs,
    placeholderData: (before) => before,
  })
  return (
    <div className="overview">
      <div className="stack">
        {figured === undefined ? (
          <NoFigures />
        ) : (
          <Read query={query}>
            {(figures) => (
              <>
                <Totals figures={figures} />
                <Days figures={figures} />
              </>
            )}
          </Read>
        )}
      </div>
      <Latest />
      <Foot text={figured?.text} figures={query.data} />
    </div>
  )
}

const NoFigures = () => (
  <Empty title="These days have no figures">
    Figures go from {figureDays} days ago to today. The lists of people and companies go back
    further.
  </Empty>
)

const Totals = ({ figures }: { readonly figures: Figures }) => {
  const { compare, comparison, previous, suppressed, totals } = figures
  const before = comparison?.totals ?? previous
  const when = compare === undefined ? "in the previous window" : compareWords[compare]
  const share = ({ people, suppressedPeople }: OverviewFigures): number => {
    const all = suppressed === "exclude" ? people + suppressedPeople : people
    return all === 0 ? 0 : Math.round((100 * suppressedPeople) / all)
  }
  return (
    <dl className="figures">
      <Figure
        name="People"
        now={totals.people}
        before={before.people}
        when={when}
        note={`${count(totals.newPeople)} new`}
      />
      <Figure name="Companies" now={totals.companies} before={before.companies} when={when} />
      <Figure
        name="Anonymous sessions"
        now={totals.anonymousSessions}
        before={before.anonymousSessions}
        when={when}
        note={`of ${count(totals.sessions)}`}
      />
      <Figure
        name="Suppressed"
        now={share(totals)}
        before={share(before)}
        when={when}
        unit="%"
        note={plural(totals.suppressedPeople, "person", "people")}
      />
    </dl>
  )
}

interface FigureProps {
  readonly name: string
  readonly now: number
  readonly before: number
  /** Which period the value before is from. */
  readonly when: string
  readonly unit?: string
  readonly note?: string
}

const Figure = ({ name, now, before, when, unit = "", note }: FigureProps) => (
  <div className="card figure">
    <dt className="soft small">{name}</dt>
    <dd>
      <strong>
        {count(now)}
        {unit}
      </strong>{" "}
      {note !== undefined && <span className="small">{note}</span>}
      <p className="soft small">
        {count(before)}
        {unit} {when}, {changeText(now, before, unit)}
      </p>
    </dd>
  </div>
)

/** For example `+12%`. From ten times on, and of percentages, the difference says more. */
const changeText = (now: number, before: number, unit: string): string => {
  if (now === before) return "no change"
  const isPercent = unit === "" && now < before * 10
  const change = isPercent ? Math.round(((now - before) / before) * 100) : now - before
  const sign = now > before ? "+" : "−"
  return `${sign}${count(Math.abs(change))}${isPercent ? "%" : unit === "%" ? " points" : ""}`
}

interface PointOfTime extends OverviewFigures {
  readonly name: string
}

const pointsOf = (
  { days, hours }: OverviewComparison,
  timeZone: string,
): ReadonlyArray<PointOfTime> => {
  const clock = new Intl.DateTimeFormat("sv-SE", {
    timeZone: knownZone(timeZone),
    dateStyle: "short",
    timeStyle: "short",
  })
  return [
    ...days.map((day) => ({ ...day, name: day.date })),
    ...hours.map((hour) => ({ ...hour, name: clock.format(new Date(hour.startsAt)) })),
  ]
}

const Days = ({ figures }: { readonly figures: Figures }) => {
  const { compare, comparison, hours, timeZone } = figures
  const points = pointsOf(figures, timeZone)
  const others = comparison === null ? [] : pointsOf(comparison, timeZone)
  return (
    <section className="card stack" aria-label={hours.length > 0 ? "Hours" : "Days"}>
      <Plot
        label="People"
        unit={hours.length > 0 ? "Hour" : "Day"}
        points={points.map(({ name, people }) => ({ name, value: people }))}
        more={[
          { label: "Companies", values: points.map(({ companies }) => companies) },
          {
            label: "Anonymous sessions",
            values: points.map(({ anonymousSessions }) => anonymousSessions),
          },
          ...(compare === undefined
            ? []
            : [
                {
                  label: `People ${compareWords[compare]}`,
                  values: others.map(({ people }) => people),
                  names: others.map(({ name }) => name),
                },
              ]),
        ]}
      />
    </section>
  )
}

interface FootProps {
  /** The period in words. */
  readonly text: string | undefined
  readonly figures: Figures | undefined
}

const Foot = ({ figures, text }: FootProps) => {
  const { data: account } = useQuery(accountQuery)
  const { organization } = useMe()
  const others = figures?.comparison?.days ?? []
  const [first, last] = [others[0], others.at(-1)]
  const parts = [
    ...(text === undefined ? [] : [text]),
    ...(first === undefined || last === undefined
      ? []
      : [`compared with ${dayRange({ from: first.date, to: last.date })}`]),
    `time zone ${organization.timeZone}`,
    ...(account === undefined ? [] : [creditsText(account.credits)]),
    ...(account?.intent.dataDate === undefined || account.intent.dataDate === null
      ? []
      : [`intent data of ${account.intent.dataDate}`]),
  ]
  return <p className="list-foot overview-foot">{parts.join(" · ")}</p>
}

const creditsText = ({
  limit,
  used,
}: {
  readonly limit: number | null
  readonly used: number
}): string =>
  limit === null
    ? `${plural(used, "credit")} used this month`
    : `${count(used)} of ${plural(limit, "credit")} used this month`

const NoVisits = () => (
  <Empty
    title="No visits yet"
    action={
      <Link to="/start" className="button primary">
        Install the pixel
      </Link>
    }
  >
    Your figures and latest visitors appear here once the pixel is on your site.
  </Empty>
)

export default Overview
