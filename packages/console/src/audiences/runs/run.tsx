// One run: its outcome, statistics, people and files.
import type { Run, RunResult, RunResultPath, RunResultsMeta, RunStatistics } from "@footfall/sdk"
import { Link, useParams } from "@tanstack/react-router"
import { useQuery } from "@tanstack/react-query"
import { footfall } from "../../session/session.ts"
import { useMe } from "../../session/use-session.ts"
import { Badge } from "../../ui/badge.tsx"
import { Button } from "../../ui/button.tsx"
import { Copy } from "../../ui/copy.tsx"
import { Problem } from "../../ui/problem.tsx"
import { Read, Waiting } from "../../ui/read.tsx"
import { Screen } from "../../ui/screen.tsx"
import { count, plural, share, Time } from "../../ui/time.tsx"
import { useWrite } from "../../ui/use-write.ts"
import { useRun, useAudienceParent } from "../queries.ts"
import { runTones, runWords } from "../words.ts"
import { Exports } from "./exports.tsx"
import { Bars } from "../../plots/bars.tsx"
import { Empty } from "../../ui/empty.tsx"
import { List, type Column } from "../../ui/list.tsx"
import { usePages } from "../../ui/pages.ts"
import { Rest } from "../../ui/rest.tsx"
import "../audiences.css"

const RunScreen = () => {
  const { audienceId, runId } = useParams({ from: "/signed/audiences/$audienceId/runs/$runId" })
  const query = useRun(audienceId, runId)
  return (
    <Screen title="Run" parent={useAudienceParent(audienceId)}>
      <Read query={query}>{(run) => <Content key={run.status} run={run} />}</Read>
    </Screen>
  )
}

const Content = ({ run }: { readonly run: Run }) => {
  const isCompleted = run.status === "completed"
  return (
    <div className="record">
      <Head run={run} />
      {isCompleted && <Statistics run={run} />}
      {isCompleted && <Exports run={run} />}
      {isCompleted && <Results run={run} />}
    </div>
  )
}

const Head = ({ run }: { readonly run: Run }) => {
  const { canWrite } = useMe()
  const { audienceId, completedAt, createdAt, dataDate, id, runType, status } = run
  const cancel = useWrite({
    write: () => footfall.runs.cancel(audienceId, id),
    changes: [["audiences", audienceId]],
    notice: () => ({ text: "Cancelled the run" }),
  })
  return (
    <section className="stack" aria-label="State">
      <p>
        <Badge tone={runTones[status]}>{status}</Badge>
      </p>
      <p role="status" className="break">
        {runWords(run)}
      </p>
      <dl className="facts">
        <dt>Started</dt>
        <dd>
          <Time at={createdAt} shape="full" />, {runType === "daily" ? "automatically" : "manually"}
        </dd>
        <dt>Done</dt>
        <dd>
          <Time at={completedAt} shape="full" none="not yet" />
        </dd>
        <dt>Intent data</dt>
        <dd>{dataDate}</dd>
        <dt>Id</dt>
        <dd>
          <Copy text={id} label="id" />
        </dd>
      </dl>
      {canWrite && status === "queued" && (
        <div className="row">
          <Button isBusy={cancel.isPending} onClick={() => cancel.mutate()}>
            Cancel the run
          </Button>
        </div>
      )}
      <Problem error={cancel.error} />
    </section>
  )
}

// Statistics of a run's results: scores, and how much is known about the people.
const shown: ReadonlyArray<readonly [path: RunResultPath, name: string]> = [
  ["email", "Email"],
  ["businessEmail", "Business email"],
  ["phone", "Phone"],
  ["linkedinUrl", "LinkedIn"],
  ["fullName", "Name"],
  ["jobTitle", "Job title"],
  ["seniority", "Seniority"],
  ["department", "Department"],
  ["company.name", "Company"],
  ["company.industry", "Industry"],
  ["geo.country", "Country"],
]

