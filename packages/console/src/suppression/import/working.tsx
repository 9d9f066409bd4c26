// Sending: the progress and the result. The user can leave and come back.
import { Link } from "@tanstack/react-router"
import { Button } from "../../ui/button.tsx"
import { Problem } from "../../ui/problem.tsx"
import { count, plural } from "../../ui/time.tsx"
import { importJob, type ImportState, type Outcome } from "./job.ts"

export const Working = ({ state }: { readonly state: ImportState }) => (
  <section className="card stack" aria-label="Import">
    {state.step === "sending" && <Sending state={state} />}
    {state.step === "stopped" && <Stopped state={state} />}
    {state.step === "done" && state.outcome !== null && <Done outcome={state.outcome} />}
  </section>
)

const Sending = ({ state: { progress } }: { readonly state: ImportState }) => {
  const { done, total, waitSeconds } = progress
  return (
    <>
      <p className="big" role="status">
        {count(done)} of {plural(total, "rule")}
      </p>
      <progress aria-label="Sent" max={Math.max(1, total)} value={done} />
      <p className="soft small" role="status">
        {waitSeconds > 0
          ? `The server limits how often it is asked. Continuing in ${Math.ceil(waitSeconds)} seconds.`
          : "You can go to other screens. Keep this tab open until the import is done."}
      </p>
      <div className="row">
        <Button onClick={() => importJob.stop()}>Stop</Button>
      </div>
    </>
  )
}

const Stopped = ({ state }: { readonly state: ImportState }) => {
  const { changes, error, journal, progress, types } = state
  const isReplacing = changes !== null
  return (
    <>
      <p role="status">
        Stopped after {count(progress.done)} of {plural(progress.total, "rule")}. What was sent
        stays.
      </p>
      <Problem error={error} />
      <div className="row">
        {isReplacing ? (
          <Button kind="primary" onClick={() => void importJob.compare(types)}>
            Compare again
          </Button>
        ) : (
          <Button kind="primary" onClick={() => void importJob.add()}>
            Continue with the other {count(progress.total - (journal?.done ?? 0))}
          </Button>
        )}
      </div>
    </>
  )
}

const Done = ({ outcome }: { readonly outcome: Outcome }) => {
  const { added, duplicates, refused, removed } = outcome
  return (
    <>
      <p className="big" role="status">
        Added {plural(added, "rule")}
        {removed > 0 && `, removed ${count(removed)}`}
      </p>
      {duplicates > 0 && <p>Already there: {plural(duplicates, "rule")}.</p>}
      {refused > 0 && <p className="warning">The server refused {plural(refused, "rule")}.</p>}
      <p className="soft">People who match are suppressed within a minute.</p>
      <div className="row">
        <Link className="button primary" to="/suppression" search={{}}>
          See the list
        </Link>
        <Button onClick={() => importJob.reset()}>Import another file</Button>
      </div>
    </>
  )
}
