// The overview: totals for the time window compared with the previous one, a daily chart, what needs attention, and the
// latest visitors. It polls while it's open.
import type { Overview as Figures, OverviewParams } from "@footfall/sdk"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { ForSite, pixelsQuery, SuppressedSwitch, timeframes, useScope } from "../frame/scope.tsx"
import { Plot } from "../plots/plot.tsx"
import { accountQuery } from "../queries.ts"
import { footfall } from "../session/session.ts"
import { useMe } from "../session/use-session.ts"
import { Empty } from "../ui/empty.tsx"
import { Read } from "../ui/read.tsx"
import { Screen } from "../ui/screen.tsx"
import { count, plural } from "../ui/time.tsx"
import { Attention } from "./attention.tsx"
import { Latest } from "./latest.tsx"
import "./overview.css"

/** The server recomputes the figures every few seconds. */
const pollMs = 30_000

const Overview = () => {
  const { data: pixels } = useQuery(pixelsQuery)
  const hasEvents = pixels?.some(({ lastEventAt }) => lastEventAt !== null) ?? true
  return (
    <Screen title="Overview" actions={<SuppressedSwitch />}>
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

/** The figures need a time window with a start. */
const useWindow = (): { readonly window: NonNullable<OverviewParams["timeframe"]> } => {
  const { timeframe } = useScope()
  return { window: timeframe === "all" ? "90d" : timeframe }
}

const Content = () => {
  const { site, suppressed } = useScope()
  const { window } = useWindow()
  const query = useQuery({
    queryKey: ["overview", { window, site, suppressed }],
    queryFn: ({ signal }) =>
      footfall.overview.get({ timeframe: window, domain: site, suppressed }, { signal }),
    refetchInterval: pollMs,
    placeholderData: (before) => before,
  })
  return (
    <div className="overview">
      <div className="stack">
        <Read query={query}>
          {(overview) => (
            <>
              <Totals overview={overview} />
              <Days overview={overview} />
            </>
          )}
        </Read>
      </div>
      <Latest />
      <Foot />
    </div>
  )
}

const Totals = ({ overview: { previous, suppressed, totals } }: { readonly overview: Figures }) => {
  const share = ({ people, suppressedPeople }: Figures["totals"]): number => {
    const all = suppressed === "exclude" ? people + suppressedPeople : people
    return all === 0 ? 0 : Math.round((100 * suppressedPeople) / all)
  }
  return (
    <dl className="figures">
      <Figure
        name="People"
        now={totals.people}
        before={previous.people}
        note={`${count(totals.newPeople)} new`}
      />
      <Figure name="Companies" now={totals.companies} before={previous.companies} />
      <Figure
        name="Anonymous sessions"
        now={totals.anonymousSessions}
        before={previous.anonymousSessions}
        note={`of ${count(totals.sessions)}`}
      />
      <Figure
        name="Suppressed"
        now={share(totals)}
        before={share(previous)}
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
  readonly unit?: string
  readonly note?: string
}

const Figure = ({ name, now, before, unit = "", note }: FigureProps) => (
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
        {unit} in the previous window
        {unit === "" && changeText(now, before)}
      </p>
    </dd>
  </div>
)

/** For example `, +12%`. From ten times on, a percentage says less than the two counts. */
const changeText = (now: number, before: number): string => {
  if (now === before || now >= before * 10) return ""
  const percent = Math.round(((now - before) / before) * 100)
  return `, ${percent > 0 ? "+" : ""}${count(percent)}%`
}

const Days = ({ overview: { days, hours, timeZone } }: { readonly overview: Figures }) => {
  const clock = new Intl.DateTimeFormat("sv-SE", {
    timeZone,
    dateStyle: "short",
    timeStyle: "short",
  })
  const points = [
    ...days.map((day) => ({ ...day, name: day.date })),
    ...hours.map((hour) => ({ ...hour, name: clock.format(new Date(hour.startsAt)) })),
  ]
  return (
    <section className="card stack" aria-label={hours.length > 0 ? "Hours" : "Days"}>
      <Plot
        label="People"
        points={points.map(({ name, people }) => ({ name, value: people }))}
        more={[
          { label: "Companies", values: points.map(({ companies }) => companies) },
          {
            label: "Anonymous sessions",
            values: points.map(({ anonymousSessions }) => anonymousSessions),
          },
        ]}
      />
    </section>
  )
}

const Foot = () => {
  const { data: account } = useQuery(accountQuery)
  const { organization } = useMe()
  const { timeframe } = useScope()
  const { window } = useWindow()
  const parts = [
    timeframes.find(({ value }) => value === window)?.text,
    ...(timeframe === "all" ? ["the longest window that has figures"] : []),
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
