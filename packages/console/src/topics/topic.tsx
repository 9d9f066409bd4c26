// One topic: who reads about it, day by day.
import type { TopicTrendParams, TopicTrendPoint } from "@footfall/sdk"
import { useQuery } from "@tanstack/react-query"
import { useNavigate, useParams } from "@tanstack/react-router"
import { daysBefore } from "../frame/period.ts"
import { useScope } from "../frame/scope.tsx"
import { Bars } from "../plots/bars.tsx"
import { Plot } from "../plots/plot.tsx"
import { accountQuery } from "../queries.ts"
import { footfall } from "../session/session.ts"
import { Copy } from "../ui/copy.tsx"
import { Read } from "../ui/read.tsx"
import { Panel, useTitle } from "../ui/screen.tsx"
import { count } from "../ui/time.tsx"

/** The server returns no more days. */
const daysMax = 365

/** Days per time window. Fewer than 7 don't make a trend. */
const days = { "24h": 7, "7d": 7, "14d": 14, "30d": 30, "90d": 90, all: daysMax } as const

/**
 * A month or days, at most the last 365 of them; for a window, as many of the newest days with data. Without a `newest`
 * day it uses the server's default.
 */
const trendDays = (
  { period, timeframe, today }: ReturnType<typeof useScope>,
  newest: string | null | undefined,
): TopicTrendParams => {
  if (timeframe === undefined) {
    const chosen = { from: today, to: today, ...period }
    const from = chosen.from < today ? chosen.from : today
    const to = chosen.to < today ? chosen.to : today
    const first = daysBefore(to, daysMax - 1)
    return { from: from < first ? first : from, to }
  }
  if (typeof newest !== "string") return {}
  return { from: daysBefore(newest, days[timeframe] - 1), to: newest }
}

const TopicPanel = () => {
  const scope = useScope()
  const account = useQuery(accountQuery)
  const params = trendDays(scope, account.data?.intent.dataDate)
  const { topicId } = useParams({ from: "/signed/topics/$topicId" })
  const navigate = useNavigate()
  const query = useQuery({
    queryKey: ["topics", "trend", topicId, params],
    queryFn: ({ signal }) => footfall.topics.trend(Number(topicId), params, { signal }),
    enabled: !account.isPending,
    placeholderData: (before) => before,
  })
  return (
    <Panel label="topic" onClose={() => void navigate({ to: "/topics", search: true })}>
      <Read query={query}>
        {(found) => <Content key={topicId} topicId={topicId} days={found} />}
      </Read>
    </Panel>
  )
}

interface ContentProps {
  readonly topicId: string
  readonly days: ReadonlyArray<TopicTrendPoint>
}

const Content = ({ topicId, days }: ContentProps) => {
  const last = days.at(-1)
  useTitle(last?.topicName ?? `Topic ${topicId}`)
  if (last === undefined) {
    return (
      <>
        <h1 className="name">Topic {topicId}</h1>
        <p className="soft">No one read about it in this time window.</p>
      </>
    )
  }
  return (
    <>
      <header>
        <h1 className="name break">{last.topicName}</h1>
        <p className="soft">
          {last.industry} · {last.category} · {last.type}
        </p>
      </header>
      <section className="stack" aria-label="People a day">
        <h2>People a day</h2>
        <Plot
          label="People a day"
          points={days.map(({ date, uniqueAudience }) => ({ name: date, value: uniqueAudience }))}
        />
      </section>
      <section className="stack" aria-label="People by score">
        <h2>By score on {last.date}</h2>
        <Bars
          label="People by score"
          unit="People"
          rows={[
            { name: "90 to 100", value: last.highAudience },
            { name: "70 to 89", value: last.mediumAudience },
            { name: "below 70", value: last.lowAudience },
          ]}
        />
      </section>
      <dl className="facts">
        <dt>On {last.date}</dt>
        <dd>{count(last.uniqueAudience)} people</dd>
        <dt>Average score</dt>
        <dd>{last.avgScore}</dd>
        <dt>Id</dt>
        <dd>
          <Copy text={topicId} label="id" />
        </dd>
      </dl>
    </>
  )
}

export default TopicPanel
