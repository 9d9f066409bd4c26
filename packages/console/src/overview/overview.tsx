// The overview: who matters and why, then the figures beside those of another period, then where visits came from. It
// polls while it's open.
import type { Overview as Answer, OverviewComparison, OverviewFigures } from "@footfall/sdk"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useState } from "react"
import {
  type Compare,
  ForSite,
  pixelsQuery,
  SuppressedSwitch,
  useChangeScope,
  useScope,
} from "../frame/scope.tsx"
import { Columns } from "../plots/columns.tsx"
import { accountQuery } from "../queries.ts"
import { footfall } from "../session/session.ts"
import { useMe } from "../session/use-session.ts"
import { Empty } from "../ui/empty.tsx"
import { type Choice, ChoiceField } from "../ui/field.tsx"
import { Read } from "../ui/read.tsx"
import { Screen } from "../ui/screen.tsx"
import { count, dayRange, knownZone, plural } from "../ui/time.tsx"
import { HottestAccounts, Lead, useAccounts } from "./accounts.tsx"
import { Attention } from "./attention.tsx"
import { Breakdowns } from "./breakdowns.tsx"
import { figureDays, useFigured } from "./figured.ts"
import { HottestPeople } from "./hot-people.tsx"
import { Here, Latest } from "./latest.tsx"
import "./overview.css"

/** The server recomputes the figures every few seconds. */
const pollMs = 30_000

const Overview = () => {
  const { data: pixels } = useQuery(pixelsQuery)
  const hasEvents = pixels?.some(({ lastEventAt }) => lastEventAt !== null) ?? true
  return (
    <Screen
      title="Overview"
      isTitleSmall
      actions={
        <>
          {hasEvents && <CompareChoice />}
          <SuppressedSwitch />
        </>
      }
    >
      {hasEvents ? (
        <ForSite>
          <Content />
        </ForSite>
      ) : (
        <>
          <Attention />
          <NoVisits />
        </>
      )}
    </Screen>
  )
}

const compareChoices: ReadonlyArray<Choice<Compare>> = [
  { value: "previous", text: "vs. period before" },
  { value: "year", text: "vs. year before" },
]

const CompareChoice = () => {
  const { compare = "previous" } = useScope()
  const change = useChangeScope()
  return (
    <ChoiceField
      label="Compare"
      isCompact
      choices={compareChoices}
      value={compare}
      onValue={(value) => void change({ compare: value === "previous" ? undefined : value })}
    />
  )
}

/** These are still shown while others load. */
interface Figures extends Answer {
  readonly compare: Compare
}

const compareWords: Readonly<Record<Compare, string>> = {
  previous: "the period before",
  year: "a year before",
}

const Content = () => {
  const { compare = "previous", site, suppressed } = useScope()
  const figured = useFigured()
  const accounts = useAccounts()
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
      <header className="overview-lead">
        <div>
          <Today />
          <Lead accounts={accounts} />
        </div>
        <Here />
      </header>
      <Attention />
      <HottestAccounts accounts={accounts} />
      <HottestPeople />
      <div className="numbers">
        {figured === undefined ? (
          <NoFigures />
        ) : (
          <Read query={query}>{(figures) => <Numbers figures={figures} />}</Read>
        )}
        <Foot text={figured?.text} figures={query.data} />
      </div>
      <Latest />
      {figured !== undefined && <Breakdowns period={figured.period} compare={compare} />}
    </div>
  )
}

const Today = () => {
  const { today } = useScope()
  const text = new Intl.DateTimeFormat(undefined, {
    weekday: "long",
    day: "numeric",
    month: "long",
    timeZone: "UTC",
  }).format(new Date(today))
  return <p className="soft small">{text}</p>
}

const NoFigures = () => (
  <Empty title="These days have no figures">
    Figures go from {figureDays} days ago to today. The lists of people and companies go back
    further.
  </Empty>
)

type FigureKey = "people" | "companies" | "sessions" | "anonymousSessions" | "pricingPageViews"

/** Each chooses what the plot shows. */
const figureNames: ReadonlyArray<readonly [key: FigureKey, name: string]> = [
  ["people", "People"],
  ["companies", "Companies"],
  ["sessions", "Visits"],
  ["anonymousSessions", "Anonymous visits"],
  ["pricingPageViews", "Read pricing"],
]

const Numbers = ({ figures }: { readonly figures: Figures }) => {
  const [chosen, setChosen] = useState<FigureKey>("people")
  const { compare, comparison, hours, suppressed, timeZone, totals } = figures
  const before = comparison?.totals ?? figures.previous
  const name = figureNames.find(([key]) => key === chosen)?.[1] ?? ""
  const points = (of: OverviewComparison | null) =>
    of === null
      ? []
      : pointsOf(of, timeZone).map((point) => ({ name: point.name, value: point[chosen] }))
  return (
    <>
      <div className="figures" role="group" aria-label="What the plot shows">
        {figureNames.map(([key, title]) => (
          <button
            key={key}
            type="button"
            className="figure"
            aria-pressed={key === chosen}
            onClick={() => setChosen(key)}
          >
            <span>{title}</span> <strong>{count(totals[key])}</strong>{" "}
            <Change now={totals[key]} before={before[key]} when={compareWords[compare]} />
          </button>
        ))}
      </div>
      <section aria-label={hours.length > 0 ? "Hours" : "Days"}>
        <Columns
          label={name}
          unit={hours.length > 0 ? "Hour" : "Day"}
          points={points(figures)}
          before={points(comparison)}
          beforeText={compareWords[compare]}
        />
      </section>
      {totals.suppressedPeople > 0 && (
        <p className="soft small">
          <Link to="/people" search={(old) => ({ ...old, suppressed: "only" as const })}>
            {plural(totals.suppressedPeople, "person", "people")} suppressed
          </Link>
          {suppressed === "exclude" ? ", not counted." : "."}
        </p>
      )}
    </>
  )
}

interface ChangeProps {
  readonly now: number
  readonly before: number
  /** Which period the value before is from. */
  readonly when: string
}

/** For example `+12% from 268`. From ten times on, the difference says more. */
const Change = ({ before, now, when }: ChangeProps) => {
  const isPercent = now < before * 10
  const change = isPercent ? Math.round(((now - before) / before) * 100) : now - before
  const sign = change > 0 ? "+" : "−"
  return (
    <small title={`${count(before)} in ${when}`}>
      {change !== 0 && (
        <>
          <em className={change > 0 ? "up" : undefined}>
            {sign}
            {count(Math.abs(change))}
            {isPercent ? "%" : ""}
          </em>{" "}
        </>
      )}
      {change === 0 ? "as before" : `from ${count(before)}`}
    </small>
  )
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
        Put the tag on your site
      </Link>
    }
  >
    Your figures and latest visitors appear here once the tag is on your site.
  </Empty>
)

export default Overview