const Statistics = ({ run: { audienceId, id } }: { readonly run: Run }) => {
  const query = useQuery({
    queryKey: ["audiences", audienceId, "run", id, "stats"],
    queryFn: ({ signal }) => footfall.runs.stats(audienceId, id, { signal }),
    // Results only change when a person is erased.
    staleTime: 300_000,
  })
  return (
    <section className="stack" aria-label="Statistics">
      <h2>Statistics</h2>
      <Read query={query}>{({ stats }) => <Figures stats={stats} />}</Read>
    </section>
  )
}

const Figures = ({ stats }: { readonly stats: RunStatistics }) => {
  const { averages, fillRates, scoreHistogram, total } = stats
  if (total === 0) return <p className="soft">The run found no one.</p>
  return (
    <div className="cards">
      {averages.score !== null && (
        <div className="card stack">
          <h3>People by score</h3>
          <Bars
            label="People by score"
            unit="People"
            rows={scoreHistogram.map(({ bucket, count: people, percent }) => ({
              name: bucket,
              value: people,
              text: `${count(people)} (${share(percent)})`,
            }))}
          />
          <p className="soft small">
            Average score {averages.score}, {averages.topicOverlap} of the topics
          </p>
        </div>
      )}
      <div className="card stack">
        <h3>Available data</h3>
        <Bars
          label="Available data"
          unit="Share of people"
          top={100}
          rows={shown.map(([path, name]) => ({
            name,
            value: fillRates[path].percent,
            text: share(fillRates[path].percent),
          }))}
        />
      </div>
    </div>
  )
}

// The people found by a run, highest score first.

/** People per page. */
const pageSize = 100

const columns: ReadonlyArray<Column<RunResult>> = [
  {
    id: "who",
    title: "Who",
    width: "minmax(9rem, 2fr)",
    cell: ({ email, fullName, hashedEmail }) => (
      <>
        <Link
          className="open cut person-name"
          to="/people/$visitorId"
          params={{ visitorId: hashedEmail }}
          search={{ window: "all" }}
        >
          {fullName ?? email ?? hashedEmail.slice(0, 12)}
        </Link>
        {fullName !== null && <p className="cut soft small">{email}</p>}
      </>
    ),
  },
  {
    id: "company",
    title: "Company",
    width: "minmax(7rem, 1fr)",
    from: 480,
    cell: ({ company }) => <p className="cut">{company.name ?? company.domain}</p>,
  },
  {
    id: "job",
    title: "Job",
    width: "minmax(7rem, 1fr)",
    from: 640,
    cell: ({ jobTitle }) => <p className="cut">{jobTitle}</p>,
  },
  {
    id: "topics",
    title: "Topics",
    width: "minmax(8rem, 1.5fr)",
    from: 900,
    cell: ({ intent }) => (
      <p className="cut">{intent?.matchedTopics.map(({ topicName }) => topicName).join(", ")}</p>
    ),
  },
  {
    id: "score",
    title: "Score",
    width: "4rem",
    isNumber: true,
    cell: ({ intent }) => intent?.score ?? "–",
  },
]

const Results = ({ run: { audienceId, id } }: { readonly run: Run }) => {
  const people = usePages<RunResult, RunResultsMeta>({
    key: ["audiences", audienceId, "run", id, "results"],
    load: (cursor, signal) =>
      footfall.runs.results(audienceId, id, { limit: pageSize, cursor }, { signal }),
  })
  return (
    <section className="stack" aria-label="People">
      <h2>People</h2>
      {people.error !== null && people.rows.length === 0 ? (
        <Problem error={people.error} onRetry={people.retry} />
      ) : people.isPending ? (
        <Waiting />
      ) : people.rows.length === 0 ? (
        <Empty title="No one was found">
          Choose more topics, a lower score or fewer filters, and run the audience again.
        </Empty>
      ) : (
        <div className="tall">
          <List
            label="People of the run"
            columns={columns}
            rows={people.rows}
            keyOf={({ hashedEmail }) => hashedEmail}
            total={people.meta?.total}
            onEnd={people.onEnd}
            foot={plural(people.meta?.total ?? 0, "person", "people")}
          />
          <Rest pages={people} />
        </div>
      )}
    </section>
  )
}

export default RunScreen
