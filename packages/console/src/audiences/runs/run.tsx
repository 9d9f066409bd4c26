// One run: its outcome, statistics, people and files.
import type { Run } from "@footfall/sdk"
import { useParams } from "@tanstack/react-router"
import { footfall } from "../../session/session.ts"
import { useMe } from "../../session/use-session.ts"
import { Badge } from "../../ui/badge.tsx"
import { Button } from "../../ui/button.tsx"
import { Copy } from "../../ui/copy.tsx"
import { Problem } from "../../ui/problem.tsx"
import { Read } from "../../ui/read.tsx"
import { Screen } from "../../ui/screen.tsx"
import { Time } from "../../ui/time.tsx"
import { useWrite } from "../../ui/use-write.ts"
import { BackToAudience } from "../back.tsx"
import { useRun } from "../queries.ts"
import { runTones, runWords } from "../words.ts"
import { Exports } from "./exports.tsx"
import { Results } from "./results.tsx"
import { Statistics } from "./statistics.tsx"
import "../audiences.css"

const RunScreen = () => {
  const { audienceId, runId } = useParams({ from: "/signed/audiences/$audienceId/runs/$runId" })
  const query = useRun(audienceId, runId)
  return (
    <Screen title="Run" actions={<BackToAudience audienceId={audienceId} />}>
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
          <Time at={createdAt} shape="full" />, {runType === "daily" ? "by itself" : "by request"}
        </dd>
        <dt>Done</dt>
        <dd>
          <Time at={completedAt} shape="full" none="not yet" />
        </dd>
        <dt>Data of</dt>
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

export default RunScreen
