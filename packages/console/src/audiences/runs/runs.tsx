// The latest runs of an audience, how many people each found, and a button to start one.
import type { Audience, Run } from "@footfall/sdk"
import { Link } from "@tanstack/react-router"
import { useState } from "react"
import { Plot } from "../../plots/plot.tsx"
import { footfall } from "../../session/session.ts"
import { useMe } from "../../session/use-session.ts"
import { Badge } from "../../ui/badge.tsx"
import { Button } from "../../ui/button.tsx"
import { Problem } from "../../ui/problem.tsx"
import { Read } from "../../ui/read.tsx"
import { plural, Time } from "../../ui/time.tsx"
import { useWrite } from "../../ui/use-write.ts"
import { useReloadWhenFinished, useRuns } from "../queries.ts"
import { isInProgress, runTones } from "../words.ts"
import { isolated } from "../../ui/isolated.ts"

/** How many runs to show at first, and the server's maximum. */
const limits = [5, 100] as const

export const Runs = ({ audience }: { readonly audience: Audience }) => {
  const { canWrite } = useMe()
  const [limit, setLimit] = useState<number>(limits[0])
  const query = useRuns(audience.id, limit)
  const start = useWrite({
    write: async () => footfall.runs.start(audience.id),
    changes: [["audiences", audience.id]],
    notice: () => ({ text: isolated`Started a run of ${audience.name}` }),
  })
  const isRunning = query.data?.runs.some(({ status }) => isInProgress(status)) ?? false
  // The audiences show how many people the last run found.
  useReloadWhenFinished(audience.id, query.data?.runs)
  return (
    <section className="stack" aria-label="Runs">
      <div className="spread">
        <h2>Runs</h2>
        {canWrite && audience.status === "active" && (
          <Button isBusy={start.isPending} disabled={isRunning} onClick={() => start.mutate()}>
            Run now
          </Button>
        )}
      </div>
      <Problem error={start.error} title="The run was not started" />
      <Read query={query}>
        {({ runs, total }) => (
          <>
            {runs.length === 0 && (
              <p className="soft">
                No runs yet.
                {audience.status === "active" ? "" : " Activate the audience to run it."}
              </p>
            )}
            <Sizes runs={runs} />
            <ul className="stack">
              {runs.map((run) => (
                <RunLine key={run.id} run={run} />
              ))}
            </ul>
            {total > runs.length && limit === limits[0] && (
              <Button onClick={() => setLimit(limits[1])}>Show earlier runs</Button>
            )}
          </>
        )}
      </Read>
    </section>
  )
}

/** How many people each run found, oldest first. */
const Sizes = ({ runs }: { readonly runs: ReadonlyArray<Run> }) => {
  const completed = runs.filter(({ status }) => status === "completed").toReversed()
  if (completed.length < 2) return null
  return (
    <Plot
      label="People found"
      unit="Run"
      isSmall
      points={completed.map(({ createdAt, resultCount }) => ({
        name: `${createdAt.slice(0, 16).replace("T", " ")} UTC`,
        value: resultCount,
      }))}
    />
  )
}

const RunLine = ({ run }: { readonly run: Run }) => {
  const { audienceId, createdAt, dataDate, id, resultCount, runType, status } = run
  return (
    <li className="spread">
      <span>
        <Link
          to="/audiences/$audienceId/runs/$runId"
          params={{ audienceId, runId: id }}
          search={true}
        >
          Run <Time at={createdAt} shape="full" />
        </Link>
        <span className="soft small">
          {" "}
          {runType === "daily" ? "daily, " : ""}data of {dataDate}
        </span>
      </span>
      <span className="row">
        {status === "completed" && plural(resultCount, "person", "people")}
        <Badge tone={runTones[status]}>{status}</Badge>
      </span>
    </li>
  )
}
